/**
 * Reads the same page again and again, by `fetch` and by the client, and prints what each read of either leaves on the
 * heap until the next full collection, in bytes; and the size of the page.
 */
import { EmailPlatform } from 'email-platform';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { heapUsed } from './heap.ts';

const READS = 200;

const data = Array.from({ length: 100 }, (_, id) => ({
  id,
  name: `Spring Sale Announcement #${id}`.repeat(30),
}));
const page = JSON.stringify({ data, pagination: { token: 1, next_token: null } });
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(page);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = new EmailPlatform({ token: 'token', hosts: { api }, throttle: false });

async function leftBy(read: () => Promise<unknown>): Promise<number> {
  const before = await heapUsed();
  for (let n = 0; n < READS; n += 1) await read();
  for (let n = 0; n < 3; n += 1) globalThis.gc?.({ type: 'minor', execution: 'sync' });
  return (process.memoryUsage().heapUsed - before) / READS;
}

const byFetch = async () =>
  (await fetch(`${api}/api/email_campaigns`)).text().then(JSON.parse) as Promise<unknown>;
const byClient = async () => client.campaigns.list();
// The first reads load and compile code.
for (const read of [byFetch, byClient]) await leftBy(read);
const left = { fetch: await leftBy(byFetch), client: await leftBy(byClient) };
process.stdout.write(JSON.stringify({ page: page.length, ...left }));
server.close();
server.closeAllConnections();
