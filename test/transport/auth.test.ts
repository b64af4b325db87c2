import { inspect } from 'node:util';
import { ConfigurationError, type EmailPlatformOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection, thrown } from '../support/expect-error.ts';
import { inMemoryAndOnAPort } from '../support/in-memory-and-on-a-port.ts';
import { json, lost, scriptedFetch, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';

const found = json(200, { data: { id: 1 } });

function setUp(options: EmailPlatformOptions, ...turns: Turn[]) {
  const { fetch, sent } = scriptedFetch(turns[0] ?? found, ...turns.slice(1));
  const { client, time } = virtualClient({ fetch, ...options });
  const headers = () =>
    sent.map((request) => [request.headers.get('authorization'), request.headers.get('api-token')]);
  return { client, sent, headers, get: () => throughItsWaits(time, client.campaigns.get(1)) };
}

describe('The token', () => {
  test.each<[string, EmailPlatformOptions, (string | null)[]]>([
    ['as a bearer token by default', {}, ['Bearer abc', null]],
    ['as a bearer token', { auth: 'bearer' }, ['Bearer abc', null]],
    ['as an Api-Token', { auth: 'api-token' }, [null, 'abc']],
  ])('is sent %s', async (_, options, expected) => {
    const { get, headers } = setUp({ token: 'abc', ...options });
    await get();
    expect(headers()).toEqual([expected]);
  });

  test.each([
    ['a function', () => 'abc'],
    ['an async function', () => Promise.resolve('abc')],
    [
      'a slow function',
      async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return 'abc';
      },
    ],
  ])('may come from %s', async (_, token) => {
    const { get, headers } = setUp({ token });
    await get();
    expect(headers()).toEqual([['Bearer abc', null]]);
  });

  test('comes from a new call of its function for every attempt', async () => {
    let asked = 0;
    const { get, headers } = setUp({ token: () => `t${(asked += 1)}` }, lost, lost, found);
    expect(asked).toBe(0);
    await get();
    await get();
    expect(headers().map(([bearer]) => bearer)).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t3', 'Bearer t4']);
  });

  test('is not requested for a call that is not sent', async () => {
    let asked = 0;
    const { client } = setUp({ token: () => `t${(asked += 1)}` });
    await client.campaigns.get(0).catch(() => undefined);
    await client.campaigns.get(1, { signal: AbortSignal.abort() }).catch(() => undefined);
    expect(asked).toBe(0);
  });
});

const bad = [
  'with space',
  'line\r\nx-evil: 1',
  'nul\0',
  'tab\t',
  'Grüße',
  '🎉',
  ' lead',
  'trail\n',
  '\u007f',
];

describe('A token that cannot be sent', () => {
  test.each(bad)('is refused when the client is created, and not in the error: %j', (token) => {
    const error = thrown(() => setUp({ token }), ConfigurationError);
    expect(error).toMatchObject({ option: 'token', effect: 'none' });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(token);
  });

  test.each(bad)('is refused when a function returns it: %j', async (token) => {
    const { get, sent } = setUp({ token: () => token });
    const error = await rejection(get(), ConfigurationError);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(token);
    expect(error).toMatchObject({ effect: 'none', request: { attempts: 0 } });
    expect(sent).toEqual([]);
  });

  const RULE = 'token must be a string of one or more visible ASCII characters, without spaces';
  test.each([' ', 7, null, {}])('is refused: %j, with its rule', (token) => {
    expect(thrown(() => setUp({ token: token as string }), ConfigurationError).message).toContain(RULE);
  });

  test.each([
    ['', RULE],
    [7, 'the token function must return a string, and returned number'],
    [null, 'the token function must return a string, and returned null'],
    [undefined, 'the token function must return a string, and returned undefined'],
    [{}, 'the token function must return a string, and returned object'],
  ])('is refused: a function that returns %j, with its rule', async (token, message) => {
    for (const source of [() => token as string, () => Promise.resolve(token as string)]) {
      const error = await rejection(setUp({ token: source }).get(), ConfigurationError);
      expect([error.option, error.message]).toEqual(['token', expect.stringContaining(message)]);
    }
  });
});

describe('A token function that fails', () => {
  test.each<[string, () => string | Promise<string>]>([
    [
      'by throwing',
      () => {
        throw new Error('vault is closed');
      },
    ],
    ['by rejecting', () => Promise.reject(new Error('vault is closed'))],
  ])('%s: nothing is sent, and its error is the cause', async (_, token) => {
    const { get, sent } = setUp({ token });
    const error = await rejection(get(), ConfigurationError);
    expect(error).toMatchObject({ option: 'token', effect: 'none', request: { attempts: 0 } });
    expect(error.cause).toMatchObject({ message: 'vault is closed' });
    expect(sent).toEqual([]);
  });

  test('returns its permit', async () => {
    const throttle = { limits: { token: { requests: 1, perMs: 10_000 } } };
    const { get, client } = setUp({ token: () => Promise.reject(new Error('no')), throttle });
    await rejection(get(), ConfigurationError);
    expect(client.limits.snapshot().token?.used).toBe(0);
  });
});

describe.each(inMemoryAndOnAPort)('Against the emulator, %s', (_, connect) => {
  test('both schemes are accepted, and a wrong token is not', async () => {
    const { emulator, connect: clientWith } = await connect();
    const id = emulator.campaigns.add();
    expect((await clientWith({ auth: 'bearer' }).campaigns.get(id)).id).toBe(id);
    expect((await clientWith({ auth: 'api-token' }).campaigns.get(id)).id).toBe(id);
    await expect(clientWith({ token: 'wrong' }).campaigns.get(id)).rejects.toMatchObject({
      name: 'AuthenticationError',
      messages: ['Incorrect API token'],
      effect: 'none',
    });
  });

  test('a replaced token is used from the next call on', async () => {
    const { emulator, connect: clientWith } = await connect();
    const tokens = ['expired', emulator.createToken()];
    const client = clientWith({ token: () => tokens.shift() ?? 'none left' });
    await expect(client.campaigns.list()).rejects.toMatchObject({ status: 401 });
    expect((await client.campaigns.list()).items).toEqual([]);
  });
});
