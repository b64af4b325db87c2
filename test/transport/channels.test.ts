import { describe, expect, test } from 'vitest';
import { isHeard, openTracing, Trace } from '../../src/transport/channels.ts';

type Channels = Parameters<typeof isHeard>[0];

/** Channels of a runtime that passes on what its listeners throw, as none of today's does. */
function passingOn(when: 'before' | 'after' | 'never') {
  const fail = (moment: typeof when) => {
    if (moment === when) throw new Error(`of a listener, ${when}`);
  };
  const channel = {
    hasSubscribers: true,
    publish: () => {
      if (when !== 'never') throw new Error('of a listener');
    },
    runStores: (_: object, run: () => void) => {
      fail('before');
      run();
      fail('after');
    },
  };
  return { start: channel, end: channel, asyncStart: channel, asyncEnd: channel, error: channel };
}

describe('The traced function', () => {
  test.each(['before', 'after', 'never'] as const)('runs once, if a listener throws %s', (when) => {
    let runs = 0;
    const trace = new Trace(passingOn(when), {});
    expect(trace.run(() => (runs += 1))).toBe(1);
    trace.end({});
    expect(runs).toBe(1);
  });

  test('may throw, and is not run again', () => {
    let runs = 0;
    const trace = new Trace(passingOn('never'), {});
    const run = () => {
      runs += 1;
      throw new Error('mine');
    };
    expect(() => trace.run(run)).toThrow('mine');
    expect(runs).toBe(1);
  });
});

describe('Whether anybody listens', () => {
  const channel = (hasSubscribers: boolean | (() => boolean)) => ({
    hasSubscribers,
    publish: () => undefined,
    runStores: () => undefined,
  });
  const all = (each: ReturnType<typeof channel>, asyncEnd = each): Channels => ({
    start: each,
    end: each,
    asyncStart: each,
    asyncEnd,
    error: each,
  });

  test('is a property of its channels, or a method', () => {
    expect(isHeard(all(channel(false)))).toBe(false);
    expect(isHeard(all(channel(false), channel(true)))).toBe(true);
    expect(isHeard(all(channel(() => false)))).toBe(false);
    const own = { ...channel(false), isOpen: true };
    const asks = function (this: typeof own) {
      return this.isOpen;
    };
    expect(
      isHeard(
        all(
          channel(() => false),
          { ...own, hasSubscribers: asks },
        ),
      ),
    ).toBe(true);
  });

  test('need not be asked where there are no channels', () => {
    expect(openTracing(undefined)).toBeUndefined();
  });
});
