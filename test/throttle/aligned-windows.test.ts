import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DatedThrottle, type DatedService } from '../support/dated-service.ts';
import { isFull, sized } from '../support/extent.ts';
import { random } from '../support/random.ts';
import { fixedWindow, slidingWindow, startedWindow } from '../support/server-windows.ts';
import { ThrottleHarness } from '../support/throttle-harness.ts';

const HOUR = 3_600_000;
const LIMIT = { requests: 150, perMs: 10_000 };
/** A multiple of every window in these tests, in milliseconds since 1970. */
const EPOCH = 1_800_000_000_000;

/** Round trips between two lengths; a request is counted at any moment of its own. */
function between(shortest: number, longest: number, seed = 1): DatedService['roundTrip'] {
  const next = random(seed);
  return () => [shortest + next() * (longest - shortest), next()];
}

const aligned = (): DatedService => ({
  limit: LIMIT,
  window: fixedWindow(LIMIT.requests, LIMIT.perMs),
  startsAt: EPOCH + 3_210.5,
  hasCounts: true,
  roundTrip: between(100, 200),
});

/** The part of the published rate that a client with calls waiting reaches in some time. */
async function rate(service: DatedService, ms = HOUR / 4) {
  const run = new DatedThrottle(service);
  run.saturate();
  await run.until(ms);
  const published = (service.limit.requests * ms) / service.limit.perMs;
  return { rate: (run.sentAt.length - run.refused.length) / published, refused: run.refused.length };
}

describe('a service with aligned windows', () => {
  // Without counts, the first windows are filled step by step.
  const hasCounts = [true, false];
  const latencies = [
    [50, 250],
    [1_000, 1_000],
    [1_500, 2_500],
    [3_000, 3_000],
  ] as const;
  const ahead = [-1_000, 0, 1_000];
  // In full, all; otherwise a half that has each latency with each clock, and each of them with and without counts.
  const all = latencies.flatMap(([from, to], row) =>
    ahead.flatMap((ms, column) =>
      hasCounts
        .filter((_, turn) => isFull || turn === (row + column) % 2)
        .map((counts) => ({ counts, from, to, ms })),
    ),
  );

  test.each(all)(
    'is used in full and refuses nothing: $from to $to ms, counts: $counts, Date ahead by $ms ms',
    async ({ counts, from, to, ms }) => {
      const found = await rate({
        ...aligned(),
        hasCounts: counts,
        roundTrip: between(from, to, from + ms),
        dateAhead: () => ms,
      });
      expect(found.refused).toBe(0);
      expect(found.rate).toBeGreaterThan(counts ? 0.99 : 0.97);
    },
  );

  test.each([
    [50, 250, 0.98, 0.99],
    [1_000, 1_000, 0.91, 0.99],
    [2_000, 2_000, 0.83, 0.99],
    [3_000, 3_000, 0.76, 0.99],
    [4_000, 4_000, 0.71, 0.79],
  ])(
    'with responses after %d to %d ms, the rate is at least %d by the rule, and %d with aligned windows',
    async (from, to, rule, least) => {
      const service = () => ({ ...aligned(), roundTrip: between(from, to) });
      const ms = sized(HOUR, HOUR / 4);
      const unknown = await rate({ ...service(), windows: 'unknown' }, ms);
      const known = await rate(service(), ms);
      expect([unknown.refused, known.refused]).toEqual([0, 0]);
      expect(unknown.rate).toBeGreaterThan(rule);
      expect(unknown.rate).toBeLessThan(rule + 0.02);
      expect(known.rate).toBeGreaterThan(least);
    },
  );

  test('is used as far as the rule allows if no response has a Date', async () => {
    const service = { ...aligned(), roundTrip: between(2_000, 2_000) };
    const rule = await rate({ ...service, windows: 'unknown' });
    expect(rule.rate).toBeCloseTo(0.84, 1);
    const undated = { ...service, window: fixedWindow(150, 10_000), dateAhead: () => NaN };
    expect(await rate(undated)).toEqual(rule);
  });

  test('takes 160 calls as soon as its window is over', async () => {
    const run = new DatedThrottle({ ...aligned(), roundTrip: between(100, 100) });
    for (let count = 0; count < 160; count += 1) void run.call();
    await run.until(20_000);
    // The window is over at 6 789 ms. The clocks are known to less than a second, and may differ by another.
    expect(run.sentAt.filter((at) => at === 0)).toHaveLength(150);
    expect(run.sentAt[150]).toBeGreaterThan(6_789 + 1_000);
    expect(run.sentAt[159]).toBeLessThan(6_789 + 2_200);
    expect(run.refused).toEqual([]);
  });

  test('refuses nothing, whatever the limit, the latency, the traffic and the clocks', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.integer({ min: -1_000, max: 1_000 }), async (given, ms) => {
        const { limit } = given;
        const window = fixedWindow(limit.requests, limit.perMs);
        const run = await play(given, { window, dateAhead: () => ms });
        expect(run.refused).toEqual([]);
      }),
      { numRuns: sized(1_000, 50) },
    );
  });
});

const limits = fc.record({
  requests: fc.integer({ min: 1, max: 8 }),
  perMs: fc.constantFrom(2_000, 10_000, 60_000),
});

const scenario = fc.record({
  limit: limits,
  offset: fc.double({ min: 0, max: 60_000, noNaN: true }),
  hasCounts: fc.boolean(),
  shortest: fc.integer({ min: 0, max: 3_000 }),
  jitter: fc.constantFrom(0, 10, 300, 3_000),
  seed: fc.integer(),
  /** Calls made together, after a pause. */
  bursts: fc.array(
    fc.record({ pause: fc.integer({ min: 0, max: 15_000 }), calls: fc.integer({ min: 1, max: 20 }) }),
    { minLength: 1, maxLength: 12 },
  ),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** Makes the calls of a scenario, within less than an hour. */
async function play(given: Scenario, service: Partial<DatedService> & Pick<DatedService, 'window'>) {
  const { limit, offset, hasCounts, shortest, jitter, seed, bursts } = given;
  const roundTrip = between(shortest, shortest + jitter, seed);
  const run = new DatedThrottle({ limit, startsAt: EPOCH + offset, hasCounts, roundTrip, ...service });
  for (const { pause, calls } of bursts) {
    await run.until(run.time.now() + pause);
    for (let count = 0; count < calls; count += 1) void run.call();
  }
  await run.until(HOUR - 1);
  return run;
}

/** Windows that are not aligned, or a clock that does not show them. */
const others = fc.record({
  kind: fc.constantFrom('sliding', 'started', 'shifted'),
  shift: fc.double({ min: 0, max: 1, noNaN: true }),
  /** Times at which the clock of `Date` is set, and by how much. */
  steps: fc.array(
    fc.record({ at: fc.integer({ min: 0, max: 120_000 }), by: fc.integer({ min: -90_000, max: 90_000 }) }),
    { maxLength: 4 },
  ),
});

type Others = typeof others extends fc.Arbitrary<infer T> ? T : never;

function windowOf({ kind, shift }: Others, { requests, perMs }: Scenario['limit']) {
  if (kind === 'sliding') return slidingWindow(requests, perMs);
  return kind === 'started' ? startedWindow(requests, perMs) : fixedWindow(requests, perMs, shift * perMs);
}

const stepsUntil =
  ({ steps }: Others) =>
  (now: number) =>
    steps.reduce((sum, { at, by }) => (at <= now ? sum + by : sum), 0);

describe('a service with other windows, or with a clock that jumps', () => {
  test('refuses one request at most, after which its windows count as unknown', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, others, async (given, other) => {
        const window = windowOf(other, given.limit);
        const run = await play({ ...given, hasCounts: true }, { window, dateAhead: stepsUntil(other) });
        expect(run.refused.length).toBeLessThanOrEqual(1);
        if (run.refused.length === 1) expect(run.windows).toBe('unknown');
      }),
      { numRuns: sized(3_000, 120) },
    );
  });

  test('refuses one at most if it sets its clock forward, and its windows with it', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, others, async (given, other) => {
        const { limit } = given;
        const forward = { ...other, steps: other.steps.map(({ at, by }) => ({ at, by: Math.abs(by) })) };
        const window = fixedWindow(limit.requests, limit.perMs);
        const run = await play({ ...given, hasCounts: true }, { window, setForward: stepsUntil(forward) });
        expect(run.refused.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: sized(1_000, 50) },
    );
  });

  test('refuses, without counts, only requests that were under way together', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, others, async (given, other) => {
        const window = windowOf(other, given.limit);
        const run = await play({ ...given, hasCounts: false }, { window, dateAhead: stepsUntil(other) });
        const first = Math.min(...run.refused.map(({ arrivedAt }) => arrivedAt));
        for (const { sentAt } of run.refused) expect(sentAt).toBeLessThanOrEqual(first);
      }),
      { numRuns: sized(1_000, 50) },
    );
  });

  const sliding = () => ({ ...aligned(), window: slidingWindow(LIMIT.requests, LIMIT.perMs) });

  test.each([true, false])(
    'is refused once in an hour of full use, then tried again; counts: %s',
    async (hasCounts) => {
      const run = new DatedThrottle({ ...sliding(), hasCounts });
      run.saturate();
      await run.until(60_000);
      expect(run.windows).toBe('unknown');
      const arrivedAt = run.refused[0]?.arrivedAt ?? NaN;
      await run.until(arrivedAt + HOUR - 1);
      expect([run.windows, run.refused.length]).toEqual(['unknown', 1]);
      expect(run.sentAt.length / ((arrivedAt + HOUR) / LIMIT.perMs)).toBeGreaterThan(0.97 * LIMIT.requests);
      await run.until(arrivedAt + HOUR);
      expect(run.windows).toBe('aligned');
      await run.until(arrivedAt + HOUR + 60_000);
      expect([run.windows, run.refused.length]).toEqual(['unknown', 2]);
    },
  );
});

describe('with aligned windows', () => {
  const key = { token: 'a' };
  const limits = { token: { requests: 4, perMs: 10_000 } };
  /** The `Date` of a response, by a clock of the service that reads the same as ours. */
  const date = (now: number) => Math.floor(now / 1_000) * 1_000;
  const windowsOf = ({ throttle }: ThrottleHarness) => throttle.snapshot(key).token?.windows;

  /** At 7 s, all permits are in use, and four calls wait. The service's window is over by 11 s. */
  async function filled(overrides: Parameters<ThrottleHarness['call']>[1] = {}) {
    const harness = new ThrottleHarness({ limits, windows: 'aligned' });
    await harness.time.advance(7_000);
    const sent = Array.from({ length: 4 }, () => harness.call('sent'));
    for (const { permit } of sent) permit?.end('answered', { date: date(7_000) });
    const calls = Array.from({ length: 4 }, (_, index) => harness.call(String(index), overrides));
    const until = (time: number) => harness.time.advance(time - harness.time.now());
    return { harness, calls, until, left: () => calls.flatMap(({ sentAt }) => sentAt ?? []) };
  }

  test('the rest wait for the first request in a window, and as many follow as the service has left', async () => {
    const { harness, calls, until, left } = await filled();
    await until(13_000);
    expect(left()).toEqual([11_000]);
    calls[0]?.permit?.end('answered', { limit: 4, remaining: 2, date: date(13_000) });
    await until(16_999);
    expect(left()).toEqual([11_000, 13_000, 13_000]);
    expect(harness.call('one more').isImmediate).toBe(false);
  });

  test('later responses in the window show how many more the service has left', async () => {
    const { calls, until, left } = await filled();
    await until(12_000);
    calls[0]?.permit?.end('answered', { limit: 4, remaining: 1, date: date(12_000) });
    await until(13_000);
    calls[1]?.permit?.end('answered', { limit: 4, remaining: 1, date: date(13_000) });
    await until(13_500);
    expect(left()).toEqual([11_000, 12_000, 13_000]);
  });

  test('without a count, one request follows the first', async () => {
    const { calls, until, left } = await filled();
    await until(12_000);
    calls[0]?.permit?.end('answered', { date: date(12_000) });
    await until(16_999);
    expect(left()).toEqual([11_000, 12_000]);
  });

  test('without a count, two may follow in the next window, but one again after a refusal', async () => {
    const harness = new ThrottleHarness({ limits, windows: 'aligned' });
    const until = (time: number) => harness.time.advance(time - harness.time.now());
    const answer = ({ permit }: ReturnType<ThrottleHarness['call']>) =>
      permit?.end('answered', { date: date(harness.time.now()) });
    /** Fills the limit at 7 s, and answers the first early request at 12 s. Returns the number that left early. */
    const early = async (start: number) => {
      await until(start + 7_000);
      for (let count = 0; count < 4; count += 1) answer(harness.call('sent'));
      const calls = Array.from({ length: 4 }, () => harness.call('early'));
      await until(start + 12_000);
      for (const call of calls.slice(0, 1)) answer(call);
      await until(start + 13_000);
      const sent = calls.filter(({ sentAt }) => sentAt !== undefined);
      for (const call of sent.slice(1)) answer(call);
      for (const call of calls) call.leave();
      return sent.length;
    };
    expect([await early(0), await early(100_000), await early(200_000)]).toEqual([2, 3, 4]);
    harness.throttle.block(key, 'token', 500);
    expect(await early(HOUR + 300_000)).toBe(2);
  });

  test('after an aborted request, the count of a later response does not show what the service has left', async () => {
    const harness = new ThrottleHarness({
      limits: { token: { requests: 8, perMs: 10_000 } },
      windows: 'aligned',
    });
    const until = (time: number) => harness.time.advance(time - harness.time.now());
    await until(7_000);
    for (let count = 0; count < 8; count += 1)
      harness.call('sent').permit?.end('answered', { date: date(7_000) });
    const probe = harness.call('probe');
    await until(12_000);
    probe.permit?.end('answered', { limit: 8, remaining: 2, date: date(12_000) });
    const aborted = harness.call('aborted', { timeoutMs: 5_000 });
    await until(12_500);
    aborted.permit?.end('abandoned');
    const later = harness.call('later');
    await until(13_000);
    // The service may count the aborted request after this one.
    later.permit?.end('answered', { limit: 8, remaining: 1, date: date(13_000) });
    const last = harness.call('last');
    await until(16_999);
    expect([aborted, later, last].map(({ sentAt }) => sentAt)).toEqual([12_000, 12_500, undefined]);
  });

  test('if the first request in a window is aborted, the rest wait until the service counts it no more', async () => {
    const { calls, until, left } = await filled({ timeoutMs: 5_000 });
    await until(11_500);
    calls[0]?.permit?.end('abandoned');
    await until(15_999);
    expect(left()).toEqual([11_000]);
    await until(16_000);
    expect(left()).toEqual([11_000, 16_000]);
  });

  test('an aborted request counts until the window is over in which the service may have counted it', async () => {
    const harness = new ThrottleHarness({ limits, windows: 'aligned' });
    await harness.time.advance(7_000);
    const sent = Array.from({ length: 4 }, () => harness.call('sent', { timeoutMs: 5_000 }));
    sent[0]?.permit?.end('answered', { date: date(7_000) });
    for (const { permit } of sent) permit?.end('abandoned');
    const calls = Array.from({ length: 4 }, (_, index) => harness.call(String(index)));
    await harness.time.advance(5_500);
    calls[0]?.permit?.end('answered', { limit: 4, remaining: 3, date: date(12_500) });
    await harness.time.advance(4_499);
    expect(calls.map(({ sentAt }) => sentAt)).toEqual([12_000, undefined, undefined, undefined]);
    for (const call of calls) call.leave();
    await harness.time.advance(4_000);
    expect(harness.throttle.snapshot(key).token?.used).toBe(4);
    // The service may have counted them by 12 s, in a window until 20 s; the rule returns their permits at 22 s.
    await harness.time.advance(10);
    expect(harness.throttle.snapshot(key).token?.used).toBe(0);
  });

  test('no request leaves early until the service has counted an aborted one, also if others are answered after it', async () => {
    const harness = new ThrottleHarness({ limits, windows: 'aligned' });
    await harness.time.advance(7_000);
    const [aborted, ...others] = Array.from({ length: 4 }, () => harness.call('sent', { timeoutMs: 5_000 }));
    aborted?.permit?.end('abandoned');
    for (const { permit } of others) permit?.end('answered', { date: date(7_000) });
    const call = harness.call('waits');
    await harness.time.advance(5_500);
    expect(call.sentAt).toBe(12_000);
  });

  test.each([30_000, -30_000])(
    'a clock of the service that was set by %d ms ends no window too early or too late',
    async (by) => {
      const harness = new ThrottleHarness({ limits, windows: 'aligned' });
      await harness.time.advance(7_000);
      const sent = Array.from({ length: 4 }, () => harness.call('sent'));
      for (const [index, { permit }] of sent.entries())
        permit?.end('answered', { date: date(7_000) + (index === 0 ? 0 : by) });
      const call = harness.call('waits');
      await harness.time.advance(5_000);
      expect(call.sentAt).toBe(11_000);
    },
  );

  test('if the first request in a window never left, the next one is the first', async () => {
    const { calls, until, left } = await filled();
    await until(11_500);
    calls[0]?.permit?.end('neverSent');
    await until(16_999);
    expect(left()).toEqual([11_000, 11_500]);
  });

  test('no request leaves early while other clients are known to use the limit, and a 429 is theirs', async () => {
    const harness = new ThrottleHarness({ limits, windows: 'aligned' });
    await harness.time.advance(7_000);
    harness.call('sent').permit?.end('answered', { limit: 4, remaining: 0, date: date(7_000) });
    const call = harness.call('waits');
    await harness.time.advance(9_000);
    expect(call.sentAt).toBeUndefined();
    harness.throttle.block(key, 'token', 500);
    expect(windowsOf(harness)).toBe('aligned');
    await harness.time.advance(1_000);
    expect(call.sentAt).toBe(16_500);
    harness.throttle.block(key, 'token', 500);
    expect(windowsOf(harness)).toBe('unknown');
  });

  test('permits in use are those that the window may count, by the rule in use', async () => {
    const { harness, until } = await filled();
    const used = () => harness.throttle.snapshot(key).token?.used;
    await until(10_999);
    expect(used()).toBe(4);
    await until(11_000);
    expect(used()).toBe(1);
    harness.throttle.block(key, 'token', 500);
    expect(used()).toBe(4);
  });

  test('a response without a Date is counted no longer than by the rule', async () => {
    const harness = new ThrottleHarness({ limits, windows: 'aligned' });
    const used = () => harness.throttle.snapshot(key).token?.used;
    harness.call('sent').permit?.end('answered');
    await harness.time.advance(9_999);
    expect(used()).toBe(1);
    await harness.time.advance(1);
    expect(used()).toBe(0);
  });

  test("an account's pool takes no count of the token for its own", async () => {
    const stats = { requests: 4, perMs: 10_000 };
    const harness = new ThrottleHarness({
      limits: { token: { requests: 100, perMs: 10_000 }, stats },
      windows: 'aligned',
    });
    const counts = (now: number) => ({ limit: 100, remaining: 90, date: date(now) });
    await harness.time.advance(7_000);
    const sent = Array.from({ length: 4 }, () => harness.call('sent', { pool: 'stats' }));
    for (const { permit } of sent) permit?.end('answered', counts(7_000));
    const calls = Array.from({ length: 4 }, () => harness.call('early', { pool: 'stats' }));
    await harness.time.advance(5_000);
    calls[0]?.permit?.end('answered', counts(12_000));
    await harness.time.advance(1_000);
    expect(calls.map(({ sentAt }) => sentAt)).toEqual([11_000, 12_000, undefined, undefined]);
  });

  test('a token whose windows are unknown stays so while others come and go', async () => {
    const harness = new ThrottleHarness({ limits, windows: 'aligned' });
    harness.throttle.block(key, 'token', 500);
    await harness.time.advance(60_000);
    for (let other = 0; other < 200; other += 1)
      harness.call('other', { key: { token: other } }).permit?.end('neverSent');
    expect(windowsOf(harness)).toBe('unknown');
  });

  test('a second refusal within the hour is not news, and does not prolong it', async () => {
    const harness = new ThrottleHarness({ limits, windows: 'aligned' });
    const refuse = () => harness.throttle.block(key, 'token', 500).givesUpWindows;
    expect(refuse()).toBe(true);
    await harness.time.advance(HOUR - 1);
    expect([refuse(), windowsOf(harness)]).toEqual([false, 'unknown']);
    await harness.time.advance(1);
    expect(windowsOf(harness)).toBe('aligned');
  });

  test('the snapshot names the windows, of an unused pool too, and only with the option', () => {
    expect(windowsOf(new ThrottleHarness({ limits, windows: 'aligned' }))).toBe('aligned');
    const { throttle } = new ThrottleHarness({ limits, windows: 'unknown' });
    expect(throttle.snapshot(key).token).toEqual({ ...limits.token, used: 0, waiting: 0 });
  });
});
