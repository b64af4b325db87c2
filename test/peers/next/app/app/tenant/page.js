import { cookies } from 'next/headers';
import { countCampaigns, email } from '../../lib/email.js';

/** The token function asks Next for a cookie: a static rendering ends there. */
const client = email.withOptions({
  token: async () => (await cookies()).get('token')?.value ?? process.env.EMAIL_PLATFORM_TOKEN,
});

export default async function Page() {
  return <p>{`${await countCampaigns(client)} campaigns`}</p>;
}
