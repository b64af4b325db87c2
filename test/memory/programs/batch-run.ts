/**
 * Sends many emails with `batchAll`, each created when it is read. Prints how many were accepted, in how many calls, and
 * the heap used at regular intervals. With `keep`, the loop keeps every outcome.
 */
import { EmailPlatform, type BatchOutcome, type BatchRequest } from 'email-platform';
import { heapUsed } from './heap.ts';

const [total = 0, markEvery = 0] = process.argv.slice(2, 4).map(Number);
const isKeeping = process.argv[4] === 'keep';

const address = (n: number) => `customer-${n}@example.org`;

function* emails(): Generator<BatchRequest> {
  for (let n = 0; n < total; n += 1) {
    const text = `Order ${n} is on its way. `.repeat(20);
    yield { to: [{ email: address(n) }], subject: `Order ${n}`, text, custom_variables: { order: n } };
  }
}

let calls = 0;
const fetch: EmailPlatform.Fetch = async (input, init) => {
  calls += 1;
  const { requests } = (await new Request(input, init).json()) as { requests: { to: { email: string }[] }[] };
  const responses = requests.map(({ to }) => ({ success: true, message_ids: to.map(({ email }) => email) }));
  return Response.json({ success: true, responses });
};

const client = new EmailPlatform({
  token: 'token',
  hosts: { bulk: 'https://bulk.example.com' },
  throttle: false,
  fetch,
});
const base = { from: { email: 'orders@shop.example.com' } };
const marks: number[] = [];
const kept: BatchOutcome[] = [];
const seen = new Uint8Array(total);
let count = 0;
for await (const outcome of client.sending.batchAll(emails(), { base, stream: 'bulk' })) {
  const { index, status, message_ids } = outcome;
  // The id is that of its own recipient, and is seen for the first time.
  if (status !== 'accepted' || message_ids[0] !== address(index) || seen[index] !== 0) {
    throw new Error(`Email ${index} was ${status}, as ${String(message_ids?.[0])}.`);
  }
  seen[index] = 1;
  count += 1;
  if (isKeeping) kept.push(outcome);
  // Inside the loop, while the run still has whatever it holds on to.
  if (count === 10_000 || count % markEvery === 0) marks.push(await heapUsed());
}
process.stdout.write(JSON.stringify({ count, calls, kept: kept.length, marks }));
