import { describe, expect, test } from 'vitest';
import { errorOf, exchange, head, listPath, served } from '../../tools/raw.ts';
import { still } from '../../tools/wire.ts';

async function setUp(options?: Parameters<typeof served>[1]) {
  const emulator = still();
  const port = await served(emulator, options);
  const authorization = `Bearer ${emulator.clientOptions().token}`;
  /** The response to a request with this Host header. */
  const forHost = async (host: string) => {
    const [response] = await exchange(
      port,
      head('GET', listPath, { host, authorization, connection: 'close' }),
    );
    return { status: response?.status, error: errorOf(response) };
  };
  return { emulator, port, authorization, forHost };
}

describe('The Host header', () => {
  test.each([
    'localhost',
    'LocalHost:4010',
    'mail.localhost',
    'a.b.localhost:80',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.255.255.254:65535',
    '[::1]',
    '[::1]:4010',
  ])('%s is this machine → served', async (host) => {
    const { forHost } = await setUp();
    expect(await forHost(host)).toEqual({ status: 200, error: undefined });
  });

  test.each([
    'evil.test',
    'evil.test:4010',
    'localhost.evil.test',
    'evillocalhost',
    'localhost.',
    '127.0.0.1.evil.test',
    '127.0.0.256',
    '127.0.0',
    '127.1',
    '128.0.0.1',
    '0.0.0.0',
    '192.168.0.1',
    '2130706433',
    '0x7f.0.0.1',
    '[::]',
    '[::ffff:127.0.0.1]',
    'example.com',
  ])('%s is another host → 403 that says what to set, and nothing is logged', async (host) => {
    const { emulator, forHost } = await setUp();
    const { status, error } = await forHost(host);
    expect(status).toBe(403);
    expect(error).toBe(
      `The emulator does not respond to requests for the host ${host}. Use 127.0.0.1 or localhost, or allow the ` +
        `name: listen({ allowedHosts: ['${host}'] }), or --allow-host ${host} on the command line.`,
    );
    expect(emulator.requests).toEqual([]);
  });

  test.each([
    ['', 400],
    ['a b', 400],
    ['127.0.0.1@evil.test', 400],
    ['evil.test/127.0.0.1', 400],
    ['localhost:port', 400],
    ['localhost:4010:4010', 400],
    ['[::1', 400],
    ['127.0.0.1:65536', 400],
    ['"', 400],
  ])('%j cannot be read → %i', async (host, expected) => {
    const { emulator, forHost } = await setUp();
    const { status, error } = await forHost(host);
    expect([status, typeof error]).toEqual([expected, 'string']);
    expect(emulator.requests).toEqual([]);
  });

  test('a name that is allowed is served, with any port and in any case; other names are not', async () => {
    const { emulator, forHost } = await setUp({
      allowedHosts: ['Mail.Example.com', 'proxy:8080', '[fd00::1]'],
    });
    for (const host of ['mail.example.com', 'MAIL.example.com:99', 'Proxy:8080', '[FD00::1]:4010']) {
      expect([host, (await forHost(host)).status]).toEqual([host, 200]);
    }
    for (const host of [
      'proxy',
      'proxy:8081',
      'a.mail.example.com',
      'mail.example.com.evil.test',
      '[fd00::2]',
    ]) {
      expect([host, (await forHost(host)).status]).toEqual([host, 403]);
    }
    expect(emulator.requests).toHaveLength(4);
    expect((await forHost('localhost')).status).toBe(200);
  });

  test.each(['HTTP/1.1', 'HTTP/1.0'])('a request of %s without the header → 400', async (version) => {
    const { emulator, port, authorization } = await setUp();
    const sent = `GET ${listPath} ${version}\r\nauthorization: ${authorization}\r\nconnection: close\r\n\r\n`;
    const [response] = await exchange(port, sent);
    expect(response?.status).toBe(400);
    expect(errorOf(response)).toBe('The request must have exactly one Host header');
    expect(emulator.requests).toEqual([]);
  });

  test.each([
    ['localhost', 'evil.test'],
    ['evil.test', 'localhost'],
    ['localhost', 'localhost'],
  ])('two headers, %s and %s → 400', async (first, second) => {
    const { emulator, port } = await setUp();
    const sent = `GET ${listPath} HTTP/1.1\r\nHost: ${first}\r\nhost: ${second}\r\nConnection: close\r\n\r\n`;
    const [response] = await exchange(port, sent);
    expect(response?.status).toBe(400);
    expect(errorOf(response)).toBe('The request must have exactly one Host header');
    expect(emulator.requests).toEqual([]);
  });

  test.each([
    ['GET', 'http://evil.test/account/api/email_campaigns'],
    ['GET', 'http://127.0.0.1/account/api/email_campaigns'],
    ['GET', 'evil.test/account/api/email_campaigns'],
    ['OPTIONS', '*'],
  ])('%s with the address %s instead of a path → 400', async (method, target) => {
    const { emulator, port, authorization } = await setUp();
    const sent = head(method, target, { host: '127.0.0.1', authorization, connection: 'close' });
    const [response] = await exchange(port, sent);
    expect(response?.status).toBe(400);
    expect(emulator.requests).toEqual([]);
  });

  test('is checked for preflights too, before their origin', async () => {
    const origin = 'http://localhost:5173';
    const { port } = await setUp({ cors: { origins: [origin] } });
    const asked = { origin, 'access-control-request-method': 'GET', connection: 'close' };
    const [refused] = await exchange(port, head('OPTIONS', listPath, { host: 'evil.test', ...asked }));
    expect([refused?.status, refused?.headers.get('access-control-allow-origin')]).toEqual([403, undefined]);
    const [served] = await exchange(port, head('OPTIONS', listPath, { host: 'localhost', ...asked }));
    expect(served?.status).toBe(204);
  });

  test('in memory no host is refused', async () => {
    const { emulator, authorization } = await setUp();
    const request = new Request(`http://evil.test${listPath}`, { headers: { authorization } });
    expect((await emulator.handle(request)).status).toBe(200);
  });
});
