import { ApiPromise } from 'email-platform';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answered, apiPromise } from '../support/api-promise.ts';
import { settle } from '../support/virtual-time.ts';

const good = answered('result');
const succeeded = () => apiPromise(Promise.resolve(good));
const failed = () => apiPromise<string>(Promise.reject(new Error('No')));

describe('ApiPromise', () => {
  test('is a promise of the result', async () => {
    const promise = succeeded();
    expect(promise).toBeInstanceOf(Promise);
    expect(await promise).toBe('result');
  });

  test('withResponse() resolves to the response too, each time it is called', async () => {
    const promise = succeeded();
    expect(await promise.withResponse()).toEqual(good);
    expect(await promise.withResponse()).toEqual(good);
    expect(await promise).toBe('result');
  });

  test('then, catch and finally return ordinary promises', () => {
    const promise = succeeded();
    expect(promise.then()).not.toBeInstanceOf(ApiPromise);
    expect(promise.catch(() => 'x')).not.toBeInstanceOf(ApiPromise);
    expect(promise.finally(() => undefined)).not.toBeInstanceOf(ApiPromise);
  });

  test('works with Promise.all, allSettled and race', async () => {
    expect(await Promise.all([succeeded(), Promise.resolve(2)])).toEqual(['result', 2]);
    expect(await Promise.allSettled([failed()])).toMatchObject([{ status: 'rejected' }]);
    expect(await Promise.race([succeeded()])).toBe('result');
  });
});

describe('A failure is reported exactly once', () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => unhandled.push(reason);
  let others: NodeJS.UnhandledRejectionListener[] = [];

  beforeEach(() => {
    unhandled.length = 0;
    others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', listen);
  });
  afterEach(() => {
    process.off('unhandledRejection', listen);
    for (const other of others) process.on('unhandledRejection', other);
  });

  /** Node reports unhandled rejections once all microtasks have run. */
  async function reported(): Promise<number> {
    await settle();
    await settle();
    return unhandled.length;
  }

  test('as one unhandled rejection when nothing handles it', async () => {
    void failed();
    expect(await reported()).toBe(1);
  });

  test('only to the awaiting caller', async () => {
    await expect(failed()).rejects.toThrow('No');
    expect(await reported()).toBe(0);
  });

  test('only to the caller of withResponse', async () => {
    await expect(failed().withResponse()).rejects.toThrow('No');
    expect(await reported()).toBe(0);
  });

  test('as one unhandled rejection when nothing handles withResponse', async () => {
    void failed().withResponse();
    expect(await reported()).toBe(1);
  });

  test('only to the callers when awaited both ways', async () => {
    const promise = failed();
    await Promise.allSettled([promise.withResponse(), promise, promise.withResponse()]);
    expect(await reported()).toBe(0);
  });
});
