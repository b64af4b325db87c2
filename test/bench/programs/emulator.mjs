// What the emulator takes for a batch, a filtered page and a great many messages. Prints one line of JSON.
// Arguments: the folder of the built package, how many batches, how many pages, how many messages.
import process from 'node:process';
import { pathToFileURL, URLSearchParams } from 'node:url';

const [dist, batches, pages, messages] = process.argv.slice(2);
const load = (entry) => import(pathToFileURL(`${dist}/${entry}.js`).href);
const { EmailPlatform } = await load('index');
const { createEmulator } = await load('testing/index');

const timed = async (count, work) => {
  const times = [];
  for (let round = 0; round < count; round += 1) {
    // The time of the processor, which other programs on the machine change little.
    const start = process.cpuUsage();
    await work(round);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return times;
};

const START = Date.UTC(2026, 0, 31);
const emulator = createEmulator({ now: () => START, limits: false });
const { token, hosts } = emulator.clientOptions();
const call = async (url, body) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await emulator.handle(
    new Request(url, body === undefined ? { headers } : { method: 'POST', headers, body }),
  );
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.text();
};

const requests = Array.from({ length: 500 }, (_, index) => ({
  to: [{ email: `reader${index}@example.org`, name: `Reader ${index}` }],
}));
const batch = JSON.stringify({
  base: {
    from: { email: 'hello@mail.example.com', name: 'Hello' },
    subject: 'Welcome',
    text: 'Good to have you here. https://example.org/welcome',
    html: '<p>Good to have you here. <a href="https://example.org/welcome">Begin</a></p>',
    category: 'welcome',
    custom_variables: { plan: 'basic' },
  },
  requests,
});
const send = () => call(`${hosts.send}/api/batch`, batch);
const answer = JSON.parse(await send());
await timed(20, send);
const batchMs = await timed(Number(batches), send);
// What no emulator can do without: to read the request, and to write the response.
const parseMs = await timed(200, () => JSON.stringify([JSON.parse(batch), answer]).length);

const resetMs = await timed(200, () => emulator.reset());
const newMs = await timed(200, () => new EmailPlatform(createEmulator().clientOptions()));

const before = (globalThis.gc?.(), process.memoryUsage());
const thousand = (from) => ({
  requests: Array.from({ length: 500 }, (_, index) => ({
    from: { email: 'hello@mail.example.com' },
    to: [{ email: `${(from + index) % 10 === 0 ? 'bounce+' : ''}reader${from + index}@gmail.com` }],
    subject: `Message ${from + index}`,
    text: `${from + index} `.padEnd(1000, 'x'),
  })),
});
for (let sent = 0; sent < Number(messages); sent += 500) {
  await call(`${hosts.send}/api/batch`, JSON.stringify(thousand(sent)));
}
globalThis.gc?.();
const after = process.memoryUsage();
const bytes = after.heapUsed + after.external - before.heapUsed - before.external;

const query = new URLSearchParams({
  'filters[status][operator]': 'equal',
  'filters[status][value]': 'not_delivered',
  'filters[to][operator]': 'ci_contain',
  'filters[to][value]': 'READER1',
}).toString();
const pageMs = await timed(Number(pages), () => {
  // Another time, at which other messages may match: nothing that was found before is of use.
  emulator.clock.advance(1);
  return call(`${hosts.api}/api/email_logs?${query}`);
});

console.log(JSON.stringify({ batchMs, parseMs, resetMs, newMs, pageMs, bytes }));
