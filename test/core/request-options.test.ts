import { InvalidRequestError, type EmailPlatformOptions, type RequestOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { json, scriptedFetch } from '../support/scripted-fetch.ts';
import { virtualClient } from '../support/virtual-client.ts';

function setUp(options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(json(200, { data: { id: 1 } }));
  return { client: virtualClient({ fetch, ...options }).client, sent };
}

/** The messages for options of any type. */
async function said(options: unknown): Promise<string[]> {
  const { client, sent } = setUp();
  const { issues } = await rejection(client.campaigns.get(1, options as RequestOptions), InvalidRequestError);
  expect(sent).toEqual([]);
  return issues.map(({ path, message }) => `${path} ${message}`);
}

describe('The options of a call', () => {
  const duration = 'must be a number of milliseconds, more than 0 and at most 2147483647';
  const count = 'must be a whole number, 0 or more';
  const id = 'must be a positive whole number';

  test.each<[unknown, string]>([
    [{ timeoutMs: 0 }, `options.timeoutMs ${duration}`],
    [{ timeoutMs: -1 }, `options.timeoutMs ${duration}`],
    [{ timeoutMs: NaN }, `options.timeoutMs ${duration}`],
    [{ timeoutMs: Infinity }, `options.timeoutMs ${duration}`],
    [{ timeoutMs: '1000' }, `options.timeoutMs ${duration}`],
    [{ timeoutMs: null }, `options.timeoutMs ${duration}`],
    [{ deadlineMs: 2 ** 31 }, `options.deadlineMs ${duration}`],
    [{ accountId: 0 }, `options.accountId ${id}`],
    [{ accountId: '7' }, `options.accountId ${id}`],
    [{ priority: 'urgent' }, "options.priority must be one of 'high', 'normal', 'low'"],
    [{ retry: true }, 'options.retry must be false or { maxRetries, maxWaitMs }'],
    [{ retry: null }, 'options.retry must be false or { maxRetries, maxWaitMs }'],
    [{ retry: { maxRetries: -1 } }, `options.retry.maxRetries ${count}`],
    [{ retry: { maxRetries: 1.5 } }, `options.retry.maxRetries ${count}`],
    [{ retry: { maxWaitMs: Infinity } }, `options.retry.maxWaitMs ${count}`],
    [{ retry: { retries: 1 } }, 'options.retry.retries is not a known field'],
    [{ signal: {} }, 'options.signal must be an AbortSignal'],
    [{ signal: null }, 'options.signal must be an AbortSignal'],
    [{ headers: 'x' }, "options.headers must be an object of names and values, such as { name: 'value' }"],
    [{ headers: null }, "options.headers must be an object of names and values, such as { name: 'value' }"],
    [
      { headers: new Headers({ a: 'b' }) },
      "options.headers must be an object of names and values, such as { name: 'value' }",
    ],
    [
      { headers: [['a', 'b']] },
      "options.headers must be an object of names and values, such as { name: 'value' }",
    ],
    [{ timeout: 5 }, 'options.timeout is not a known field; did you mean `timeoutMs`?'],
    [{ colour: 5 }, 'options.colour is not a known field'],
    [null, 'options must be an object'],
    ['fast', 'options must be an object'],
    [5, 'options must be an object'],
  ])('%o: %s', async (options, issue) => {
    expect(await said(options)).toEqual([issue]);
  });

  test('are refused if one of them cannot be read', async () => {
    const get = () => {
      throw new Error('unreadable');
    };
    const options = Object.defineProperty({}, 'timeoutMs', { enumerable: true, get });
    expect(await said(options)).toEqual(['options.timeoutMs cannot be read']);
  });

  test('are checked together with the arguments, and all problems are reported at once', async () => {
    const { client } = setUp();
    const { issues } = await rejection(
      client.campaigns.update(0, { name: 5 as unknown as string }, { timeoutMs: -1, deadlineMs: -1 }),
      InvalidRequestError,
    );
    expect(issues.map(({ path }) => path)).toEqual(['options.timeoutMs', 'options.deadlineMs', 'id', 'name']);
  });

  test.each<RequestOptions>([
    {},
    { signal: undefined, timeoutMs: undefined, headers: undefined, retry: undefined, priority: undefined },
    { timeoutMs: 0.5, deadlineMs: 2_147_483_647, retry: { maxRetries: 0, maxWaitMs: 0 }, meta: 7n },
    { retry: false, priority: 'low', headers: {} },
  ])('%o are accepted', async (options) => {
    expect(await setUp().client.campaigns.get(1, options)).toEqual({ id: 1 });
  });
});

describe('Headers of a call', () => {
  test('are sent beside the client’s own', async () => {
    const { client, sent } = setUp();
    await client.campaigns.get(1, { headers: { 'x-trace': 'a, b', 'X-Latin': 'caf\u00e9' } });
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject({
      'x-trace': 'a, b',
      'x-latin': 'caf\u00e9',
      accept: 'application/json',
      authorization: 'Bearer token',
    });
  });

  test.each(['accept', 'Accept', 'User-Agent'])(
    'replace a header that the client would send: %s',
    async (name) => {
      const { client, sent } = setUp();
      await client.campaigns.get(1, { headers: { [name]: 'mine' } });
      expect(sent[0]?.headers.get(name)).toBe('mine');
    },
  );

  test.each([
    'Authorization',
    'authorization',
    'Api-Token',
    'Content-Type',
    'Content-Length',
    'Transfer-Encoding',
    'Host',
    'Connection',
  ])('may not be %s', async (name) => {
    expect(await said({ headers: { [name]: 'x' } })).toEqual([
      `options.headers.${name} is set by the client`,
    ]);
  });

  test.each(['a\r\nb: c', 'a\nb', 'a\0b', '🎉', 5, null, undefined, ['a']])(
    'may not have the value %j, which is not repeated',
    async (value) => {
      expect(await said({ headers: { 'x-mine': value } })).toEqual([
        'options.headers.x-mine must be a string without control characters',
      ]);
    },
  );

  test.each(['', 'a b', 'a:b', 'a\r\nb', 'é'])('may not be named %j', async (name) => {
    expect(await said({ headers: { [name]: 'x' } })).toEqual(['options.headers.? is not a header name']);
  });
});

describe('Arguments and options', () => {
  test('that the caller changes after the call have no effect', async () => {
    const { client, sent } = setUp();
    const params = { name: 'before', contact_list_ids: [1] };
    const headers: Record<string, string> = { 'x-mine': 'before' };
    const promise = client.campaigns.update(1, params, { headers });
    params.name = 'after';
    params.contact_list_ids.push(2);
    headers['x-mine'] = 'after';
    headers.Authorization = 'Bearer other';
    await promise;
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ name: 'before', contact_list_ids: [1] });
    expect(sent[0]?.headers.get('x-mine')).toBe('before');
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer token');
  });

  test('are neither changed nor frozen by the client', async () => {
    const { client } = setUp();
    const params = { name: 'n', template_attributes: { merge_tags: ['a'] } };
    const options = { headers: { 'x-mine': 'h' }, retry: { maxRetries: 1 } };
    const before = structuredClone({ params, options });
    await client.campaigns.update(1, params, options);
    expect({ params, options }).toEqual(before);
    const parts = [
      params,
      params.template_attributes,
      params.template_attributes.merge_tags,
      options,
      options.headers,
    ];
    expect(parts.some((part) => Object.isFrozen(part))).toBe(false);
  });
});
