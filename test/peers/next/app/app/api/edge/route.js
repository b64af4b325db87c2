import { countCampaigns, remind } from '../../../lib/email.js';

export const runtime = 'edge';
export const dynamic = 'force-dynamic';
export const GET = remind;
export const POST = async () => new Response(`${await countCampaigns()} campaigns`);
