import { ConfigurationError, EmailPlatform, InvalidRequestError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection, thrown } from '../support/expect-error.ts';
import { rawResponse, rawServer } from './raw-server.ts';

/** A client of a server that keeps what really arrived. */
async function setUp(token: string | (() => string) = 'token') {
  const { url, requests } = await rawServer(rawResponse('200 OK', '{}'));
  return { client: new EmailPlatform({ token, hosts: { api: url }, retry: false }), requests };
}

describe('A path that some server might read as another one is refused before a request', () => {
  test.each([
    '/api/%2e%2e/secret',
    '/api/%2E%2e/secret',
    '/api/.%2e/secret',
    '/api/%2e/secret',
    '/api/../secret',
    '/api/..;/secret',
    '/api/..;a=b/secret',
    '/api/%2e%2E;x/secret',
    '/api/..%3b/secret',
    '/api/.;/secret',
    '/api/a%2fb',
    '/api/a%2Fb',
    '/api/..%2fsecret',
    '/api/a%5cb',
    '/api/..%5Csecret',
    '/api\\..\\secret',
    '/api/a\\b',
    '//evil.test/api',
    '/api//a',
    '/api/a//',
    '/api/a\tb',
    '/api/a\nb',
    '/api/a\r\nhost: evil.test',
    '/api/a%0d%0ab',
    '/api/a%00',
    '/api/a%7f',
    '/api/a b',
    '/api/a?b=c',
    '/api/a#b',
    '/api/%',
    '/api/%zz',
    'api/a',
    'https://evil.test/api',
    '',
  ])('%j', async (path) => {
    const { client, requests } = await setUp();
    const error = await rejection(client.request({ method: 'GET', path }), InvalidRequestError);
    expect(error.issues.map((issue) => issue.path)).toEqual(['path']);
    expect([error.request?.path, requests]).toEqual(['(refused)', []]);
  });

  test.each([
    '/api/a%20b',
    '/api/100%25',
    '/api/a..b',
    '/api/...',
    '/api/a@b.test',
    '/api/a;b=c',
    '/api/%C3%A9',
  ])('%j has one reading, and arrives as it is', async (path) => {
    const { client, requests } = await setUp();
    await client.request({ method: 'GET', path } satisfies EmailPlatform.AnyRequest);
    expect(requests[0]).toMatch(new RegExp(`^GET ${path.replaceAll('.', '\\.')} HTTP/1.1\r\n`));
  });
});

describe('A header that fetch would refuse is refused first', () => {
  const values = ['a\nb', 'a\r\nx: y', 'a\0', 'a\x7f', '\u0100', '\ud800', 5, null, {}, ['a']];
  const headers: object[] = [
    ...values.map((value) => ({ 'x-test': value })),
    ...['', ' ', 'a b', 'a:b', 'a\n', 'é', '(', 'x-\0'].map((name) => ({ [name]: 'a' })),
    ...['Authorization', 'api-token', 'Host', 'connection', 'Keep-Alive', 'UPGRADE', 'expect'].map(
      (name) => ({
        [name]: 'a',
      }),
    ),
    ...['transfer-encoding', 'content-length', 'Content-Type'].map((name) => ({ [name]: '5' })),
  ];
  test.each(headers.map((each) => [JSON.stringify(each), each]))('%s', async (_, each) => {
    const { client, requests } = await setUp();
    const error = await rejection(client.campaigns.get(1, { headers: each as never }), InvalidRequestError);
    expect(error.issues[0]?.path).toMatch(/^options\.headers\./);
    expect(requests).toEqual([]);
  });

  test('every other name that can be a header arrives', async () => {
    const names = [
      'te',
      'trailer',
      'cookie',
      'origin',
      'referer',
      'via',
      'date',
      'range',
      'proxy-connection',
    ];
    for (const name of [...names, 'x-test', 'accept-encoding', 'if-none-match']) {
      const { client, requests } = await setUp();
      const headers = Object.fromEntries([[name, 'abc']]);
      await client.request({ method: 'POST', path: '/api/a', body: 1 }, { headers });
      expect(requests[0]).toMatch(new RegExp(`\r\n${name}: abc\r\n`, 'i'));
    }
  });

  test.each(['a\nb', 'a\r\nx: y', 'to ken', 'tökén', '', '\u0000'])('a token %j', async (token) => {
    const option = thrown(
      () => new EmailPlatform({ token, hosts: { api: 'https://a.test' } }),
      ConfigurationError,
    );
    const { client, requests } = await setUp(() => token);
    const supplied = await rejection(client.campaigns.get(1), ConfigurationError);
    expect([option.option, supplied.option, requests]).toEqual(['token', 'token', []]);
    if (token.length > 1) expect(option.message + supplied.message).not.toContain(token);
  });
});
