// Reads a log of very many entries by its iterator, from a service in memory. Prints as JSON the CPU time of an entry and
// the bytes of the heap in use, for each tenth of the log. Arguments: the entry of the package, how many entries.
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [entry, entries] = process.argv.slice(2);
const { EmailPlatform } = await import(pathToFileURL(entry).href);

const PAGE = 100;

const message = (n) => ({
  message_id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  status: 'delivered',
  subject: 'There is news',
  from: 'news@mail.example.com',
  to: `reader-${n}@example.org`,
  sent_at: '2026-01-05T10:00:00.000Z',
  client_ip: '203.0.113.5',
  category: 'news',
  custom_variables: { n },
  sending_stream: 'bulk',
  domain_id: 301,
  template_id: null,
  template_variables: null,
  opens_count: 1,
  clicks_count: 0,
});

function clientOf(total) {
  return new EmailPlatform({
    token: 'token',
    hosts: { api: 'https://api.example.com' },
    throttle: false,
    fetch: async (input) => {
      // Only between two events does Node let go of the signals that its requests listened to.
      await setImmediate();
      const from = Number(new URL(input.url ?? input).searchParams.get('search_after') ?? 0);
      const messages = Array.from({ length: Math.min(PAGE, total - from) }, (_, index) =>
        message(from + index),
      );
      const next = from + PAGE;
      const next_page_cursor = next < total ? String(next) : null;
      return Response.json({ messages, total_count: total, next_page_cursor });
    },
  });
}

const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

async function read(total) {
  const tenth = total / 10;
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  const tenths = [];
  let count = 0;
  let last = cpuUs();
  for await (const { message_id } of clientOf(total).emailLogs.list()) {
    if (!message_id.endsWith(String(count))) throw new Error(`Entry ${count} is ${message_id}`);
    count += 1;
    if (count % tenth > 0) continue;
    const us = (cpuUs() - last) / tenth;
    globalThis.gc();
    tenths.push({ us, bytes: process.memoryUsage().heapUsed - before });
    last = cpuUs();
  }
  if (count !== total) throw new Error(`${count} of ${total} entries were read`);
  return tenths;
}

await read(10_000);
process.stdout.write(JSON.stringify(await read(Number(entries))));
