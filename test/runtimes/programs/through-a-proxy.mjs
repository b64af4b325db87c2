// Prints the outcome of a create and of 1 200 emails through a proxy, as JSON. `agent`: with the client of the guide. The
// second argument is the timeout.
import process from 'node:process';
import { EmailPlatform } from 'email-platform';

const { client } =
  process.argv[2] === 'agent' ? await import('./guide-client.mjs') : { client: new EmailPlatform() };
const once = client.withOptions({ retry: false, timeoutMs: Number(process.argv[3]) });

const draft = { name: 'n', domain_id: 1, from_local_part: 'f', template_attributes: { subject: 's' } };
const mail = { from: { email: 'a@example.com' }, to: [{ email: 'b@example.com' }], subject: 's', text: 't' };
const { phase, kind, effect, message } = await once.campaigns.create(draft).catch((error) => error);
const statuses = {};
for await (const { status } of once.sending.batchAll(Array.from({ length: 1_200 }, () => mail)))
  statuses[status] = (statuses[status] ?? 0) + 1;
console.log(JSON.stringify({ failure: [phase ?? kind, effect].join(' '), message, statuses }));
process.exit(); // A fetch that asks a proxy again and again would keep the process alive.
