import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { EmailPlatform } from 'email-platform';
import { createJournal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { MemoryStore } from './entries/journal/memory-store.ts';

const root = new URL('../', import.meta.url);
const welcome = readFileSync(new URL('CONTRIBUTING.md', root), 'utf8');
const text = readFileSync(new URL('docs/architecture.md', root), 'utf8');
const filesNamedIn = (page: string) =>
  new Set([...page.matchAll(/`((?:src|test)\/[\w./-]+\.tsx?)`/g)].map(([, path = '']) => path));
const named = filesNamedIn(text);

test('every file that CONTRIBUTING.md and docs/architecture.md name is there', () => {
  expect([...named]).not.toEqual([]);
  const all = [...filesNamedIn(welcome), ...named];
  expect(all.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

test('each recipe of CONTRIBUTING.md has a command, whose tests are there', () => {
  const recipes = welcome.split('\n## ').filter((section) => section.startsWith('Add '));
  expect(recipes.map((recipe) => recipe.split('\n', 1)[0])).toContain('Add an option of the client');
  for (const recipe of recipes) expect(recipe).toMatch(/```sh\n[^`]*\btest\/[\w/-]+\.test\.ts\n/);
  const tests = [...welcome.matchAll(/\btest\/[\w/-]+\.test\.ts\b/g)].map(([path]) => path);
  expect(tests.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

/** The folder of a file, by its path in src: an entry is a folder of its own. */
const folderOf = (path: string) => /^(?:entries\/[\w-]+|[\w-]+)(?=\/)/.exec(path)?.[0];

/** The folders of src, and the other folders that the files of each import, also for types alone. */
function imports(): Map<string, Set<string>> {
  const src = new URL('src/', root);
  const found = new Map<string, Set<string>>();
  for (const native of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    const path = native.replaceAll('\\', '/');
    const folder = folderOf(path);
    if (folder === undefined || !/\.tsx?$/.test(path)) continue;
    const others = found.get(folder) ?? new Set();
    found.set(folder, others);
    const file = new URL(path, src);
    for (const [, from = '', later = ''] of readFileSync(file, 'utf8').matchAll(
      /from '(\.[^']+)'|import\('(\.[^']+)'\)/g,
    )) {
      const other = folderOf(new URL(from || later, file).pathname.replace(src.pathname, ''));
      if (other !== undefined && other !== folder) others.add(other);
    }
  }
  return found;
}

test('the picture in docs/architecture.md has every folder of src, and an arrow for each import', () => {
  const [, picture = ''] = /```mermaid\nflowchart TD\n([^]*?)```/.exec(text) ?? [];
  const drawn = new Map<string, string[]>();
  for (const line of picture.trim().split('\n')) {
    const [from = [], to = []] = line.split('-->').map((side) => side.trim().split(' & '));
    for (const name of [...from, ...to]) if (!drawn.has(name)) drawn.set(name, []);
    for (const name of from) drawn.get(name)?.push(...to);
  }
  // The text says this of `core` and `kit`, so that the picture need not.
  const LEFT_OUT = new Set(['core', 'kit']);
  const arrows = (folders: Iterable<[string, Iterable<string>]>) =>
    Object.fromEntries(
      [...folders].map(([name, to]) => [name, [...to].filter((other) => !LEFT_OUT.has(other)).sort()]),
    );
  const real = imports();
  expect(arrows(drawn)).toEqual(arrows(real));
  const without = [...real].filter(([, to]) => !to.has('core')).map(([name]) => name);
  expect(without.sort()).toEqual(['core', 'entries/schemas', 'handlebars', 'kit']);
  expect([...(real.get('kit') ?? [])]).toEqual([]);
});

test('the map in docs/architecture.md has every room of src/testing', () => {
  const [, map = ''] = /^## The map\n([^]*?)\n## /m.exec(text) ?? [];
  const rooms = new URL('src/testing/', root);
  const names = readdirSync(rooms, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => `${name}/`);
  expect(names.filter((name) => !map.includes(name))).toEqual([]);
});

test('each shape of an email in docs/architecture.md is declared and made where the table says', () => {
  const [, table = ''] = /^### The shapes of an email\n([^]*?)\n## /m.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)` +\| `([^`]+)` +\| (?:`(\w+)`)?[^|]*\| `([^`]+)`/gm)];
  expect(rows.length).toBe(table.split('\n').filter((line) => line.startsWith('| `')).length);
  const has = (path: string, pattern: string) =>
    new RegExp(pattern).test(readFileSync(new URL(path, root), 'utf8'));
  const names = rows.map(([, name]) => name);
  const wrong = rows.filter(
    ([, name = '', declared = '', origin, made = '']) =>
      !has(declared, `export (?:interface|class|function) ${name}\\b`) ||
      !has(made, `\\b${name}\\b`) ||
      (origin !== undefined && !(names.includes(origin) && has(made, `\\b${origin}\\b`))),
  );
  expect(wrong.map(([row]) => row)).toEqual([]);
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

/** The diffs in a part of a page: a file, and lines that begin with `+` or a space. */
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

test('the diffs of docs/architecture.md are about files and lines that are there', () => {
  // The first part shows what was added once; the second, what a field would add.
  const [added = '', field = ''] = text.split('\nA new field is a line');
  for (const part of [added, field]) {
    expect(diffsIn(part)).not.toEqual([]);
    expect(diffsIn(part).length, 'a diff of docs/architecture.md names no file').toBe(
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
  expect(names).not.toEqual([]);
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

test('docs/architecture.md names every file that a call passes through, but for small helpers of core', async () => {
  const emulator = createEmulator({ seed: 'demo' });
  const journal = createJournal(new MemoryStore());
  const client = new EmailPlatform({ ...emulator.clientOptions(), journal });
  const email = { from: 'a@mail.example.com', to: 'b@example.org', subject: 'Hi', text: 'Hi' };
  const { items } = await client.campaigns.list();
  const id = items[0]?.id ?? 0;
  const get = () => client.campaigns.get(id);
  const send = (idempotencyKey: string) => client.sending.send(email, { idempotencyKey });
  await get();
  await send('first');
  for (const run of [get, () => send('second')]) {
    const called = await filesCalled(run);
    const steps = called.filter((path) =>
      /^src\/(resources|transport|throttle|entries\/journal)\//.test(path),
    );
    expect(steps).not.toEqual([]);
    expect(steps.filter((path) => !named.has(path))).toEqual([]);
  }
});
