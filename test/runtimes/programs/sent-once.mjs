// Sends an email, then deletes a campaign, each over a connection that has been used before and breaks; says the effects.
import process from 'node:process';
import { EmailPlatform } from 'email-platform';

const url = process.argv[2];
const mail = { from: { email: 'a@example.com' }, to: [{ email: 'b@example.com' }], subject: 's', text: 't' };
const effects = [];
for (const fetch of [undefined, (input, init) => globalThis.fetch(input, init)]) {
  const hosts = { api: url, send: url };
  const client = new EmailPlatform({ token: 'token', hosts, retry: false, ...(fetch && { fetch }) });
  for (const call of [() => client.sending.send(mail), () => client.campaigns.delete(1)]) {
    await client.campaigns.get(1);
    // The connection is free again once its response has been handled.
    await new Promise((resolve) => globalThis.setTimeout(resolve, 50));
    effects.push(await call().then(String, ({ effect }) => effect));
  }
}
console.log(effects.join(' '));
