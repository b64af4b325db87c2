// Sends very many emails with batchAll to a service in memory, and prints as JSON how fast, and the most memory it took.
// Arguments: the entry of the package, how many emails, rounds.
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [entry, mails, rounds] = process.argv.slice(2).map((word, n) => (n === 0 ? word : Number(word)));
const { EmailPlatform } = await import(pathToFileURL(entry).href);

const answers = new Map();
/** The answer to a call of so many emails. */
function answerOf(count) {
  const response = { success: true, message_ids: ['0c7fd939-02cf-11ed-88c2-0a58a9feac02'] };
  if (!answers.has(count)) {
    const body = { success: true, responses: Array.from({ length: count }, () => response) };
    answers.set(count, JSON.stringify(body));
  }
  return answers.get(count);
}

const client = new EmailPlatform({
  token: 'token',
  hosts: { bulk: 'https://bulk.example.com' },
  throttle: { limits: { token: { requests: 1_000_000, perMs: 10_000 } } },
  fetch: async (request, init) => {
    // As any real answer does: only between two events does Node let go of the signals that its requests listened to.
    await setImmediate();
    const body = await (init?.body === undefined ? request.text() : new Response(init.body).text());
    // Addresses are the only part of an email here with this in it.
    const count = body.split('@example.org').length - 1;
    return new Response(answerOf(count), { headers: { 'content-type': 'application/json' } });
  },
});
const base = { from: { email: 'news@example.com', name: 'News' }, subject: 'News', text: 'There is news.' };

function* inputs(count) {
  for (let n = 0; n < count; n += 1) {
    yield { to: [{ email: `reader${n}@example.org`, name: `Reader ${n}` }], custom_variables: { n } };
  }
}

async function round(count) {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  let accepted = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  for await (const { status, index } of client.sending.batchAll(inputs(count), { base, stream: 'bulk' })) {
    if (status === 'accepted') accepted += 1;
    if (index % 50_000 === 0) {
      globalThis.gc();
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }
  }
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  if (accepted !== count) throw new Error(`${accepted} of ${count} emails were accepted`);
  return { mailsPerSecond: count / seconds, cpuUs: (user + system) / count, most };
}

await round(20_000);
const results = [];
for (let n = 0; n < rounds; n += 1) results.push(await round(mails));
process.stdout.write(JSON.stringify(results));
