/**
 * Answers email as it arrives: a webhook announces a message, and the program reads it and replies; a rule forwards
 * invoices. Everything is in one process and in memory.
 *
 *     npx tsx examples/answer-inbound-mail.ts
 */
import { EmailPlatform, EmailPlatformError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { readWebhook, type InboundEvent } from 'email-platform/webhooks';
import { heading, line, red, row } from './print.ts';

const said = (who: string | null, what: string) => line(`${(who ?? '').padEnd(28)}${what}`);

let secret = '';
const queue: InboundEvent[] = [];

/** Receives posts, like a server. The work follows later, so that the response is quick. */
async function receive(request: Request): Promise<Response> {
  for (const event of await readWebhook(request, { secret })) if (event.kind === 'inbound') queue.push(event);
  return new Response(null, { status: 200 });
}

const start = Date.now();
const emulator = createEmulator({ now: () => start, webhooks: { receive } });
const client = new EmailPlatform(emulator.clientOptions());
const { inbound } = client;

heading('An inbox');
const folder = await inbound.folders.create({ name: 'Support' });
const inbox = await inbound.inboxes.create(folder.id, { name: 'Questions' });
const rule = await inbound.forwardRules.create(inbox.id, {
  name: 'Invoices',
  conditions: [{ match_type: 'sender', operator: 'starts_with', value: 'billing@' }],
  destinations: [{ email: 'books@example.com' }],
});
({ signing_secret: secret } = await client.webhooks.create({
  url: 'https://shop.example.com/hooks/inbound',
  webhook_type: 'inbound_receiving',
  inbound_inbox_id: inbox.id,
}));
row('address', inbox.address);
row('rule', rule.name);

heading('Somebody writes');
const emails = [
  { from: 'Ann <ann@example.org>', subject: 'My order', text: 'Where is order 7?' },
  { from: 'billing@supplier.example', subject: 'Invoice 12', text: 'Total: 90' },
  { from: 'Ben <ben@example.org>', subject: 'Hello', text: 'Just saying hello.' },
];
for (const email of emails) {
  emulator.inbound.receive({ to: inbox.address, ...email });
  said(email.from, email.subject);
}
emulator.clock.advance(30_000);
await emulator.webhooks.settled();
row('told of', `${queue.length} messages`);

/** The reply to a message; undefined for none. */
function answerTo(text: string | null): string | undefined {
  const [, order] = /order (\d+)/i.exec(text ?? '') ?? [];
  return order === undefined ? undefined : `Order ${order} is on its way.`;
}

heading('Answer');
for (const { inbox_id, message_id } of queue) {
  const { from, text_body, forwards = [] } = await inbound.messages.get(inbox_id, message_id);
  for (const { destination, status } of forwards) said(from, `${status} to ${destination}`);
  const text = answerTo(text_body);
  if (forwards.length > 0 || text === undefined) continue;
  try {
    const { message_ids } = await inbound.messages.reply(inbox_id, message_id, { text });
    said(from, `replied, ${message_ids.length} message`);
  } catch (error) {
    // The client never repeats a reply. If the outcome is unknown, the thread shows whether the reply was sent.
    if (error instanceof EmailPlatformError) line(red(`${error.name}, effect ${error.effect}`));
    else throw error;
  }
}

heading('The conversations');
emulator.clock.advance(1000);
for (const { id, subject, message_count } of await inbound.threads.list(inbox.id).toArray()) {
  row(subject ?? '', `${message_count} message${message_count === 1 ? '' : 's'}`);
  if (message_count === 1) continue;
  for (const { direction, text_body, delivery_status } of (await inbound.threads.get(inbox.id, id)).messages)
    line([`  ${direction}:`, text_body, delivery_status].filter(Boolean).join(' '));
}
