import { remind } from '../../../lib/email.js';

export const dynamic = 'force-dynamic';
export const GET = remind;
