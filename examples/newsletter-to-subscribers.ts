/**
 * Sends a newsletter with `batchAll`, without contacts who unsubscribed from campaigns and without suppressed addresses.
 *
 *     npx tsx examples/newsletter-to-subscribers.ts
 *
 * In a project of your own: npm install csv-parse
 */
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { heading, row } from './print.ts';
import { subscribers } from './subscribers.ts';

const emulator = createEmulator();
const client = new EmailPlatform(emulator.clientOptions());
const from = 'news@mail.example.com';

heading('Two readers want no newsletter');
await client.contacts.update('ann@example.org', { unsubscribed: true });
row('unsubscribed', 'ann@example.org');
const last = { from, to: 'ben@example.org', subject: 'Spring', text: 'Time to sow.' };
await client.sending.send(last, { stream: 'bulk' });
await emulator.unsubscribe(emulator.messages()[0] ?? '');
row('suppressed', 'ben@example.org');

/** In a program: the rows of a file or a database, each read when it is needed. */
function* readers() {
  for (const name of ['ann', 'ben', 'cleo', 'dan']) yield { email: `${name}@example.org`, name };
}

async function* emails() {
  for await (const { email, name } of subscribers(client, readers()))
    yield { to: email, subject: `${name}, summer is here` };
}

heading('The newsletter');
const run = client.sending.batchAll(emails(), { base: { from, text: 'Time to water.' }, stream: 'bulk' });
for await (const { request, status } of run) row(status, request.to);
