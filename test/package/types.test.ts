import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { COMPILERS, said } from '../support/compilers.ts';
import { root } from '../support/packed.ts';

const consumer = inject('consumer');
const sources = [
  'accounts-and-requests.ts',
  'campaigns.ts',
  'deliveries.ts',
  'email-logs.ts',
  'errors.ts',
  'journal.ts',
  'no-web-types.ts',
  'options.ts',
  'pages.ts',
  'sending.ts',
  'templates.ts',
  'templates-and-domains.ts',
  'web-types.ts',
  'webhooks.ts',
];

/** The type tests as a user's own project: one of modules, one of CommonJS files. */
function project(parent: string, type: 'module' | 'commonjs'): string {
  const folder = join(parent, type);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
  cpSync(join(root, 'test/types'), folder, { recursive: true });
  return folder;
}

const modules = project(consumer, 'module');
const commonJs = project(consumer, 'commonjs');
const withPeers = project(inject('consumerWithPeers'), 'module');

/** The types of this package are the same to every compiler, as compilers.test.ts shows: this one takes the least time. */
const newest = COMPILERS.at(-1) ?? '';

async function problems(
  folder: string,
  options: object,
  files = sources,
  compiler = newest,
): Promise<string[]> {
  const output = await said(compiler, folder, files, options);
  return output.trim() === '' ? [] : output.trim().split(/\n(?=\S)/);
}

const strict = {
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  // TypeScript's own libraries excepted.
  skipDefaultLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
};

const nodeNext = { module: 'nodenext', moduleResolution: 'nodenext' };
const resolutions: readonly (readonly [string, object])[] = [
  ['node16', { module: 'node16', moduleResolution: 'node16' }],
  ['nodenext', nodeNext],
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
];

const inNode = { lib: ['es2022'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
const inBrowser = { lib: ['es2022', 'dom', 'dom.iterable'], types: [] };

test.each([22, 24])('a consumer compiles with the types of Node %d', async (version) => {
  const typeRoots = join(consumer, `types-of-node-${version}`);
  mkdirSync(typeRoots);
  symlinkSync(join(root, `node_modules/types-node-${version}`), join(typeRoots, 'node'), 'junction');
  const environment = { ...inNode, typeRoots: [typeRoots] };
  const options = { ...strict, ...nodeNext, ...environment };
  expect(await problems(modules, options, sources, 'typescript-5.9')).toEqual([]);
});

describe.each(resolutions)('a consumer under %s', (_, resolution) => {
  test.each([
    ['Node’s types', inNode],
    ['the DOM', inBrowser],
    ['both', { ...inBrowser, ...inNode, lib: inBrowser.lib }],
  ])('compiles as modules, with %s', async (_name, environment) => {
    expect(await problems(modules, { ...strict, ...resolution, ...environment })).toEqual([]);
  });

  test('compiles with the peers’ types, where these are installed', async () => {
    // The peers' own declarations are not checked.
    const environment = { ...inBrowser, ...inNode, lib: inBrowser.lib };
    const options = { ...strict, ...resolution, ...environment, skipLibCheck: true };
    const files = ['msw.ts', 'redis.ts', 'bottleneck.ts', 'opentelemetry.ts', 'schemas.ts'];
    expect(await problems(withPeers, options, files)).toEqual([]);
  });

  test('compiles with neither the DOM’s types nor Node’s, through every entry', async () => {
    const options = { ...strict, ...resolution, lib: ['es2022'], types: [], typeRoots: [] };
    expect(await problems(modules, options, ['no-web-types.ts'])).toEqual([]);
    // MSW needs the types of either itself; the declarations of Zod and OpenTelemetry name some of them.
    const entries = ['', '/testing', '/redis', '/bottleneck', '/opentelemetry', '/schemas'];
    const lines = entries.map((entry, index) => `export * as e${index} from 'email-platform${entry}';`);
    writeFileSync(join(withPeers, 'entries.ts'), lines.join('\n'));
    const found = await problems(withPeers, options, ['entries.ts']);
    expect(found.filter((problem) => !/\/node_modules\/(zod|@opentelemetry)\//.test(problem))).toEqual([]);
  });

  test('compiles as CommonJS', async () => {
    expect(await problems(commonJs, { ...strict, ...resolution, ...inNode })).toEqual([]);
  });

  test('can import only the documented entries', async () => {
    const inside = ['dist/index.js', 'dist/testing/index.js', 'package.json', 'errors'];
    const lines = inside.map((path) => `export * from 'email-platform/${path}';`);
    writeFileSync(join(modules, 'inside.ts'), lines.join('\n'));
    const found = await problems(modules, { ...strict, ...resolution, ...inNode }, ['inside.ts']);
    expect(found).toEqual(inside.map(() => expect.stringContaining('Cannot find module') as string));
  });
});
