/**
 * Reads many readers through the example that leaves out unsubscribed and suppressed ones. Prints how many remain, how many
 * readers it read ahead at most, and the heap used at regular intervals.
 */
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { subscribers } from '../../../examples/subscribers.ts';
import { heapUsed } from './heap.ts';

const [total = 0, markEvery = 0] = process.argv.slice(2, 4).map(Number);
const emulator = createEmulator({ limits: false });
const client = new EmailPlatform(emulator.clientOptions());
const address = (n: number) => `Reader-${n}@example.org`;
for (const n of [1, total - 1])
  await client.contacts.update(address(n).toLowerCase(), { unsubscribed: true });
for (const n of [2, total - 2])
  await client.sending.send({
    from: 'news@mail.example.com',
    to: address(n),
    subject: 'News',
    text: 'News',
  });
for (const { id } of emulator.messages()) await emulator.unsubscribe(id);

let read = 0;
function* readers() {
  for (; read < total; read += 1) yield { email: address(read), note: `Reader ${read} `.repeat(20) };
}

let count = 0;
let ahead = 0;
const marks: number[] = [];
const missing: string[] = [];
let expected = 0;
for await (const { email } of subscribers(client, readers())) {
  for (; address(expected) !== email; expected += 1) missing.push(address(expected));
  expected += 1;
  count += 1;
  ahead = Math.max(ahead, read - expected + 1);
  if (count === 10_000 || count % markEvery === 0) marks.push(await heapUsed());
}
for (; expected < total; expected += 1) missing.push(address(expected));
process.stdout.write(JSON.stringify({ count, ahead, missing, marks }));
