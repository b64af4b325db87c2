/**
 * Iterates over a log of many messages, and prints their number and the heap used at regular intervals. The service
 * creates each page on request, and keeps nothing. With `keep`, the loop keeps every message.
 */
import { EmailPlatform } from 'email-platform';
import { heapUsed } from './heap.ts';

const [total = 0, perPage = 0, markEvery = 0] = process.argv.slice(2, 5).map(Number);
const isKeeping = process.argv[5] === 'keep';

const idOf = (n: number) => `0b2f5f0a-6b5e-4a53-9a86-${n.toString(16).padStart(12, '0')}`;
const numberIn = (id: string) => Number.parseInt(id.slice(-12), 16);

/** Message `n`: the oldest is number 1. */
const message = (
  n: number,
) => `{"message_id":"${idOf(n)}","status":"delivered","subject":"Order ${n} is on its way",
"from":"orders@shop.example.com","to":"customer-${n}@example.org","sent_at":"2026-01-06T09:00:00.000Z",
"client_ip":"203.0.113.5","category":"orders","custom_variables":{"order":"${n}"},"sending_stream":"transactional",
"domain_id":301,"template_id":null,"template_variables":null,"opens_count":1,"clicks_count":0}`;

const fetch: EmailPlatform.Fetch = (input) => {
  const after = new URL(input instanceof Request ? input.url : input).searchParams.get('search_after');
  const newest = after === null ? total : numberIn(after) - 1;
  const size = Math.min(perPage, newest);
  const messages = Array.from({ length: size }, (_, index) => message(newest - index)).join();
  const cursor = newest > size ? `"${idOf(newest - size + 1)}"` : 'null';
  const body = `{"messages":[${messages}],"total_count":${total},"next_page_cursor":${cursor}}`;
  return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
};

const client = new EmailPlatform({
  token: 'token',
  hosts: { api: 'https://api.example.com' },
  throttle: false,
  fetch,
});
const marks: number[] = [];
const kept: EmailPlatform.EmailLogMessage[] = [];
let count = 0;
for await (const one of client.emailLogs.list()) {
  if (numberIn(one.message_id) !== total - count) throw new Error(`Message ${count} is ${one.message_id}.`);
  count += 1;
  if (isKeeping) kept.push(one);
  // Inside the loop, while the list still has whatever it holds on to.
  if (count === 10_000 || count % markEvery === 0) marks.push(await heapUsed());
}
process.stdout.write(JSON.stringify({ count, kept: kept.length, marks }));
