import { countCampaigns } from '../lib/email.js';

/** Nothing here tells Next that the page is not static, except the requests of the client. */
export default async function Page() {
  return <p>{`${await countCampaigns()} campaigns`}</p>;
}
