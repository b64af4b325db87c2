import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  errorOf,
  exchange,
  hardTarget,
  head,
  listPath,
  received,
  responsesIn,
  type RawResponse,
} from '../../tools/raw.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { runs } from '../../../support/extent.ts';

describe('Bytes that are not an HTTP request', () => {
  test.each([
    ['garbage', 'this is not HTTP\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['bytes', '\x00\xff\xfe\r\n\r\n'],
    ['an unknown method', `FETCH ${listPath} HTTP/1.1\r\nhost: localhost\r\n\r\n`],
    [
      'a method that no request can have',
      `TRACE ${listPath} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    ],
    ['a proxy request', 'CONNECT evil.test:443 HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    ['an unknown version', `GET ${listPath} HTTP/9.9\r\nhost: localhost\r\n\r\n`],
    ['a header without a name', `GET ${listPath} HTTP/1.1\r\nhost: localhost\r\n: a\r\n\r\n`],
    ['a line break within a header', `GET ${listPath} HTTP/1.1\r\nhost: localhost\r\na: b\nc\r\n\r\n`],
    [
      'two lengths',
      `POST ${listPath} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n`,
    ],
    [
      'a length and chunks',
      `POST ${listPath} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
    ],
    [
      'a chunk of an impossible length',
      `POST ${listPath} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    ],
    [
      'a chunk that is longer than it says',
      `POST ${listPath} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n`,
    ],
    ['a query of 100 kB', `GET ${listPath}?${'a'.repeat(100_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`],
    ['headers of 100 kB', `GET ${listPath} HTTP/1.1\r\nhost: localhost\r\na: ${'a'.repeat(100_000)}\r\n\r\n`],
  ])('%s → 400 in the shape of the service, and nothing is logged', async (_, sent) => {
    const { emulator, port, isAlive } = await hardTarget();
    const [response, ...more] = await exchange(port, sent);
    expect(response?.status).toBe(400);
    expect(errorOf(response)).toBeTypeOf('string');
    expect(response?.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(more).toEqual([]);
    expect(emulator.requests).toEqual([]);
    expect(await isAlive()).toBe(true);
  });

  test('garbage after requests does not take the place of their responses', async () => {
    const { emulator, port, headers, isAlive } = await hardTarget();
    const get = head('GET', listPath, headers);
    emulator.faults.next({ kind: 'slow', delayMs: 50 });
    const responses = await exchange(port, `${get}${get}garbage garbage garbage\r\n\r\n${get}`);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(await isAlive()).toBe(true);
  });

  test('garbage that continues while a response is being prepared gets one response', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const { emulator, port, headers } = await hardTarget();
    emulator.faults.next({ kind: 'slow', delayMs: 200 });
    const socket = connect(port, '127.0.0.1');
    const all = received(socket);
    socket.write(head('GET', listPath, headers));
    for (let count = 0; count < 30; count += 1) {
      socket.write('garbage\r\n\r\n');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(responsesIn(await all).map(({ status }) => status)).toEqual([200, 400]);
    process.off('warning', note);
    // Node warns of more than ten listeners for the same event.
    expect(warnings).toEqual([]);
  });

  test('garbage within a body gets one response', async () => {
    const { port, headers } = await hardTarget();
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `${head('POST', listPath, { ...headers, 'transfer-encoding': 'chunked' })}2\r\n{}\r\nzz\r\n`,
    );
    const responses = responsesIn(await received(socket));
    expect(responses.map((response) => [response.status, errorOf(response)])).toEqual([
      [400, 'The request is not valid HTTP'],
    ]);
  });

  test('a sender that continues after garbage, or disconnects at any point, does no harm', async () => {
    const { port, headers, isAlive } = await hardTarget();
    const whole = `${head('POST', listPath, { ...headers, 'content-length': '2' })}{}`;
    for (let length = 0; length <= whole.length; length += 7) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise<void>((resolve) => socket.write(whole.slice(0, length) || 'G', () => resolve()));
      socket.resetAndDestroy();
    }
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    for (let count = 0; count < 100; count += 1) {
      socket.write('garbage\r\n\r\n');
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.destroy();
    expect(await isAlive()).toBe(true);
  });

  test.each([
    ['half a character', [0x7b, 0x22, 0xc3, 0x22, 0x3a, 0x31, 0x7d]],
    ['UTF-16', [...Buffer.from('{"name":"a"}', 'utf16le')]],
    ['a null byte', [0]],
  ])('JSON in invalid UTF-8: %s → 400', async (_, bytes) => {
    const { port, headers } = await hardTarget();
    const sent = head('POST', listPath, {
      ...headers,
      'content-length': String(bytes.length),
      connection: 'close',
    });
    const [response] = await exchange(port, Buffer.concat([Buffer.from(sent), Buffer.from(bytes)]));
    expect([response?.status, errorOf(response)]).toEqual([400, 'The request body is not valid JSON']);
  });
});

/** Whether a response is one that the service could send, rather than a failure of the emulator. */
function isFine({ status }: { status: number }): boolean {
  return status < 500 || status === 501;
}

/** Sends bytes that may be the beginning of anything: ends the sending side when nothing more is to be expected. */
async function exchangeAll(port: number, sent: string, isAnswered: boolean): Promise<RawResponse[]> {
  const socket = connect(port, '127.0.0.1');
  const all = received(socket);
  const first = new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
  socket.write(Buffer.from(sent, 'latin1'));
  if (isAnswered) await first;
  await new Promise((resolve) => setTimeout(resolve, 5));
  socket.end();
  return responsesIn(await all);
}

describe('After any bytes, the emulator goes on', () => {
  const separator = fc.constantFrom('\r\n', '\n', ' ', '', '\r\n\r\n', ': ', '/', '?', '%', '\0');
  const word = fc.oneof(
    fc.constantFrom('GET', 'POST', 'OPTIONS', 'HEAD', 'CONNECT', 'PRI', '*', 'HTTP/1.1', 'HTTP/1.0'),
    fc.constantFrom(
      'host',
      'localhost',
      'content-length',
      'transfer-encoding',
      'chunked',
      'expect',
      'upgrade',
    ),
    fc.constantFrom(
      'origin',
      'connection',
      'close',
      'keep-alive',
      '100-continue',
      '0',
      '5',
      '-1',
      '99999999999',
    ),
    fc.constantFrom(
      listPath,
      '/send/api/send',
      '/storage/messages/x.eml',
      '//',
      '/%',
      '/%ff',
      '/account/../send/',
    ),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
  );
  const bytes = fc.oneof(
    fc.array(fc.tuple(word, separator), { maxLength: 30 }).map((parts) => parts.flat().join('')),
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString('latin1')),
  );

  test('any bytes over a socket get well-formed responses without a 500', async () => {
    const { port, headers, isAlive } = await hardTarget();
    const request = head('GET', listPath, headers);
    await fc.assert(
      fc.asyncProperty(bytes, fc.boolean(), async (sent, isAfterARequest) => {
        const responses = await exchangeAll(port, isAfterARequest ? request + sent : sent, isAfterARequest);
        expect(responses.filter((response) => !isFine(response))).toEqual([]);
        if (isAfterARequest) expect(responses[0]?.status).toBe(200);
      }),
      { numRuns: runs(300) },
    );
    expect(await isAlive()).toBe(true);
  });

  const method = fc.constantFrom(
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'PROPFIND',
    'get',
  );
  const target = fc.string({
    unit: fc.constantFrom(
      '/',
      '?',
      '%',
      '&',
      '=',
      '[',
      ']',
      'a',
      'é',
      '%2F',
      '%00',
      '%ff',
      ';',
      '#',
      '\\',
      '..',
    ),
    maxLength: 40,
  });

  test('any method and any target', async () => {
    const { port, headers, isAlive } = await hardTarget();
    const prefix = fc.constantFrom(
      '',
      '/account',
      '/send',
      '/sandbox',
      '/storage',
      listPath,
      '/account/api/email_logs?',
    );
    await fc.assert(
      fc.asyncProperty(method, prefix, target, async (name, start, rest) => {
        const responses = await exchange(
          port,
          head(name, `${start}${rest}`, { ...headers, connection: 'close' }),
        );
        expect(responses).toHaveLength(1);
        expect(responses.filter((response) => !isFine(response))).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
    expect(await isAlive()).toBe(true);
  });
});
