import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { EmailPlatform, NotFoundError, ResponseFormatError } from 'email-platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rejection } from '../support/caught.ts';

/** A small body that is 200 MB of zeros when it is decompressed. */
const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20));

describe('A compressed body that is far too large', () => {
  let requests = 0;
  let url = '';
  let status = 200;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(status, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
    response.end(bomb);
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
    return new EmailPlatform({ token: 'token', hosts: { api: url } }).campaigns;
  };

  test('is no result: the call fails, and is not sent again', async () => {
    status = 200;
    const before = process.memoryUsage().rss;
    const error = await rejection(call().get(1), ResponseFormatError);
    expect(error.message).toContain('larger than');
    expect(requests).toBe(1);
    // Read up to the limit of 64 MB, as text of one byte a character, and no further.
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20);
  });

  test('of an error is dropped, and the status decides', async () => {
    status = 404;
    const error = await rejection(call().get(1), NotFoundError);
    expect([error.body, error.messages]).toEqual(['', []]);
    expect(requests).toBe(1);
  });

  test('of a deletion is dropped, and the status decides: it is not the documented one', async () => {
    status = 200;
    const error = await rejection(call().delete(1), ResponseFormatError);
    expect(error.effect).toBe('unknown');
    expect(requests).toBe(1);
  });
});
