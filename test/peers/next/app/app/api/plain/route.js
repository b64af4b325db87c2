import { remind } from '../../../lib/email.js';

export async function GET() {
  return remind();
}
