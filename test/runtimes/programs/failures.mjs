// How a create fails, for each address given: its phase and effect, as JSON.
import process from 'node:process';
import { EmailPlatform } from 'email-platform';

const draft = { name: 'n', domain_id: 1, from_local_part: 'f', template_attributes: { subject: 's' } };
const said = {};
for (const [name, api] of Object.entries(JSON.parse(process.argv[2]))) {
  const client = new EmailPlatform({ token: 'token', hosts: { api }, retry: false });
  const error = await client.campaigns.create(draft).catch((error) => error);
  said[name] = [error.phase, error.effect].join(' ');
}
console.log(JSON.stringify(said));
