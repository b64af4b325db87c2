import { DatedThrottle, type DatedService } from '../support/dated-service.ts';
import { random } from '../support/random.ts';
import { fixedWindow } from '../support/server-windows.ts';
import { digits, table, type Bench } from './bench.ts';

const LIMIT = { requests: 150, perMs: 10_000 };
const EPOCH = 1_800_000_000_000;
const LATENCIES = [
  [50, 250],
  [500, 500],
  [1_000, 1_000],
  [2_000, 2_000],
  [3_000, 3_000],
  [4_000, 4_000],
] as const;

/** A service whose windows begin at multiples of ten seconds, and that is `phase` milliseconds into one at 0. */
function service(from: number, to: number, more: Partial<DatedService>, phase = 3_210): DatedService {
  const next = random(from + phase);
  return {
    limit: LIMIT,
    window: fixedWindow(LIMIT.requests, LIMIT.perMs),
    startsAt: EPOCH + phase,
    hasCounts: true,
    roundTrip: () => [from + next() * (to - from), next()],
    ...more,
  };
}

/** The part of the published rate with calls always waiting, and the refusals. */
async function rate(run: DatedThrottle, ms: number): Promise<string> {
  run.saturate();
  await run.until(ms);
  const part = (run.sentAt.length - run.refused.length) / ((LIMIT.requests * ms) / LIMIT.perMs);
  return `${digits(100 * part, 1)} %${run.refused.length > 0 ? `, ${run.refused.length} refused` : ''}`;
}

/** The mean time at which the last of 160 calls leaves, over the moments of a window at which they are made. */
async function burst(from: number, to: number, more: Partial<DatedService>): Promise<string> {
  let sum = 0;
  const phases = Array.from({ length: 20 }, (_, index) => index * 500 + 7);
  for (const phase of phases) {
    const run = new DatedThrottle(service(from, to, more, phase));
    for (let count = 0; count < 160; count += 1) void run.call();
    await run.until(30_000);
    sum += run.sentAt[159] ?? NaN;
  }
  return `${digits(sum / phases.length / 1000, 2)} s`;
}

const bench: Bench = {
  title:
    'Windows of the limit: the part of the published rate in virtual time, and the time after which 160 calls have left',
  readsSourcesOnly: true,
  async run({ isSmoke }) {
    const ms = isSmoke ? 120_000 : 3_600_000;
    const ways: readonly Partial<DatedService>[] = [
      { windows: 'unknown' },
      {},
      { hasCounts: false },
      { dateAhead: () => 1_000 },
      { dateAhead: () => -1_000 },
    ];
    const rows: string[][] = [
      [
        'responses after',
        'unknown',
        'aligned',
        '… no counts',
        '… Date ahead 1 s',
        '… behind 1 s',
        '160: unknown',
        'aligned',
      ],
    ];
    for (const [from, to] of LATENCIES) {
      const rates: string[] = [];
      for (const way of ways) rates.push(await rate(new DatedThrottle(service(from, to, way)), ms));
      const bursts = [await burst(from, to, { windows: 'unknown' }), await burst(from, to, {})];
      rows.push([from === to ? `${from} ms` : `${from} to ${to} ms`, ...rates, ...bursts]);
    }
    return { lines: table(rows), broken: [] };
  },
};

export default bench;
