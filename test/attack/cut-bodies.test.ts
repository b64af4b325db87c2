import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { EmailPlatform, ResponseFormatError } from 'email-platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';

const lines = Array.from({ length: 20_000 }, (_, index) => `line ${(index * 7919) % 10_007}\r\n`).join('');
const COMPRESSED: Readonly<Record<string, Buffer>> = {
  gzip: gzipSync(lines),
  br: brotliCompressSync(lines),
  deflate: deflateSync(lines),
};

/** A response with an encoding that fetch decodes, and a cut body. The transfer itself is complete. */
interface Answer {
  readonly encoding?: string;
  readonly body: Buffer | string;
}

let answer: Answer = { body: lines };
let asked: (string | undefined)[] = [];
const server = createServer((request, response) => {
  if (request.url?.includes('/contacts/exports/') === true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 6, status: 'finished', url: `${url}/file` }));
    return;
  }
  asked.push(request.headers['accept-encoding']);
  response.writeHead(200, {
    'content-type': 'text/plain',
    ...(answer.encoding !== undefined && { 'content-encoding': answer.encoding }),
  });
  response.end(answer.body);
});
let url = '';
let client: EmailPlatform;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new EmailPlatform({ token: 'token', hosts: { api: url }, throttle: false });
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const read = async (stream: ReadableStream<Uint8Array>) => new Response(stream as BodyInit).text();
const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const DOWNLOADS: Readonly<Record<string, () => Promise<string>>> = {
  'a raw message as bytes': async () => decoded(await client.emailLogs.downloadRaw(`${url}/raw`)),
  'a raw message as a stream': async () =>
    read(await client.emailLogs.downloadRaw(`${url}/raw`, { as: 'stream' })),
  'a text': async () => client.sandbox.messages.text(1, 2),
  'an .eml file': async () => decoded(await client.sandbox.messages.eml(1, 2)),
  'an attachment': async () =>
    client.sandbox.attachments.download({ download_path: '/api/parts/1' }, { as: 'text' }),
  'an export': async () => read(await client.contacts.exports.download(6)),
};

describe.each(Object.entries(DOWNLOADS))('%s', (_, download) => {
  test('is asked for uncompressed, and is whole', async () => {
    answer = { body: lines };
    expect(await download()).toBe(lines);
    expect(asked).toEqual(['identity']);
  });

  test('may be said to be uncompressed', async () => {
    answer = { encoding: 'identity', body: lines };
    expect(await download()).toBe(lines);
  });

  test.each(Object.entries(COMPRESSED))(
    'that comes compressed all the same is refused, wherever it was cut: %s',
    async (encoding, body) => {
      for (const end of [body.length, body.length - 4, body.length >> 1]) {
        answer = { encoding, body: body.subarray(0, end) };
        const error = await rejection(download(), ResponseFormatError);
        expect(error.message).toContain(`is compressed (${encoding})`);
        expect(error).toMatchObject({ effect: 'none', request: { attempts: 1 } });
      }
    },
  );
});

test('an export that is a gzip file of its own is whole, or an error', async () => {
  const { gzip = Buffer.alloc(0) } = COMPRESSED;
  answer = { body: gzip };
  expect(await DOWNLOADS['an export']?.()).toBe(lines);
  for (const end of [1, gzip.length >> 1, gzip.length - 4, gzip.length - 1]) {
    answer = { body: gzip.subarray(0, end) };
    await expect(DOWNLOADS['an export']?.()).rejects.toMatchObject({ name: 'ConnectionError' });
  }
});
