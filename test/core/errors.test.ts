import {
  AbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  EmailPlatform,
  EmailPlatformError,
  InvalidRequestError,
  LifecycleError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  RecipientRefusedError,
  ResponseFormatError,
  ServerError,
  TimeoutError,
  UnprocessableError,
  ValidationError,
} from 'email-platform';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { callSite } from '../../src/core/call-site.ts';
import { completeError } from '../../src/core/error-base.ts';

const headers = new Headers({ 'x-request-id': 'req-1', 'x-other': 'yes' });
const answer = (status: number) => ({ status, headers, body: { error: 'No' }, messages: ['No'] });
const request = { operation: 'campaigns.get', method: 'GET', path: '/p', attempts: 2, elapsedMs: 10 };

describe('Every error says what it is', () => {
  const rows = [
    [new ConfigurationError('m', { option: 'token' }), 'ConfigurationError', 'configuration', 'none'],
    [new InvalidRequestError([]), 'InvalidRequestError', 'invalid_request', 'none'],
    [
      new RecipientRefusedError('m', { count: 1, places: ['to'] }),
      'RecipientRefusedError',
      'recipient_refused',
      'none',
    ],
    [
      new ConnectionError('m', { phase: 'dns', effect: 'none' }),
      'ConnectionError',
      'connection_failed',
      'none',
    ],
    [new AbortedError('m', { effect: 'unknown', cause: 1 }), 'AbortError', 'aborted', 'unknown'],
    [new TimeoutError('m', { kind: 'attempt', effect: 'unknown' }), 'TimeoutError', 'timeout', 'unknown'],
    [new ResponseFormatError('m', { effect: 'none' }), 'ResponseFormatError', 'response_format', 'none'],
    [new ApiError('m', answer(418)), 'ApiError', 'api_error', 'none'],
    [new BadRequestError('m', answer(400)), 'BadRequestError', 'bad_request', 'none'],
    [new AuthenticationError('m', answer(401)), 'AuthenticationError', 'authentication_failed', 'none'],
    [new PermissionDeniedError('m', answer(403)), 'PermissionDeniedError', 'permission_denied', 'none'],
    [new NotFoundError('m', answer(404)), 'NotFoundError', 'not_found', 'none'],
    [new UnprocessableError('m', answer(422)), 'UnprocessableError', 'unprocessable', 'none'],
    [
      new ValidationError('m', { ...answer(422), fieldErrors: {} }),
      'ValidationError',
      'validation_failed',
      'none',
    ],
    [new LifecycleError('m', answer(422)), 'LifecycleError', 'lifecycle_rejected', 'none'],
    [new RateLimitError('m', answer(429)), 'RateLimitError', 'rate_limited', 'none'],
    [new ServerError('m', answer(503)), 'ServerError', 'server_error', 'unknown'],
  ] as const;

  test.each(rows)('%s', (error, name, code, effect) => {
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(EmailPlatformError);
    expect({ name: error.name, code: error.code, effect: error.effect }).toEqual({ name, code, effect });
    expect(String(error)).toMatch(new RegExp(`^${name}`));
    expect(error.stack).toContain(name);
  });

  test.each([
    [ValidationError, UnprocessableError],
    [LifecycleError, UnprocessableError],
    [UnprocessableError, ApiError],
    [RateLimitError, ApiError],
    [ServerError, ApiError],
    [ApiError, EmailPlatformError],
  ])('%o is a kind of %o', (child, parent) => {
    expect(Object.getPrototypeOf(child)).toBe(parent);
  });

  test('no error is an instance of a class beside or below its own', () => {
    const error = new ValidationError('m', { ...answer(422), fieldErrors: {} });
    expect(error).toBeInstanceOf(UnprocessableError);
    expect(error).not.toBeInstanceOf(LifecycleError);
    expect(error).not.toBeInstanceOf(RateLimitError);
    expect(new ApiError('m', answer(422))).not.toBeInstanceOf(UnprocessableError);
  });
});

describe('The effect of an error', () => {
  test.each([
    [400, 'none'],
    [404, 'none'],
    [408, 'unknown'],
    [429, 'none'],
    [499, 'none'],
    [500, 'unknown'],
    [501, 'none'],
    [502, 'unknown'],
    [504, 'unknown'],
    [505, 'unknown'],
    [307, 'unknown'],
    [199, 'unknown'],
    [101, 'unknown'],
    [0, 'unknown'],
  ])('a response with status %i: %s', (status, effect) => {
    expect(new ApiError('m', answer(status)).effect).toBe(effect);
  });
});

describe('ApiError', () => {
  test('keeps status, headers, body, messages and the request id', () => {
    expect(new NotFoundError('m', answer(404))).toMatchObject({
      status: 404,
      headers,
      body: { error: 'No' },
      messages: ['No'],
      requestId: 'req-1',
    });
  });

  test('has no request id when the service sent none', () => {
    expect('requestId' in new ApiError('m', { ...answer(404), headers: new Headers() })).toBe(false);
  });

  test('a rate limit response without its headers leaves the fields absent', () => {
    expect(Object.keys(new RateLimitError('m', answer(429)))).not.toContain('resetAt');
    const resetAt = new Date(0);
    expect(
      new RateLimitError('m', { ...answer(429), resetAt, retryAfterMs: 0, pool: 'stats' }),
    ).toMatchObject({
      resetAt,
      retryAfterMs: 0,
      pool: 'stats',
    });
  });
});

const site = callSite();

describe('The call an error belongs to', () => {
  test('is filled in once, and frozen', () => {
    const error = new NotFoundError('m', answer(404));
    expect('request' in error).toBe(false);
    completeError(error, { request: { ...request }, site });
    completeError(error, { request: { ...request, attempts: 9 }, site, maybeActed: true });
    expect(error.request).toEqual(request);
    expect(Object.isFrozen(error.request)).toBe(true);
    expect(error.effect).toBe('none');
  });

  test('an earlier attempt that may have acted makes the effect unknown', () => {
    const error = new NotFoundError('m', answer(404));
    completeError(error, { request: { ...request }, site, maybeActed: true });
    expect(error.effect).toBe('unknown');
    expect(error.toJSON()).toMatchObject({ effect: 'unknown', request });
  });
});

describe('As JSON', () => {
  test('an error is its name, message, place and fields, without stack, cause and headers', () => {
    const error = new ValidationError('Refused', { ...answer(422), fieldErrors: { name: ['is bad'] } });
    completeError(error, { request: { ...request }, site });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ValidationError',
      at: expect.stringMatching(/errors\.test\.ts:\d+:\d+$/) as unknown,
      message: 'Refused',
      code: 'validation_failed',
      effect: 'none',
      isRetryable: false,
      status: 422,
      body: { error: 'No' },
      messages: ['No'],
      requestId: 'req-1',
      fieldErrors: { name: ['is bad'] },
      request,
    });
  });

  test('an invalid request lists its issues and names the operation', () => {
    const issues = [
      { path: 'id', message: 'must be a positive whole number' },
      { path: 'name', message: 'is required' },
    ];
    const error = new InvalidRequestError(issues, { operation: 'campaigns.update' });
    expect(error.message).toBe(
      'campaigns.update was not sent: id: must be a positive whole number; name: is required',
    );
    expect(error.toJSON()).toMatchObject({ issues });
    expect('cause' in error).toBe(false);
  });
});

test('A stack that is never read is never formatted, because most errors are handled', () => {
  const before: unknown = Reflect.get(Error, 'prepareStackTrace');
  let formatted = 0;
  Error.prepareStackTrace = () => {
    formatted += 1;
    return '';
  };
  try {
    completeError(new AbortedError('m', { effect: 'none' }), { request, site: callSite() });
  } finally {
    Reflect.set(Error, 'prepareStackTrace', before);
  }
  expect(formatted).toBe(0);
});

test('An error whose stack is not text can be printed, copied and written', async () => {
  Error.prepareStackTrace = (_, sites) => sites;
  try {
    const error = await new EmailPlatform({ token: 't' }).campaigns
      .get(1)
      .catch((thrown: unknown) => thrown as Error);
    expect((error as Error).stack).toMatch(/^ConfigurationError: /);
    expect(inspect(error)).toMatch(/^ConfigurationError: /);
    expect(structuredClone(error)).toMatchObject({ message: (error as Error).message });
    expect(JSON.stringify(error)).toContain('ConfigurationError');
  } finally {
    // Node's own way, as without one.
    Reflect.deleteProperty(Error, 'prepareStackTrace');
  }
});
