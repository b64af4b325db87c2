import { execFileSync } from 'node:child_process';
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { newerNode } from '../support/databases.ts';
import { digits, figure, ratios, table, type Bench } from './bench.ts';
import { instructionsOf, whyNotCounted } from './instructions.ts';

/** What a function in a cloud does when it starts: it loads its client, and makes one. */
const FUNCTIONS = {
  'email-platform': "import { EmailPlatform } from 'email-platform'; new EmailPlatform({ token: 't' });",
  resend: "import { Resend } from 'resend'; new Resend('re_t');",
  openai: "import OpenAI from 'openai'; new OpenAI({ apiKey: 't' });",
};

/** Something to load in a fresh process: our own packages are loaded twice, so that the error of a figure shows. */
interface Loaded {
  readonly name: string;
  readonly load: string;
  readonly cwd: string;
  /** The Node that loads it; this one by default. */
  readonly node?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Words after the program's name, for a command. It prints before the time. */
  readonly words?: readonly string[];
}

/** Milliseconds that loading takes in a fresh process: the process's own start and end vary more than that. */
function timeOf({ load, cwd, node = process.execPath, env = {}, words = [] }: Loaded): number {
  const program = `const start = performance.now(); (async () => ${load})().then(() => console.log(performance.now() - start))`;
  const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  const lines = execFileSync(node, ['-e', program, 'program', ...words], options)
    .trim()
    .split('\n');
  return Number(lines.at(-1));
}

/** Loads everything in turn; a row for each, whose ratios are to the first. */
function rowsOf(
  title: string,
  loaded: readonly Loaded[],
  rounds: number,
  more: readonly string[][],
): string[][] {
  const times = loaded.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < loaded.length; place += 1) {
      const index = (place + round) % loaded.length;
      const each = loaded[index];
      if (each) times[index]?.push(timeOf(each));
    }
  }
  const [ours = []] = times;
  return [
    [title, 'time', '× the first', ...(more.length > 0 ? ['minified', 'gzip'] : [])],
    ...loaded.map(({ name }, index) => {
      const own = times[index] ?? [];
      return [`  ${name}`, figure(own, 1, 'ms'), figure(ratios(own, ours), 2), ...(more[index] ?? [])];
    }),
  ];
}

/** Imports with and without the compile cache of Node 22.1 and later, which a process writes when it ends. */
function cacheRows(consumer: string, folder: string, rounds: number): string[][] {
  const node = newerNode();
  if (node === undefined) return [['no import with the compile cache: there is no Node 22 here']];
  const none = { NODE_DISABLE_COMPILE_CACHE: '1' };
  const cached = { NODE_COMPILE_CACHE: join(folder, 'cache'), NODE_DISABLE_COMPILE_CACHE: undefined };
  const command = join(consumer, 'node_modules/email-platform/dist/cli/index.js');
  const imports = [
    { name: 'email-platform', load: "import('email-platform')" },
    { name: 'email-platform/testing', load: "import('email-platform/testing')" },
    { name: 'the command', load: `import(${JSON.stringify(command)})`, words: ['--version'] },
  ];
  return imports.flatMap(({ name, ...loaded }) =>
    rowsOf(
      `import of ${name}, Node 22`,
      [
        { ...loaded, cwd: consumer, node, name: 'without a compile cache', env: none },
        { ...loaded, cwd: consumer, node, name: 'with it, from the second start on', env: cached },
      ],
      rounds,
      [],
    ),
  );
}

/** Where no process listens: a call fails at once, after all that a first call loads. */
const NOWHERE = 'http://127.0.0.1:9';
const FIRST_CALL = `import { EmailPlatform } from 'email-platform';
  const hosts = { api: '${NOWHERE}' };
  const client = new EmailPlatform({ token: 't', hosts, retry: false, logger: false, dangerouslyAllowHttp: true });
  await client.accounts.list().catch(() => {});`;
const FETCH = `await fetch('${NOWHERE}').catch(() => {});`;

/** Millions of instructions that a program takes beyond an empty one, and their ratios to the first row's. */
function instructionRows(
  title: string,
  rows: readonly (readonly [name: string, count: number])[],
): string[][] {
  const [[, ours] = ['', NaN]] = rows;
  return [
    [title, 'instructions', '× the first'],
    ...rows.map(([name, count]) => [`  ${name}`, `${digits(count / 1e6, 1)} M`, digits(count / ours, 2)]),
  ];
}

/** What imports and first calls take in instructions. Ours is counted twice, so that the error of a figure shows. */
function instructionLines(root: string, consumer: string): string[] {
  const peers = join(root, 'test/peers/clients');
  const others = Object.keys(FUNCTIONS).filter((name) => name !== 'email-platform');
  const all = [
    ['email-platform', consumer],
    ['email-platform', consumer],
    ...others.map((name) => [name, peers] as const),
  ] as const;
  const labelOf = (name: string, index: number) => (index === 1 ? `${name} again` : name);
  const empty = new Map<string, number>();
  const beyondEmpty = (file: string, program: string, cwd: string) => {
    const path = join(cwd, file);
    try {
      if (!empty.has(path)) empty.set(path, instructionsOf(file, '', cwd));
      return instructionsOf(file, program, cwd) - (empty.get(path) ?? NaN);
    } finally {
      rmSync(path, { force: true });
    }
  };
  return table([
    ...instructionRows(
      'import, beyond an empty module',
      all.map(([name, cwd], index) => [
        labelOf(name, index),
        beyondEmpty('instructions.mjs', `import '${name}';`, cwd),
      ]),
    ),
    ...instructionRows(
      'require, beyond an empty module',
      all.map(([name, cwd], index) => [
        labelOf(name, index),
        beyondEmpty('instructions.cjs', `require('${name}');`, cwd),
      ]),
    ),
    ...instructionRows('import and first call: most of it is Node loading its fetch', [
      ['email-platform', beyondEmpty('instructions.mjs', FIRST_CALL, consumer)],
      ['fetch alone', beyondEmpty('instructions.mjs', FETCH, consumer)],
    ]),
  ]);
}

const bench: Bench = {
  title: 'Cold start: loading a client in a fresh process, in turn; medians over the rounds, ± their spread',
  async run({ root, consumer, isSmoke }) {
    const rounds = isSmoke ? 3 : 31;
    const reason = whyNotCounted(isSmoke);
    const peers = join(root, 'test/peers/clients');
    const names = Object.keys(FUNCTIONS);
    const placeOf = (name: string) => (name === 'email-platform' ? consumer : peers);
    const twice = <T>([first, ...others]: readonly T[]): T[] =>
      first === undefined ? [] : [first, first, ...others];
    const labels = twice(names).map((name, index) => (index === 1 ? `${name} again` : name));
    const loading = (word: 'import' | 'require') =>
      twice(names).map((name, index): Loaded => ({
        name: labels[index] ?? name,
        load: `${word}('${name}')`,
        cwd: placeOf(name),
      }));

    const folder = mkdtempSync(join(tmpdir(), 'email-platform-functions-'));
    try {
      const functions: Loaded[] = [];
      const sizes: string[][] = [];
      for (const [name, contents] of Object.entries(FUNCTIONS)) {
        const outfile = join(folder, `${name}.cjs`);
        const stdin = { contents, resolveDir: placeOf(name) };
        await build({ stdin, outfile, bundle: true, minify: true, platform: 'node', target: 'node20' });
        const code = readFileSync(outfile);
        functions.push({ name, load: `require('./${name}.cjs')`, cwd: folder });
        sizes.push(
          [code, gzipSync(code, { level: 9 })].map(({ length }) => `${digits(length / 1000, 0)} kB`),
        );
      }
      return {
        lines: table([
          ...rowsOf('import', loading('import'), rounds, []),
          ...rowsOf('require', loading('require'), rounds, []),
          ...rowsOf(
            'a function (esbuild, minified), and its client made',
            twice(functions).map((each, index) => ({ ...each, name: labels[index] ?? each.name })),
            rounds,
            twice(sizes),
          ),
          ...cacheRows(consumer, folder, rounds),
        ]).concat('', reason === undefined ? instructionLines(root, consumer) : [reason]),
        broken: [],
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export default bench;
