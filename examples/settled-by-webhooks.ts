/**
 * Webhooks settle keys: a response is lost, so the outcome of an email is unknown until the event of its delivery arrives.
 * This needs no request to the email log, whose limit is low.
 *
 *     npx tsx examples/settled-by-webhooks.ts
 *
 * In a project of your own: npm install express pg (or, as here, @electric-sql/pglite)
 */
import { PGlite } from '@electric-sql/pglite';
import { EmailPlatform, EmailPlatformError } from 'email-platform';
import { postgresJournal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { readWebhook, WebhookPayloadError, WebhookSignatureError } from 'email-platform/webhooks';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { heading, row } from './print.ts';

const emulator = createEmulator();
const service = await emulator.listen();

// Postgres within this process. In a real application: new Pool({ connectionString }) of pg, in every process that sends
// and in the one that receives.
const database = await PGlite.create();
const journal = postgresJournal(database);
const client = new EmailPlatform({ ...service.clientOptions(), journal });

let secret = '';
const app = express();
app.post('/hooks', express.raw({ type: '*/*', limit: '5mb' }), async (request, response) => {
  try {
    const post = { payload: request.body as Uint8Array, headers: request.headers };
    const events = await readWebhook(post, { secret });
    for (const event of events) {
      const hasKey = await journal.settleFrom(event);
      row(event.event_type, hasKey ? 'its key is accepted' : 'has no key');
    }
    response.sendStatus(200);
  } catch (error) {
    if (error instanceof WebhookSignatureError) response.sendStatus(401);
    else if (error instanceof WebhookPayloadError) response.sendStatus(400);
    // For example, the database fails. The service then posts the events again.
    else response.sendStatus(503);
  }
});
const receiver = app.listen(0, '127.0.0.1');
await new Promise((resolve) => receiver.once('listening', resolve));
const webhook = await client.webhooks.create({
  url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`,
  webhook_type: 'email_sending',
  sending_stream: 'transactional',
  event_types: ['delivery'],
});
// Only this response contains the secret.
secret = webhook.signing_secret;

const mail = {
  from: 'hello@mail.example.com',
  to: 'ann@example.org',
  subject: 'Your order',
  text: 'It is on its way.',
};
const send = () => client.sending.send(mail, { idempotencyKey: 'order/7/shipped' });

heading('An answer is lost');
// The emulator accepts the email, and breaks the connection before it responds.
emulator.faults.next({ kind: 'reset-after', match: { path: '/api/send' } });
try {
  await send();
} catch (error) {
  if (!(error instanceof EmailPlatformError)) throw error;
  row('failed', `${error.name}, effect ${error.effect}`);
}
row('open', (await journal.store.open(journal.namespace)).map(({ key, state }) => `${key} ${state}`).join());

heading('The service delivers it, and says so');
emulator.clock.advance(5 * 60_000);
await emulator.webhooks.settled();
row('open', (await journal.store.open(journal.namespace)).length);

heading('The job is repeated');
const { replayed, message_ids: ids } = await send();
row('replayed', `${replayed === true}, ${ids.length} id`);
row('sent', `${emulator.requests.filter(({ path }) => path === '/api/send').length} time`);

receiver.close();
receiver.closeAllConnections();
await service.close();
await database.close();
