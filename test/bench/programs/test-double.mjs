// Sends requests to a test double in this process, and prints the CPU time of each in microseconds: node test-double.mjs
// <emulator | msw> <dist> <requests>. The emulator also waits for an email beside many others.
import { performance } from 'node:perf_hooks';

const [, , name, dist, requests] = process.argv;
const count = Number(requests);
const OLD_MAILS = 16_000;
const email = {
  from: { email: 'hello@mail.example.com', name: 'Hello' },
  to: [{ email: 'ann@example.org', name: 'Ann' }],
  subject: 'Welcome',
  text: 'Good to have you here.',
};
const campaign = { id: 7, name: 'News', current_state: 'draft' };

async function emulatorDouble() {
  const { createEmulator, mailbox } = await import(`${dist}/testing/index.js`);
  const { EmailPlatform } = await import(`${dist}/index.js`);
  const emulator = createEmulator({ limits: false });
  const id = emulator.campaigns.add({ name: 'News' });
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle: false });
  const addresses = { get: '', post: '' };
  const capture = (input, init) => {
    addresses[init.method === 'GET' ? 'get' : 'post'] = { url: String(input), init };
    return emulator.fetch(input, init);
  };
  const watched = client.withOptions({ fetch: capture });
  await watched.sending.send(email);
  await watched.campaigns.get(id);
  const again = (kind) => emulator.fetch(addresses[kind].url, { ...addresses[kind].init, signal: undefined });
  const wait = async () => {
    const mails = Array.from({ length: 500 }, () => email);
    for (let sent = 0; sent < OLD_MAILS; sent += 500) await client.sending.batch({ requests: mails });
    const box = mailbox(emulator);
    const times = [];
    for (let round = 0; round < 9; round += 1) {
      const address = box.address();
      const started = performance.now();
      const mail = box.waitFor({ to: address });
      await client.sending.send({ ...email, to: [{ email: address }] });
      await mail;
      times.push(performance.now() - started);
    }
    return times.sort((one, other) => one - other)[4];
  };
  return { again, wait };
}

async function mswDouble() {
  const { setupServer } = await import('msw/node');
  const { http, HttpResponse } = await import('msw');
  const server = setupServer(
    http.post('https://send.api.example.com/api/send', async ({ request }) => {
      await request.json();
      return HttpResponse.json({ success: true, message_ids: ['0c7fd939-02cf-11ed-88c2-0a58a9feac02'] });
    }),
    http.get('https://example.com/api/email_campaigns/7', () => HttpResponse.json({ data: campaign })),
  );
  server.listen({ onUnhandledRequest: 'error' });
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
  const body = JSON.stringify(email);
  const again = (kind) =>
    kind === 'post'
      ? fetch('https://send.api.example.com/api/send', { method: 'POST', headers, body })
      : fetch('https://example.com/api/email_campaigns/7', { headers });
  return { again };
}

const { again, wait } = await (name === 'msw' ? mswDouble() : emulatorDouble());
const cost = async (kind) => {
  const run = async (times) => {
    for (let sent = 0; sent < times; sent += 1) {
      const response = await again(kind);
      if (!response.ok) throw new Error(`${name}, ${kind}: ${response.status} ${await response.text()}`);
      await response.text();
    }
  };
  await run(count / 4);
  const before = process.cpuUsage();
  await run(count);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
};
const result = { post: await cost('post'), get: await cost('get'), ...(wait && { waitMs: await wait() }) };
console.log(JSON.stringify(result));
