import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

test('test/support/README.md names every file beside it', () => {
  const map = readFileSync(new URL('test/support/README.md', root), 'utf8');
  const files = readdirSync(new URL('test/support', root), { withFileTypes: true })
    .map((one) => one.name + (one.isDirectory() ? '/' : ''))
    .filter((name) => name !== 'README.md' && !name.endsWith('.d.ts'));
  expect([...map.matchAll(/^\| `([\w.-]+\/?)`/gm)].map(([, name]) => name).sort()).toEqual(files.sort());
});

/** A text with single spaces and without the marks of comments, so that its lines can be found wherever they break. */
const flat = (lines: string) =>
  lines
    .replace(/\/\*\*|\*\/|\n *\* /g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The diffs in a part of CONTRIBUTING.md: a file, and lines that begin with `+` or a space. */
const diffsIn = (part: string) =>
  [...part.matchAll(/```diff\n {2}\/\/ ([\w./-]+\.ts)[^\n]*\n([^]*?)```/g)].map(
    ([, path = '', lines = '']) => ({ path, lines: lines.split('\n').filter((line) => line !== '') }),
  );

/** The lines of diffs that are not in their files. What is left out of a line is an ellipsis. */
const missingLines = (diffs: ReturnType<typeof diffsIn>, isShown: (line: string) => boolean) =>
  diffs.flatMap(({ path, lines }) => {
    if (!existsSync(new URL(path, root))) return [path];
    const file = flat(readFileSync(new URL(path, root), 'utf8'));
    return lines
      .filter(isShown)
      .filter(
        (line) =>
          !line
            .slice(2)
            .split('…')
            .every((piece) => file.includes(flat(piece))),
      )
      .map((line) => `${path}: ${line}`);
  });

test('the diffs of CONTRIBUTING.md are about files and lines that are there', () => {
  // The first part shows what was added once; the second, what a field would add.
  const [added = '', field = ''] = text.split('\nA new field is a line');
  for (const part of [added, field]) {
    expect(diffsIn(part)).not.toEqual([]);
    expect(diffsIn(part).length, 'a diff of CONTRIBUTING.md names no file').toBe(
      part.split('```diff').length - 1,
    );
  }
  expect(missingLines(diffsIn(added), () => true)).toEqual([]);
  expect(missingLines(diffsIn(field), (line) => !line.startsWith('+'))).toEqual([]);
});

test('every file that a page of docs/decisions names is there', () => {
  const files = ['src', 'test', '.ci'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.includes('node_modules'))
      .map((path) => `${folder}/${path}`),
  );
  const pages = new URL('docs/decisions/', root);
  const names = readdirSync(pages).flatMap((page) => {
    const spans = readFileSync(new URL(page, pages), 'utf8').matchAll(/`([\w./*-]+\.(?:ts|mjs))`/g);
    return [...spans].map(([, path = '']) => ({ page, path }));
  });
  expect(names.length).toBeGreaterThan(15);
  const isThere = (path: string) => {
    const pattern = path.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
    const whole = new RegExp(`^${path.includes('/') ? '' : '.*/'}${pattern}$`);
    return files.some((file) => whole.test(file));
  };
  expect(names.filter(({ path }) => !isThere(path))).toEqual([]);
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
