import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, inject, test } from 'vitest';
import { hostsThatReadOnce } from '../support/compiler-hosts.ts';
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

const hostFor = hostsThatReadOnce();

function problems(folder: string, options: ts.CompilerOptions, files = sources): string[] {
  const names = files.map((file) => join(folder, file));
  const program = ts.createProgram(names, options, hostFor(options));
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, start = 0, messageText }) =>
      [
        file && `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}`,
        ts.flattenDiagnosticMessageText(messageText, ' '),
      ].join(' '),
    );
}

const strict: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  // TypeScript's own libraries excepted.
  skipDefaultLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
};

const { Node16, NodeNext, Bundler } = ts.ModuleResolutionKind;
const resolutions: readonly [string, ts.CompilerOptions][] = [
  ['node16', { module: ts.ModuleKind.Node16, moduleResolution: Node16 }],
  ['nodenext', { module: ts.ModuleKind.NodeNext, moduleResolution: NodeNext }],
  ['bundler', { module: ts.ModuleKind.ESNext, moduleResolution: Bundler }],
];

const inNode = { lib: ['lib.es2022.d.ts'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
const inBrowser = {
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
};

test.each([22, 24])('a consumer compiles with the types of Node %d', (version) => {
  const typeRoots = join(consumer, `types-of-node-${version}`);
  mkdirSync(typeRoots);
  symlinkSync(join(root, `node_modules/types-node-${version}`), join(typeRoots, 'node'), 'junction');
  const environment = { ...inNode, typeRoots: [typeRoots] };
  expect(problems(modules, { ...strict, ...resolutions[1]?.[1], ...environment })).toEqual([]);
});

describe.each(resolutions)('a consumer under %s', (_, resolution) => {
  test.each([
    ['Node’s types', inNode],
    ['the DOM', inBrowser],
    ['both', { ...inBrowser, ...inNode, lib: inBrowser.lib }],
  ])('compiles as modules, with %s', (_name, environment) => {
    expect(problems(modules, { ...strict, ...resolution, ...environment })).toEqual([]);
  });

  test('compiles with the peers’ types, where these are installed', () => {
    // The peers' own declarations are not checked.
    const environment = { ...inBrowser, ...inNode, lib: inBrowser.lib };
    const options = { ...strict, ...resolution, ...environment, skipLibCheck: true };
    const files = ['msw.ts', 'redis.ts', 'bottleneck.ts', 'opentelemetry.ts', 'schemas.ts'];
    expect(problems(withPeers, options, files)).toEqual([]);
  });

  test('compiles with neither the DOM’s types nor Node’s, through every entry', () => {
    const options = { ...strict, ...resolution, lib: ['lib.es2022.d.ts'], types: [], typeRoots: [] };
    expect(problems(modules, options, ['no-web-types.ts'])).toEqual([]);
    // MSW needs the types of either itself; the declarations of Zod and OpenTelemetry name some of them.
    const entries = ['', '/testing', '/redis', '/bottleneck', '/opentelemetry', '/schemas'];
    const lines = entries.map((entry, index) => `export * as e${index} from 'email-platform${entry}';`);
    writeFileSync(join(withPeers, 'entries.ts'), lines.join('\n'));
    const found = problems(withPeers, options, ['entries.ts']);
    expect(found.filter((problem) => !/\/node_modules\/(zod|@opentelemetry)\//.test(problem))).toEqual([]);
  });

  test('compiles as CommonJS', () => {
    expect(problems(commonJs, { ...strict, ...resolution, ...inNode })).toEqual([]);
  });

  test('can import only the documented entries', () => {
    const inside = ['dist/index.js', 'dist/testing/index.js', 'package.json', 'errors'];
    const lines = inside.map((path) => `export * from 'email-platform/${path}';`);
    writeFileSync(join(modules, 'inside.ts'), lines.join('\n'));
    const found = problems(modules, { ...strict, ...resolution, ...inNode }, ['inside.ts']);
    expect(found).toEqual(inside.map(() => expect.stringContaining('Cannot find module') as string));
  });
});
