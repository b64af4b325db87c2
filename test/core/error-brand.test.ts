import * as own from 'email-platform';
import { describe, expect, test, vi } from 'vitest';

type Package = typeof own;

/** A second copy of the package, as when an application loads it both as ESM and as CommonJS. */
async function secondCopy(): Promise<Package> {
  vi.resetModules();
  return import('email-platform');
}

const refusal = { status: 422, headers: new Headers(), body: '', messages: ['No'] };

describe('Two copies of the package in one process', () => {
  test('are separate: they share no class', async () => {
    const other = await secondCopy();
    expect(other.ApiError).not.toBe(own.ApiError);
  });

  test('recognize each other’s errors', async () => {
    const other = await secondCopy();
    const error = new other.LifecycleError('m', refusal);
    expect(error instanceof own.LifecycleError).toBe(true);
    expect(error instanceof own.UnprocessableError).toBe(true);
    expect(error instanceof own.ApiError).toBe(true);
    expect(error instanceof own.EmailPlatformError).toBe(true);
    expect(error instanceof own.ValidationError).toBe(false);
    expect(error instanceof own.RateLimitError).toBe(false);
  });

  test('a subclass defined outside recognizes only its own instances', async () => {
    const other = await secondCopy();
    class Mine extends own.LifecycleError {}
    class Theirs extends other.LifecycleError {}
    const mine = new Mine('m', refusal);
    expect(mine instanceof Mine).toBe(true);
    expect(mine instanceof own.LifecycleError).toBe(true);
    expect(mine instanceof other.LifecycleError).toBe(true);
    expect(mine instanceof Theirs).toBe(false);
    expect(new own.LifecycleError('m', refusal) instanceof Mine).toBe(false);
    expect(new own.ApiError('m', refusal) instanceof Mine).toBe(false);
  });
});

describe('A value that is not an error of this package is not recognized as one', () => {
  const lookalikes: [string, unknown][] = [
    ['undefined', undefined],
    ['null', null],
    ['a string', 'ApiError'],
    ['a number', 429],
    ['another error', new Error('ApiError')],
    ['an error of the same name', Object.assign(new Error('m'), { name: 'ApiError', status: 404 })],
    ['an object of the same shape', { name: 'ApiError', code: 'api_error', status: 404 }],
    ['what was serialised', JSON.parse(JSON.stringify(new own.ApiError('m', refusal)))],
    ['an object without a prototype', Object.create(null)],
    ['a function', own.ApiError],
  ];

  test.each(lookalikes)('%s', (_, value) => {
    expect(value instanceof own.EmailPlatformError).toBe(false);
    expect(value instanceof own.ApiError).toBe(false);
    class Mine extends own.ApiError {}
    expect(value instanceof Mine).toBe(false);
  });
});

describe('Each class recognizes its own errors and no others', () => {
  const made: Record<string, own.EmailPlatformError> = {
    ConfigurationError: new own.ConfigurationError('m', { option: 'token' }),
    InvalidRequestError: new own.InvalidRequestError([]),
    RecipientRefusedError: new own.RecipientRefusedError('m', { count: 1, places: ['to'] }),
    ConnectionError: new own.ConnectionError('m', { phase: 'dns', effect: 'none' }),
    AbortedError: new own.AbortedError('m', { effect: 'none', cause: undefined }),
    TimeoutError: new own.TimeoutError('m', { kind: 'attempt', effect: 'none' }),
    ResponseFormatError: new own.ResponseFormatError('m', { effect: 'none' }),
    BadRequestError: new own.BadRequestError('m', refusal),
    AuthenticationError: new own.AuthenticationError('m', refusal),
    PermissionDeniedError: new own.PermissionDeniedError('m', refusal),
    NotFoundError: new own.NotFoundError('m', refusal),
    ValidationError: new own.ValidationError('m', { ...refusal, fieldErrors: {} }),
    LifecycleError: new own.LifecycleError('m', refusal),
    RateLimitError: new own.RateLimitError('m', refusal),
    ServerError: new own.ServerError('m', refusal),
  };
  type ErrorClass = abstract new (...args: never[]) => own.EmailPlatformError;
  const known = (ErrorClass: ErrorClass) =>
    Object.keys(made).filter((name) => made[name] instanceof ErrorClass);

  test.each(Object.keys(made))('%s', (name) => {
    expect(known(own[name as keyof typeof own] as ErrorClass)).toEqual([name]);
  });

  test('base classes recognize all subclasses', () => {
    expect(known(own.EmailPlatformError)).toHaveLength(15);
    expect(known(own.ApiError)).toHaveLength(8);
    expect(known(own.UnprocessableError)).toEqual(['ValidationError', 'LifecycleError']);
  });
});
