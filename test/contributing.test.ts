import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url);
const text = readFileSync(new URL('CONTRIBUTING.md', root), 'utf8');
const named = new Set([...text.matchAll(/`(src\/[\w./-]+\.ts)`/g)].map(([, path = '']) => path));

test('every source file that CONTRIBUTING.md names is there', () => {
  expect(named.size).toBeGreaterThan(15);
  expect([...named].filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

/** The source files of which some function is called while `run` runs. */
async function filesCalled(run: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
      .flatMap(({ url }) => /\/(src\/[\w./-]+\.ts)/.exec(url)?.[1] ?? []);
  } finally {
    session.disconnect();
  }
}

test('CONTRIBUTING.md names every file that a call passes through, but for small helpers of core', async () => {
  const emulator = createEmulator({ seed: 'demo' });
  const client = new EmailPlatform(emulator.clientOptions());
  const { items } = await client.campaigns.list();
  const id = items[0]?.id ?? 0;
  await client.campaigns.get(id);
  const called = await filesCalled(() => client.campaigns.get(id));
  const steps = called.filter((path) => /^src\/(resources|transport|throttle)\//.test(path));
  expect(steps.length).toBeGreaterThan(10);
  expect(steps.filter((path) => !named.has(path))).toEqual([]);
});
