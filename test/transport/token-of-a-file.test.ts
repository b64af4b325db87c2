import { ConfigurationError, EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { empty, scriptedFetch, text, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';
import { conversing, rawResponse } from '../attack/raw-server.ts';

const PATH = '/api/inboxes/1/messages/2/attachments/3/download';

function scripted(turns: [Turn, ...Turn[]], options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(...turns);
  const { client, time } = virtualClient({ fetch, hosts: { api: 'https://api.test/base' }, ...options });
  const download = (download_path: string) =>
    client.sandbox.attachments.download({ download_path }, { as: 'text', headers: { 'x-own': '1' } });
  const tokens = () =>
    sent.map(({ headers }) => headers.get('authorization') ?? headers.get('api-token') ?? undefined);
  return { client, time, sent, download, tokens };
}

test('A signed URL counts against no limit', async () => {
  const { client, sent } = scripted([text(200, 'Hello')], { throttle: {} });
  await client.emailLogs.downloadRaw('https://files.test/raw?sig=x');
  expect([sent.length, client.limits.snapshot().token?.used ?? 0]).toEqual([1, 0]);
});

describe('The path of an attachment is fetched with the token', () => {
  test.each([
    ['bearer', 'Bearer token'],
    ['api-token', 'token'],
  ] as const)('if it is one of the API: %s', async (auth, value) => {
    const { download, tokens, sent } = scripted([text(200, 'Hello')], { auth });
    expect(await download(PATH)).toBe('Hello');
    expect(sent[0]?.url).toBe(`https://api.test/base${PATH}`);
    expect(tokens()).toEqual([value]);
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject({ 'x-own': '1', accept: '*/*' });
  });

  test('each time it is tried', async () => {
    let asked = 0;
    const token = () => `token-${(asked += 1)}`;
    const { download, tokens, time } = scripted([empty(503), text(200, 'Hello')], { token });
    expect(await throughItsWaits(time, download(PATH))).toBe('Hello');
    expect(tokens()).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test('which is counted', async () => {
    const { client, download } = scripted([text(200, 'Hello')], { throttle: {} });
    await download(PATH);
    expect(client.limits.snapshot().token?.used).toBe(1);
  });

  test.each([
    '/storage/1',
    '/api',
    '/apis/1',
    '//elsewhere.test/api/1',
    '/api/../other',
    '/api/%2e%2e/other',
    '/api/x/..%2f..%2f..%2fother',
    '/api/x%5c..%5cother',
    '/api\\..\\..\\other',
    '/../api/1',
    '/@elsewhere.test/api/1',
  ])('and no other path: %s', async (path) => {
    const { download, tokens, sent } = scripted([text(200, 'Hello')]);
    await download(path);
    expect(new URL(sent[0]?.url ?? '').host).toBe('api.test');
    expect(tokens()).toEqual([undefined]);
    expect([...(sent[0]?.headers.keys() ?? [])]).toEqual(['accept-encoding']);
  });

  test('but not where it leads, not even within the API', async () => {
    for (const auth of ['bearer', 'api-token'] as const) {
      const { download, tokens, sent } = scripted(
        [
          empty(302, { location: 'https://files.test/1?sig=x' }),
          empty(302, { location: `https://api.test/base${PATH}/2` }),
          text(200, 'Hello'),
        ],
        { auth },
      );
      expect(await download(PATH)).toBe('Hello');
      expect(tokens().slice(1)).toEqual([undefined, undefined]);
      for (const { headers } of sent.slice(1)) expect([...headers.keys()]).toEqual(['accept-encoding']);
    }
  });

  test('over real sockets too: the storage sees nothing of it', async () => {
    const storage = await conversing({
      onRequest: (socket) => socket.write(rawResponse('200 OK', 'Hello')),
    });
    const api = await conversing({
      onRequest: (socket) =>
        socket.write(rawResponse('302 Found', '', [`location: ${storage.url}/file?sig=x`])),
    });
    const client = new EmailPlatform({ token: 's3cr3t-token', auth: 'api-token', hosts: { api: api.url } });
    expect(await client.sandbox.attachments.download({ download_path: PATH }, { as: 'text' })).toBe('Hello');
    expect(api.requests[0]).toContain('api-token: s3cr3t-token');
    expect(storage.requests).toHaveLength(1);
    expect(storage.requests[0]).not.toMatch(/s3cr3t|email-platform/);
    await Promise.all([api.close(), storage.close()]);
  });

  test('and neither are files at other signed addresses', async () => {
    const { client, tokens } = scripted([text(200, 'Hello')]);
    await client.emailLogs.downloadRaw(`https://api.test/base${PATH}`);
    expect(tokens()).toEqual([undefined]);
  });
});

describe('In a browser, which follows redirects by itself', () => {
  const inBrowser = (options: EmailPlatformOptions) => {
    vi.stubGlobal('window', { document: {} });
    vi.stubGlobal('document', {});
    return scripted([text(200, 'Hello')], { dangerouslyAllowBrowser: true, ...options });
  };
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('an Api-Token would go along: it is refused', async () => {
    const { download, sent } = inBrowser({ auth: 'api-token' });
    const error = await rejection(download(PATH), ConfigurationError);
    expect(error).toMatchObject({ option: 'auth', effect: 'none' });
    expect(sent).toEqual([]);
  });

  test('an Authorization header would not, and a path without the token has none', async () => {
    const bearer = inBrowser({});
    await bearer.download(PATH);
    expect(bearer.tokens()).toEqual(['Bearer token']);
    expect(bearer.sent[0]?.redirect).toBe('follow');
    const other = inBrowser({ auth: 'api-token' });
    await other.download('/storage/1');
    expect(other.tokens()).toEqual([undefined]);
  });
});
