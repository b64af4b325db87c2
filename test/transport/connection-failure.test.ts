import type { Socket } from 'node:net';
import { ConnectionError, EmailPlatform, NotFoundError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { createRuntime } from '../../src/core/runtime.ts';
import { diagnose } from '../../src/transport/runtimes/failures.ts';
import { rejection } from '../support/expect-error.ts';
import { inMemoryAndOnAPort } from '../support/in-memory-and-on-a-port.ts';
import { broken, failure, scriptedFetch } from '../support/scripted-fetch.ts';
import { closedPort, portWith, selfSignedPort } from '../support/sockets.ts';
import { virtualClient } from '../support/virtual-client.ts';

const draft = { name: 'n', domain_id: 1, from_local_part: 'f', template_attributes: { subject: 's' } };

/** A client over the real network that retries at once. */
function clientOf(api: string, retries: EmailPlatform.RetryEvent[] = []) {
  const runtime = createRuntime({
    now: () => performance.now(),
    wallNow: () => Date.now(),
    setTimer: (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    random: () => 0,
  });
  const hooks = { onRetry: (event: EmailPlatform.RetryEvent) => void retries.push(event) };
  return new EmailPlatform({ token: 'token', hosts: { api }, retry: { maxRetries: 1 }, hooks }, runtime);
}

describe('Over a real network, a create fails', () => {
  test('if nothing listens on the port: it never left, and is retried', async () => {
    const retries: EmailPlatform.RetryEvent[] = [];
    const client = clientOf(`http://127.0.0.1:${await closedPort()}`, retries);
    const error = await rejection(client.campaigns.create(draft), ConnectionError);
    expect(error).toMatchObject({ phase: 'connect', effect: 'none', request: { attempts: 2 } });
    expect(error.cause).toMatchObject({ cause: { code: 'ECONNREFUSED', syscall: 'connect' } });
    expect(retries.map(({ reason }) => reason)).toEqual(['never_sent']);
  });

  test('if every address of a name refuses: it never left', async () => {
    const client = clientOf(`http://localhost:${await closedPort()}`);
    const error = await rejection(client.campaigns.create(draft, { retry: false }), ConnectionError);
    expect(error).toMatchObject({ phase: 'connect', effect: 'none' });
  });

  test('if the name does not exist: it never left', async () => {
    const error = await rejection(
      clientOf('https://does-not-exist.invalid').campaigns.create(draft, { retry: false }),
      ConnectionError,
    );
    expect(error).toMatchObject({ phase: 'dns', effect: 'none' });
    expect(error.cause).toMatchObject({ cause: { syscall: 'getaddrinfo' } });
  });

  test('if the certificate is refused: it never left, and is not retried', async () => {
    let requests = 0;
    const retries: EmailPlatform.RetryEvent[] = [];
    const port = await selfSignedPort(() => (requests += 1));
    const error = await rejection(
      clientOf(`https://localhost:${port}`, retries).campaigns.create(draft),
      ConnectionError,
    );
    expect(error).toMatchObject({ phase: 'tls', effect: 'none', request: { attempts: 1 } });
    expect(error.cause).toMatchObject({ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
    expect([requests, retries.length]).toEqual([0, 0]);
  });

  test.each([
    ['after the request was read', (socket: Socket) => void socket.once('data', () => socket.destroy())],
    ['with a reset', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy())],
    ['before the request was read', (socket: Socket) => void socket.destroy()],
    [
      'during the headers',
      (socket: Socket) => void socket.once('data', () => socket.end('HTTP/1.1 201 Cre')),
    ],
    [
      'during the body',
      (socket: Socket) =>
        void socket.once('data', () =>
          socket.end('HTTP/1.1 201 Created\r\ncontent-length: 99\r\n\r\n{"data"'),
        ),
    ],
    ['with something that is not HTTP', (socket: Socket) => void socket.end('SSH-2.0\r\n\r\n')],
  ])('if the connection ends %s: it may have been carried out, and is not retried', async (_, handle) => {
    const retries: EmailPlatform.RetryEvent[] = [];
    const client = clientOf(`http://127.0.0.1:${await portWith(handle)}`, retries);
    const error = await rejection(client.campaigns.create(draft), ConnectionError);
    expect(error).toMatchObject({ effect: 'unknown', request: { attempts: 1 } });
    expect(retries).toEqual([]);
  });

  test('if the server does not speak TLS: no byte of a create left, and not even a read is retried', async () => {
    const port = await portWith((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const client = clientOf(`https://127.0.0.1:${port}`);
    const failed = { phase: 'tls', request: { attempts: 1 } };
    const create = await rejection(client.campaigns.create(draft), ConnectionError);
    expect(create).toMatchObject({ ...failed, effect: 'none' });
    const read = await rejection(client.campaigns.get(1), ConnectionError);
    expect(read).toMatchObject({ ...failed, effect: 'unknown' });
  });
});

describe.each(inMemoryAndOnAPort)('Against the emulator, %s', (_, connect) => {
  test.each(['reset-before', 'reset-after', 'truncate'] as const)('%s', async (kind) => {
    const { emulator, connect: clientWith } = await connect();
    emulator.faults.next({ kind });
    const id = emulator.campaigns.add();
    const error = await rejection(clientWith({ retry: false }).campaigns.get(id), ConnectionError);
    expect(error).toMatchObject({ phase: 'exchange', effect: 'unknown' });
  });

  test('an error response whose body breaks off is still that error', async () => {
    const { emulator, client } = await connect();
    emulator.faults.next({ kind: 'truncate' });
    const error = await rejection(client.campaigns.get(7), NotFoundError);
    expect(error).toMatchObject({ effect: 'none', body: '', messages: [] });
    expect(error.message).toContain('the body has no message');
  });
});

describe('How far the request got, and its effect, after', () => {
  const inside = (fields: object) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error('x'), fields) });
  const connectFailure = broken('ETIMEDOUT', 'connect').cause;
  const exchangeFailure = broken('ECONNRESET', 'read').cause;

  test.each([
    ['EAI_AGAIN', inside({ code: 'EAI_AGAIN', syscall: 'getaddrinfo' }), 'dns', 'none'],
    ['a connection refused', inside({ code: 'ECONNREFUSED', syscall: 'connect' }), 'connect', 'none'],
    ['no route', inside({ code: 'EHOSTUNREACH', syscall: 'connect' }), 'connect', 'none'],
    ['the system’s connect timeout', inside({ code: 'ETIMEDOUT', syscall: 'connect' }), 'connect', 'none'],
    ['undici’s connect timeout', inside({ code: 'UND_ERR_CONNECT_TIMEOUT' }), 'connect', 'none'],
    ['all addresses timed out', new AggregateError([connectFailure, connectFailure]), 'connect', 'none'],
    ['an expired certificate', inside({ code: 'CERT_HAS_EXPIRED' }), 'tls', 'none'],
    ['a certificate for another name', inside({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), 'tls', 'none'],
    ['an unknown issuer', inside({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }), 'tls', 'none'],
    ['a self-signed certificate in the chain', inside({ code: 'SELF_SIGNED_CERT_IN_CHAIN' }), 'tls', 'none'],
    ['a code alone', inside({ code: 'ECONNREFUSED' }), 'exchange', 'unknown'],
    ['a read timeout', inside({ code: 'ETIMEDOUT', syscall: 'read' }), 'exchange', 'unknown'],
    ['a write failure', inside({ code: 'EPIPE', syscall: 'write' }), 'exchange', 'unknown'],
    ['a lost socket', inside({ code: 'UND_ERR_SOCKET' }), 'exchange', 'unknown'],
    ['headers that did not come', inside({ code: 'UND_ERR_HEADERS_TIMEOUT' }), 'exchange', 'unknown'],
    ['a host without TLS', inside({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), 'tls', 'unknown'],
    ['the same in an older Node', inside({ code: 'EPROTO', syscall: 'write' }), 'tls', 'unknown'],
    [
      'one address that got further',
      new AggregateError([connectFailure, exchangeFailure]),
      'exchange',
      'unknown',
    ],
    ['no attempt at all', new AggregateError([]), 'unknown', 'unknown'],
    ['a browser’s failure', new TypeError('Failed to fetch'), 'unknown', 'unknown'],
    ['no error', 'connect', 'unknown', 'unknown'],
  ])('%s', (_, error, phase, effect) => {
    expect(diagnose(error)).toEqual({ phase, effect });
  });
});

/** As Node 22, 24 and 26 reject with `NODE_USE_ENV_PROXY=1`, and with a ProxyAgent of undici. */
const refusedByProxy = (status: number) =>
  new TypeError('fetch failed', {
    cause: Object.assign(new DOMException('Request was cancelled.', 'Error'), {
      cause: Object.assign(new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`), {
        name: 'AbortError',
        code: 'UND_ERR_ABORTED',
      }),
    }),
  });

/** As Node 26 rejects when a proxy hangs up instead of answering. */
const lostProxy = new TypeError('fetch failed', {
  cause: Object.assign(
    new Error('Proxy Connection failed', {
      cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
    }),
    { name: 'ProxyConnectionError', code: 'UND_ERR_PRX_CONN' },
  ),
});

describe('A proxy on the way that refuses the connection', () => {
  test.each([
    ['with 407', refusedByProxy(407), 'Proxy response (407) !== 200 when HTTP Tunneling'],
    ['with 403', refusedByProxy(403), 'Proxy response (403) !== 200 when HTTP Tunneling'],
    ['with 502', refusedByProxy(502), 'Proxy response (502) !== 200 when HTTP Tunneling'],
    ['by hanging up', lostProxy, 'other side closed'],
  ])('%s: nothing was sent, and the error names it', async (_, failed, detail) => {
    const { fetch, sent } = scriptedFetch(failure(failed));
    const { client } = virtualClient({
      fetch,
      hosts: { api: 'https://api.test', send: 'https://send.test' },
    });
    const error = await rejection(client.campaigns.create(draft, { retry: false }), ConnectionError);
    expect(error).toMatchObject({ phase: 'connect', effect: 'none' });
    expect(error.message).toBe(
      `campaigns.create: no connection could be made, because a proxy on the way refused it (${detail})`,
    );
    const mail = {
      from: { email: 'a@example.com' },
      to: [{ email: 'b@example.com' }],
      subject: 's',
      text: 't',
    };
    const mails = Array.from({ length: 1_200 }, () => mail);
    const seen = new Set<string>();
    const once = client.withOptions({ retry: false });
    for await (const { status } of once.sending.batchAll(mails)) seen.add(status);
    expect([...seen]).toEqual(['not_sent']);
    expect(sent).toHaveLength(4);
  });

  test.each([
    ['its code alone', { code: 'UND_ERR_ABORTED' }, 'aborted'],
    ['words around it', {}, 'upstream: Proxy response (407) !== 200 when HTTP Tunneling'],
    ['words after it', {}, 'Proxy response (407) !== 200 when HTTP Tunneling, tried again'],
    ['a lost connection', { syscall: 'read' }, 'Proxy response (407) !== 200 when HTTP Tunneling'],
  ])('is not recognized by %s', (_, fields, message) => {
    expect(diagnose(Object.assign(new Error(message), fields)).effect).toBe('unknown');
  });
});

describe('A message of Bun', () => {
  const connect = 'Unable to connect. Is the computer able to access the url?';
  const closed = 'The socket connection was closed unexpectedly.';

  test.each([
    ['a connection refused', 'ECONNREFUSED', `ECONNREFUSED: ${connect}`, 'connect', 'none'],
    ['no route', 'EHOSTUNREACH', `EHOSTUNREACH: ${connect}`, 'connect', 'none'],
    ['a connection refused, until 1.3', 'ConnectionRefused', connect, 'connect', 'none'],
    [
      'an unknown host, until 1.3',
      'FailedToOpenSocket',
      'Was there a typo in the url or port?',
      'connect',
      'none',
    ],
    ['a refused certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'self signed certificate', 'tls', 'none'],
    ['a host without TLS', 'EPROTO', 'EPROTO: The TLS handshake failed.', 'tls', 'unknown'],
    ['a lost connection', 'ECONNRESET', `ECONNRESET: ${closed}`, 'exchange', 'unknown'],
    ['a lost connection, until 1.2', 'ConnectionClosed', closed, 'exchange', 'unknown'],
  ])('%s', (_, code, message, phase, effect) => {
    expect(diagnose(Object.assign(new TypeError(message), { code }))).toEqual({ phase, effect });
  });

  test('an unknown host', () => {
    const fields = { code: 'ENOTFOUND', syscall: 'getaddrinfo' };
    const error = Object.assign(new TypeError('getaddrinfo ENOTFOUND nowhere.invalid'), fields);
    expect(diagnose(error)).toEqual({ phase: 'dns', effect: 'none' });
  });
});

describe('A message of Deno', () => {
  const connecting = 'error sending request for url (https://api.test/a(b)?c=d): client error (Connect): ';
  const sending =
    'error sending request from 127.0.0.1:1 for http://127.0.0.1:2/ (127.0.0.1:2): client error (SendRequest): ';

  test.each([
    [
      'a connection refused',
      `${connecting}tcp connect error: Connection refused (os error 111)`,
      'connect',
      'none',
    ],
    ['an unknown host', `${connecting}dns error: failed to lookup address information`, 'dns', 'none'],
    ['a refused certificate', `${connecting}invalid peer certificate: UnknownIssuer`, 'tls', 'none'],
    ['a host without TLS', `${connecting}received corrupt message of type InvalidContentType`, 'tls', 'none'],
    ['a handshake cut short', `${connecting}tls handshake eof`, 'connect', 'none'],
    ['a lost connection', `${sending}connection closed before message completed`, 'exchange', 'unknown'],
    ['a reset', 'Connection reset by peer (os error 104)', 'unknown', 'unknown'],
  ])('%s', (_, message, phase, effect) => {
    const expected = { phase, effect };
    expect(diagnose(new TypeError('fetch failed', { cause: new Error(message) }))).toEqual(expected);
    // Until 2.1, without a cause.
    expect(diagnose(Object.assign(new TypeError(message), { code: 'ECONNREFUSED' }))).toEqual(
      phase === 'unknown' ? { ...expected, phase: 'exchange' } : expected,
    );
  });
});

test.each([
  'the gateway said: client error (Connect): dns error',
  'the gateway said: ECONNREFUSED: Unable to connect. Is the computer able to access the url?',
])('foreign text proves nothing: %s', (message) => {
  expect(diagnose(new Error(message)).effect).toBe('unknown');
  expect(diagnose(Object.assign(new Error(message), { code: 'EGATEWAY' })).effect).toBe('unknown');
});
