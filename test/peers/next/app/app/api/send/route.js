import { remind } from '../../../lib/email.js';

export const POST = remind;
