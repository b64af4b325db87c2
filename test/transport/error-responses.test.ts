import {
  type EmailPlatform,
  ApiError,
  BadRequestError,
  RateLimitError,
  ValidationError,
  type EmailPlatformOptions,
} from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { empty, json, scriptedFetch, text, type Turn } from '../support/scripted-fetch.ts';
import { virtualClient, WALL_START } from '../support/virtual-client.ts';

const call = (turn: Turn, options: EmailPlatformOptions = {}) =>
  virtualClient({ fetch: scriptedFetch(turn).fetch, retry: false, ...options }).client.campaigns.get(1);
const failed = (turn: Turn) => rejection(call(turn), ApiError);

const GATEWAY_PAGE = '<html><head><title>502</title></head><body>Bad gateway</body></html>';
const RUBY_HASH = '{:errors=>"Access forbidden"}';

/** Status and body as the service sends them; the error they become, and its messages. */
const shapes: [string, Turn, string, string[]][] = [
  ['400 {errors: [string]}', json(400, { errors: ['a', 'b'] }), 'BadRequestError', ['a', 'b']],
  ['400 {error: string}', json(400, { error: 'a' }), 'BadRequestError', ['a']],
  ['400 {success, errors: []}', json(400, { success: false, errors: [] }), 'BadRequestError', []],
  ['400 empty HTML', text(400, '', 'text/html; charset=UTF-8'), 'BadRequestError', []],
  ['400 without a body', empty(400), 'BadRequestError', []],
  [
    '401 {error: string}',
    json(401, { error: 'Incorrect API token' }),
    'AuthenticationError',
    ['Incorrect API token'],
  ],
  [
    '401 {errors: [string]}',
    json(401, { errors: ['Unauthorized'] }),
    'AuthenticationError',
    ['Unauthorized'],
  ],
  ['401 text that is JSON', text(401, '{"error":"No"}'), 'AuthenticationError', ['No']],
  [
    '403 {errors: string}',
    json(403, { errors: 'Access forbidden' }),
    'PermissionDeniedError',
    ['Access forbidden'],
  ],
  ['403 text like a Ruby hash', text(403, RUBY_HASH), 'PermissionDeniedError', [RUBY_HASH]],
  ['404 {error: string}', json(404, { error: 'Not Found' }), 'NotFoundError', ['Not Found']],
  [
    '404 {errors: string}',
    json(404, { errors: 'Contact not found' }),
    'NotFoundError',
    ['Contact not found'],
  ],
  ['408 without a body', empty(408), 'ApiError', []],
  ['409 one word', text(409, 'conflict\n'), 'ApiError', ['conflict']],
  [
    '422 {errors: map}',
    json(422, { errors: { name: ['a', 'b'], url: ['c'] } }),
    'ValidationError',
    ['name a', 'name b', 'url c'],
  ],
  ['422 {errors: {base}}', json(422, { errors: { base: ['a'] } }), 'ValidationError', ['a']],
  [
    '422 {errors: map of strings}',
    json(422, { errors: { filters: 'invalid' } }),
    'ValidationError',
    ['filters invalid'],
  ],
  ['422 {errors: {}}', json(422, { errors: {} }), 'ValidationError', []],
  ['422 {errors: string}', json(422, { errors: 'Not scheduled' }), 'LifecycleError', ['Not scheduled']],
  ['422 {errors: [string]}', json(422, { errors: ['a', 'b'] }), 'LifecycleError', ['a', 'b']],
  [
    '422 {errors: [{email, errors: map}]}',
    json(422, { errors: [{ email: 'x', errors: { email: ['is invalid'] } }, { errors: { base: ['b'] } }] }),
    'UnprocessableError',
    ['email is invalid', 'b'],
  ],
  [
    '422 {errors: [{message}]}',
    json(422, { errors: [{ message: 'a' }, { error: 'b' }, 7, null] }),
    'UnprocessableError',
    ['a', 'b'],
  ],
  [
    '422 {error: map}',
    json(422, { error: { name: ['is too short', 'is taken'], base: ['b'] } }),
    'ValidationError',
    ['name is too short', 'name is taken', 'b'],
  ],
  ['422 {error: string}', json(422, { error: 'a' }), 'UnprocessableError', ['a']],
  ['422 {errors: []}', json(422, { errors: [] }), 'UnprocessableError', []],
  ['422 {errors: ""}', json(422, { errors: '' }), 'UnprocessableError', []],
  ['422 without a body', empty(422), 'UnprocessableError', []],
  ['429 {error: string}', json(429, { error: 'Throttled' }), 'RateLimitError', ['Throttled']],
  [
    '429 {errors: string}',
    json(429, { errors: 'Rate limit exceeded' }),
    'RateLimitError',
    ['Rate limit exceeded'],
  ],
  [
    '429 {success, errors: [string]}',
    json(429, { success: false, errors: ['Rate limit exceeded'] }),
    'RateLimitError',
    ['Rate limit exceeded'],
  ],
  ['429 without a body', empty(429), 'RateLimitError', []],
  ['500 {errors: string}', json(500, { errors: 'Unexpected error' }), 'ServerError', ['Unexpected error']],
  ['502 a page', text(502, GATEWAY_PAGE, 'text/html'), 'ServerError', []],
  ['503 text', text(503, 'try again later'), 'ServerError', ['try again later']],
  ['504 without a body', empty(504), 'ServerError', []],
  ['418 {message}', json(418, { message: 'teapot' }), 'ApiError', ['teapot']],
  ['JSON null', json(400, null), 'BadRequestError', []],
  ['a JSON number', json(500, 7), 'ServerError', []],
  ['a JSON string', json(500, 'oops'), 'ServerError', ['oops']],
  ['a JSON array', json(500, ['a']), 'ServerError', []],
  ['an empty object', json(500, {}), 'ServerError', []],
  ['{errors: null}', json(500, { errors: null }), 'ServerError', []],
  ['broken JSON', text(500, '{"errors":', 'application/json'), 'ServerError', ['{"errors":']],
];

describe('Every form of error response is understood', () => {
  test.each(shapes)('%s', async (_, turn, name, messages) => {
    const error = await failed(turn);
    expect({ name: error.name, messages: error.messages }).toEqual({ name, messages });
    expect(error.message).toMatch(new RegExp(`^campaigns\\.get failed with ${error.status}: .`));
    for (const message of messages) expect(error.message).toContain(message);
  });
});

describe('A ValidationError', () => {
  test('has its messages by field under `error` as well, and under both names at once', async () => {
    const name = ['is too short'];
    const error = await rejection(call(json(422, { error: { name } })), ValidationError);
    expect(error.fieldErrors).toEqual({ name });
    expect(error.message).toBe('campaigns.get failed with 422: name is too short');

    const both = json(422, { error: { name }, errors: { name: ['is taken'], url: 'is invalid' } });
    expect((await rejection(call(both), ValidationError)).fieldErrors).toEqual({
      name: ['is too short', 'is taken'],
      url: ['is invalid'],
    });
  });

  test.each<[string, object, string[]]>([
    ['a message', { message: 'a' }, ['a']],
    ['a message and a code', { message: 'a', code: 'x', details: { at: 7 } }, ['a']],
    ['nothing', {}, []],
  ])('is not what an `error` with %s becomes', async (_, error, messages) => {
    const { name, messages: found } = await failed(json(422, { error }));
    expect([name, found]).toEqual(['UnprocessableError', messages]);
  });

  test('has its messages by field', async () => {
    const body = {
      errors: { name: ['is taken'], 'template.subject': ['is long', 'is bad'], filters: 'invalid' },
    };
    const error = await rejection(call(json(422, body)), ValidationError);
    expect(error.fieldErrors).toEqual({
      name: ['is taken'],
      'template.subject': ['is long', 'is bad'],
      filters: ['invalid'],
    });
    expect(error.message).toBe(
      'campaigns.get failed with 422: name is taken; template.subject is long; template.subject is bad; filters invalid',
    );
  });

  test('may have a field with a special name such as __proto__', async () => {
    const turn = text(422, '{"errors":{"__proto__":["a"],"constructor":["b"]}}', 'application/json');
    const error = await rejection(call(turn), ValidationError);
    expect(Object.keys(error.fieldErrors)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(error.fieldErrors)).toBe(Object.prototype);
  });
});

describe('The parts of a response that an error keeps', () => {
  test('the parsed body, the headers and the request id', async () => {
    const body = { error: 'Not Found', more: [1] };
    const error = await failed(json(404, body, { 'x-request-id': 'r-1', 'x-runtime': '0.1' }));
    expect(error).toMatchObject({ status: 404, body, requestId: 'r-1' });
    expect(error.headers.get('x-runtime')).toBe('0.1');
  });

  test('the text of a body that is not JSON, and an empty text for none', async () => {
    expect((await failed(text(502, GATEWAY_PAGE, 'text/html'))).body).toBe(GATEWAY_PAGE);
    expect((await failed(empty(500))).body).toBe('');
  });

  test.each<[string, Turn, string]>([
    ['no body', empty(500), 'the body has no message; no content type'],
    ['a page', text(502, '<p>x</p>', 'text/html'), 'the body has no message; text/html'],
    ['JSON without a message', json(500, {}), 'the body has no message; application/json'],
  ])('in its message, what was wrong with %s', async (_, turn, part) => {
    expect((await failed(turn)).message).toContain(part);
  });

  test('in its message, only the beginning of a long text', async () => {
    const error = await failed(text(500, 'x'.repeat(10_000)));
    expect(error.message.length).toBeLessThan(600);
    expect(error.body).toHaveLength(10_000);
  });
});

describe('A rate limit', () => {
  const reset = new Date(WALL_START + 5000).toISOString();
  const headers = { date: new Date(WALL_START).toUTCString(), 'x-ratelimit-reset': reset };

  test('says until when, for how long and which pool', async () => {
    const error = await rejection(call(json(429, { error: 'Throttled' }, headers)), RateLimitError);
    expect(error).toMatchObject({
      resetAt: new Date(reset),
      retryAfterMs: 5000,
      pool: 'token',
      effect: 'none',
    });
    expect(error.toJSON()).toMatchObject({ resetAt: new Date(reset), retryAfterMs: 5000 });
  });

  test('is read from Retry-After when there is no reset', async () => {
    const error = await rejection(call(json(429, {}, { 'retry-after': '3' })), RateLimitError);
    expect(error.retryAfterMs).toBe(3000);
    expect('resetAt' in error).toBe(false);
  });

  test('without headers has neither', async () => {
    const error = await rejection(call(json(429, {})), RateLimitError);
    expect('resetAt' in error || 'retryAfterMs' in error).toBe(false);
  });
});

const MAIL = { from: { email: 'a@b.test' }, to: [{ email: 'c@d.test' }], subject: 'S', text: 'T' };
const send = (turn: Turn, stream: EmailPlatform.Stream = 'transactional') => {
  const hosts = {
    api: 'https://api.test',
    send: 'https://s.test',
    bulk: 'https://b.test',
    sandbox: 'https://x.test',
  };
  const options = { fetch: scriptedFetch(turn).fetch, hosts, stream, sandboxInboxId: 1 };
  return rejection(virtualClient(options).client.sending.send(MAIL), ApiError);
};

describe('A 401 while sending', () => {
  const refused = json(401, { errors: ['Unauthorized'] });

  test.each(['transactional', 'bulk'] as const)(
    'says that the sender may be unverified (%s)',
    async (stream) => {
      expect((await send(refused, stream)).message).toBe(
        'sending.send failed with 401: Unauthorized; the token may be wrong, or the domain of the sender (`from`) not verified',
      );
    },
  );

  test('into a sandbox, or to another call, speaks of the token alone', async () => {
    expect((await send(refused, 'sandbox')).message).toBe('sending.send failed with 401: Unauthorized');
    expect((await failed(refused)).message).toBe('campaigns.get failed with 401: Unauthorized');
  });
});

describe('A 401 with a token that looks like another value', () => {
  const refused = json(401, { errors: ['Unauthorized'] });
  const messageWith = async (token: string) => {
    const options = {
      fetch: scriptedFetch(refused).fetch,
      hosts: { send: 'https://send.example.com' },
      token,
    };
    const error = await rejection(virtualClient(options).client.sending.send(MAIL), ApiError);
    expect(JSON.stringify(error)).not.toContain(`"${token}"`);
    return error.message;
  };

  test.each([
    ['4815162342', /401: Unauthorized; the token is a number, like the id of an account: .* may be swapped$/],
    [
      'emu_c2VjcmV0',
      /401: Unauthorized; the token is of an emulator \(emu_…\): only that emulator takes it, until it is started again/,
    ],
    ['abc', /; the token may be wrong, or the domain of the sender/],
  ])('%s', async (token, message) => {
    expect(await messageWith(token)).toMatch(message);
    expect(await messageWith(token)).not.toContain(token);
  });
});

describe('The reason of a rejected email', () => {
  test.each<[string[], string | undefined]>([
    [["'to[0]' is not an email address"], 'recipient'],
    [['invalid type for field `cc`, expected: `array`'], 'recipient'],
    [['at least one recipient is required'], 'recipient'],
    [['Email template not found'], 'template'],
    [["'template_uuid' is invalid"], 'template'],
    [["'to' must be an array", "'bcc' must be an array"], 'recipient'],
    [["'to' must be an array", "'template_uuid' is invalid"], undefined],
    [["'from' is required"], undefined],
    [['the total of attachments is too large'], undefined],
    [[], undefined],
  ])('%j: %s', async (errors, reason) => {
    const error = await send(json(400, { errors }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toEqual(expect.objectContaining(reason === undefined ? {} : { reason }));
    expect('reason' in error).toBe(reason !== undefined);
  });
});
