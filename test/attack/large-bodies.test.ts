import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { EmailPlatform, NotFoundError, ResponseFormatError } from 'email-platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { sized } from '../support/extent.ts';

/** A small body that is 200 MB of zeros when it is decompressed. */
const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20), { level: 1 });
/** A small body that is 30 MB of opening brackets when it is decompressed. */
const brackets = gzipSync(Buffer.alloc(30 * 2 ** 20, '['), { level: 1 });

describe('A compressed body that is far too large, or nested deeply', () => {
  let requests = 0;
  let url = '';
  let status = 200;
  let body = bomb;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(status, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
    response.end(body);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const call = () => {
    requests = 0;
    body = bomb;
    return new EmailPlatform({ token: 'token', hosts: { api: url } }).campaigns;
  };

  test('is not a result: the call fails, and is not sent again', async () => {
    status = 200;
    const before = process.memoryUsage().rss;
    const error = await rejection(call().get(1), ResponseFormatError);
    expect(error.message).toContain('larger than');
    expect(requests).toBe(1);
    // Read up to the limit of 64 MB, as text of one byte a character, and no further.
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20);
  });

  test('is not parsed where it is nested deeply', async () => {
    status = 200;
    const campaigns = call();
    body = brackets;
    const before = process.memoryUsage().rss;
    const error = await rejection(campaigns.get(1), ResponseFormatError);
    expect(error.message).toContain('nested more than 1000 levels deep');
    expect(requests).toBe(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20);
  });

  test('is dropped in an error response, and the status decides', async () => {
    status = 404;
    const error = await rejection(call().get(1), NotFoundError);
    expect([error.body, error.messages]).toEqual(['', []]);
    expect(requests).toBe(1);
  });

  test('is dropped in the response to a deletion, and the undocumented status is an error', async () => {
    status = 200;
    const error = await rejection(call().delete(1), ResponseFormatError);
    expect(error.effect).toBe('unknown');
    expect(requests).toBe(1);
  });
});

describe('A file of more than 64 MB', () => {
  const size = sized(500, 200) * 2 ** 20;
  let sent = 0;
  const server = createServer((_, response) => {
    const piece = Buffer.alloc(2 ** 20);
    sent = 0;
    const send = () => {
      while (sent < size && !response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) {
          response.once('drain', send);
          return;
        }
      }
      response.end();
    };
    send();
  });
  let client: EmailPlatform;
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new EmailPlatform({ token: 'token', hosts: { api: url } });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test.each<[string, () => PromiseLike<unknown>]>([
    ['bytes', () => client.emailLogs.downloadRaw(url)],
    ['text', () => client.sandbox.messages.raw(1, 2)],
  ])('is not read as %s: the error names the form that can be', async (_, download) => {
    const error = await rejection(download(), ResponseFormatError);
    expect(error.message).toContain("larger than 67108864 bytes: read it with `as: 'stream'`");
    expect(error.effect).toBe('none');
    expect(sent).toBeLessThan(size / 2);
  });

  test('is read as a stream', async () => {
    const stream = await client.emailLogs.downloadRaw(url, { as: 'stream' });
    let bytes = 0;
    for await (const chunk of stream) bytes += chunk.byteLength;
    expect(bytes).toBe(size);
  });
});
