import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFull } from '../support/extent.ts';
import { listen, type Listening } from '../support/ports.ts';
import { bundledProgram } from '../support/programs.ts';

const program = bundledProgram(fileURLToPath(new URL('programs/polluted-prototype.ts', import.meta.url)));

/** Says in each response what it was sent; the first read of each run fails. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url } = request;
    const { 'x-run': run, host: _, ...headers } = request.headers;
    const body = Buffer.concat(chunks).toString();
    const isFirst = method === 'GET' && !begun.has(run);
    begun.add(run);
    // Their order says nothing, and differs with how `fetch` is given them.
    const sorted = Object.fromEntries(Object.entries(headers).sort());
    const seen = { method, url, headers: sorted, body };
    response.writeHead(isFirst ? 503 : 200, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(
      JSON.stringify(
        method === 'GET' ? { data: seen } : { success: true, message_ids: [JSON.stringify(seen)] },
      ),
    );
  });
});
const begun = new Set<unknown>();
let listening: Listening;

beforeAll(async () => {
  listening = await listen(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Node's fetch, and for `headers` ky, look these up in objects that they make themselves, and fail with most values. */
const FAILING = new Set(['autoAllocateChunkSize', 'body', 'dispatcher', 'headers', 'signal']);

interface Printed {
  readonly clean: readonly [{ readonly method: string }, { readonly message_ids: readonly string[] }];
  readonly same: number;
  readonly different: readonly string[];
  readonly failed: readonly string[];
}

test.concurrent.each(['platform', 'own'])(
  'whatever is on Object.prototype, what is sent and returned is the same: with the %s fetch',
  async (whose) => {
    const args = [program, `http://127.0.0.1:${listening.port}`, whose];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 170_000 });
    const { clean, same, different, failed } = JSON.parse(stdout) as Printed;
    expect(clean[0].method).toBe('GET');
    expect(clean[1].message_ids[0]).toContain('"POST"');
    expect(different).toEqual([]);
    expect(new Set(failed.map((each) => each.split(':')[0]))).toEqual(FAILING);
    expect(failed.filter((each) => !each.includes(': ConnectionError:'))).toEqual([]);
    // Otherwise a covering set: each name meets every value with one of the two.
    expect(same).toBeGreaterThan(isFull ? 270 : 115);
  },
);
