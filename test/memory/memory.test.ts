import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isFull } from '../support/extent.ts';
import { bundledProgram } from '../support/programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MB = 1_000_000;

interface Run {
  readonly count: number;
  readonly calls?: number;
  /** Bytes on the heap after a forced collection: after the first 10 000, then at regular intervals until the end. */
  readonly marks: readonly number[];
}

/** Runs a program in its own process, so that nothing else is on its heap. */
async function outputOf(name: string, args: readonly string[] = [], flags: readonly string[] = []) {
  const program = bundledProgram(fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)));
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', ...flags, program, ...args],
    { cwd: root },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as unknown;
}

const run = async (name: string, ...args: (string | number)[]) =>
  (await outputOf(name, args.map(String))) as Run;

/** How much larger than after the first 10 000 the heap became at most. */
function growth({ marks: [first = NaN, ...later] }: Run): number {
  return Math.max(...later) - first;
}

describe('Memory does not grow with', () => {
  const messages = isFull ? 1_000_000 : 300_000;
  test(`the length of a log: ${messages} messages are yielded once, in order, and the heap grows by less than 5 MB`, async () => {
    const walk = await run('log-walk', messages, 100, messages / 10);
    expect(walk.count).toBe(messages);
    expect(walk.marks).toHaveLength(11);
    expect(growth(walk)).toBeLessThan(5 * MB);
  });

  const emails = isFull ? 100_000 : 40_000;
  test(`the number of emails sent: ${emails} are accepted once each, and the heap grows by less than 5 MB`, async () => {
    const batch = await run('batch-run', emails, 10_000);
    expect([batch.count, batch.calls]).toEqual([emails, emails / 500]);
    expect(batch.marks).toHaveLength(emails / 10_000);
    expect(growth(batch)).toBeLessThan(5 * MB);
  });
});

test('The example that leaves out unsubscribed readers reads 100 000 one by one', async () => {
  const walk = await run('subscribers', 100_000, 10_000);
  expect(walk).toMatchObject({
    count: 99_996,
    ahead: 0,
    missing: [1, 2, 99_998, 99_999].map((n) => `Reader-${n}@example.org`),
  });
  expect(growth(walk)).toBeLessThan(5 * MB);
});

test('The log of an emulator with a control API keeps 2 000 requests with a thousand headers each in 64 MB', async () => {
  const log = await run('emulator-log', 2_000, 990, 500);
  expect(log.count).toBe(2_000);
  expect(growth(log)).toBeLessThan(64 * 2 ** 20);
});

test('A page that was read is not kept until the next full garbage collection', async () => {
  // With so much room, no full collection runs in between.
  const output = await outputOf('pages-read', [], ['--initial-old-space-size=2000']);
  const left = output as Readonly<Record<'page' | 'fetch' | 'client', number>>;
  // Proves the measurement: `fetch` itself keeps some memory of a request.
  expect(left.fetch).toBeGreaterThan(1_000);
  expect(left.client - left.fetch).toBeLessThan(left.page / 2);
});

describe('The measurement notices a loop that keeps', () => {
  test('40 000 messages', async () => {
    expect(growth(await run('log-walk', 50_000, 100, 10_000, 'keep'))).toBeGreaterThan(5 * MB);
  });

  test('20 000 outcomes', async () => {
    expect(growth(await run('batch-run', 30_000, 10_000, 'keep'))).toBeGreaterThan(5 * MB);
  });
});
