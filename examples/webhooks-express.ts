/**
 * A receiver of webhooks on Express: verified, each event once, although posts are repeated; and what it refuses.
 *
 *     npx tsx examples/webhooks-express.ts
 */
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import {
  readWebhook,
  WebhookPayloadError,
  WebhookSignatureError,
  type WebhookEvent,
} from 'email-platform/webhooks';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { heading, line, red, row } from './print.ts';

// The clock stands still unless this program moves it.
const start = Date.now();
const emulator = createEmulator({ now: () => start });
const service = await emulator.listen();
const client = new EmailPlatform(service.clientOptions());

let secret = '';

/** In a real application, a table with a unique id, written in the same transaction as what the event leads to. */
const seen = new Set<string>();
let isDown = false;

function handle(event: WebhookEvent): void {
  if (event.event_id !== undefined) {
    if (seen.has(event.event_id)) {
      row('again', `${event.event_type}, and nothing is done`);
      return;
    }
    seen.add(event.event_id);
  }
  if (event.kind !== 'sending') return;
  if (event.event_type === 'click') row('click', `${event.email} ${event.url ?? ''}`);
  else if (event.event_type === 'bounce') row('bounce', `${event.email} ${event.response_code ?? ''}`);
  else row(event.event_type, event.email);
}

const app = express();
// The raw body: a parsed one cannot be verified. 500 events are more than the 100 kB that Express takes by default.
app.post('/hooks', express.raw({ type: '*/*', limit: '5mb' }), async (request, response) => {
  try {
    const post = { payload: request.body as Uint8Array, headers: request.headers };
    for (const event of await readWebhook(post, { secret })) handle(event);
    response.sendStatus(isDown ? 503 : 200);
  } catch (error) {
    if (error instanceof WebhookSignatureError) response.sendStatus(401);
    else if (error instanceof WebhookPayloadError) response.sendStatus(400);
    else throw error;
    line(red(`${error.name}: ${error.message}`));
  }
});
const receiver = app.listen(0, '127.0.0.1');
await new Promise((resolve) => receiver.once('listening', resolve));
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;

heading('A webhook');
const webhook = await client.webhooks.create({
  url,
  webhook_type: 'email_sending',
  sending_stream: 'transactional',
  event_types: ['delivery', 'open', 'click', 'bounce'],
});
// Only this response has it.
secret = webhook.signing_secret;
row('created', `${webhook.id}, for ${(webhook.event_types ?? []).join(', ')}`);

const send = async (email: string) =>
  client.sending.send({
    from: { email: 'hello@mail.example.com' },
    to: [{ email }],
    subject: 'Your order',
    text: 'It is on its way: https://shop.example.com/orders/7',
  });
/** Minute by minute, because posts that are due together arrive in any order. */
const pass = async (minutes: number) => {
  for (let minute = 0; minute < minutes; minute += 1) {
    emulator.clock.advance(60_000);
    await emulator.webhooks.settled();
  }
};

heading('Two emails, from delivery to click');
await send('ann@example.org');
await send('bounce+ben@example.org');
await pass(5);

heading('The receiver fails, and the post is repeated after five minutes');
isDown = true;
await send('quiet@example.org');
await pass(1);
isDown = false;
await pass(5);
for (const { attempt, status } of emulator.webhooks.posts.slice(-2))
  row(`attempt ${attempt}`, status ?? 'failed');

heading('What it refuses');
const [real] = emulator.webhooks.posts;
const body = real?.body ?? '';
const post = async (what: string, sent: string, headers: Readonly<Record<string, string>>) =>
  row(what, (await fetch(url, { method: 'POST', body: sent, headers })).status);
await post('forged', body.replaceAll('ann@', 'eve@'), { ...real?.headers });
await post('written anew', JSON.stringify(JSON.parse(body), null, 2), { ...real?.headers });
await post('no signature', body, {});
await post('recorded', body, { ...real?.headers });

receiver.close();
receiver.closeAllConnections();
await service.close();
