import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import ts from 'typescript';
import { describe, expect, inject, test } from 'vitest';
import { bundledPackages } from '../../.ci/bundled-packages.mjs';
import { isLeftOut } from '../../.ci/repository.mjs';
import { guides } from '../docs/snippets.ts';
import { root } from '../support/packed.ts';

const installed = join(inject('consumer'), 'node_modules/email-platform');
const read = (file: string) => readFileSync(join(installed, file), 'utf8');
const files = readdirSync(installed, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
const declarations = files.filter((file) => /\.d\.c?ts$/.test(file));

/** The files that the proxy's entry only names, so that a page takes what it needs. */
const PARTS_OF_PROXY = ['proxy/hosts', 'proxy/node', 'proxy/proxy'];

/** The page of a report, which only a program that writes one loads, in either format. */
const REPORT = 'report/html.cjs';

/** Every entry, and what it may import: its peer, modules of Node, and its parts. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  index: [],
  'redis/index': ['node:crypto'],
  'bottleneck/index': [],
  'proxy/index': ['./hosts.js', './node.js', './proxy.js'],
  'schemas/index': ['zod'],
  'webhooks/index': [],
  'journal/index': [],
  // The caller gives it what nodemailer made; its types are added to nodemailer's, which are not imported.
  'nodemailer/index': [],
  'opentelemetry/index': ['@opentelemetry/api'],
  // It watches folders with node:fs.
  'templates/index': ['node:crypto', 'node:fs', 'node:fs/promises', 'node:path'],
  'diagnose/index': [],
  // The emulator imports node:http only when it listens, and the others only when it writes a report.
  'testing/index': ['../report/html.cjs', 'node:fs/promises', 'node:http', 'node:path'],
  'testing/msw': ['msw'],
};
const ENTRIES = Object.keys(IMPORTS);

interface Manifest {
  readonly version: string;
  readonly exports: unknown;
  readonly typesVersions: unknown;
  readonly dependencies?: unknown;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(read('package.json')) as Manifest;

/** Every module a file names: imports, exports, `import(…)` as a value or in a type, `require`. */
function modulesOf(file: string): string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal);
    if (ts.isCallExpression(node) && isImport(node.expression)) add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  const add = (node: ts.Node | undefined) => {
    if (node && ts.isStringLiteralLike(node)) names.add(node.text);
  };
  visit(source);
  for (const { fileName } of source.typeReferenceDirectives) names.add(fileName);
  return [...names];
}

/** Every module that a file names in `import(…)`; the text of the argument where it is no text. */
function importedLate(file: string): string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      found.push(
        ...node.arguments.map((given) => (ts.isStringLiteralLike(given) ? given.text : given.getText())),
      );
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isImport(callee: ts.Expression): boolean {
  return (
    callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
  );
}

test('the tarball contains exactly the expected files', () => {
  const examples = readdirSync(join(root, 'examples'))
    // These need more than the package.
    .filter((name) => !['browser', 'shop'].includes(name))
    .map((name) => `examples/${name}`);
  const expected = [
    ...guides.filter((name) => !isLeftOut(name)),
    ...[...ENTRIES, ...PARTS_OF_PROXY]
      .filter((name) => name !== 'testing/index')
      .map((name) => `dist/${name}.js.map`),
    ...PARTS_OF_PROXY.flatMap((name) => [`dist/${name}.js`, `dist/${name}.cjs`]),
    `dist/${REPORT}`,
    'dist/cli/index.js.map',
    'dist/cli/main.js.map',
    ...examples,
    'AGENTS.md',
    'CHANGELOG.md',
    'LICENSE',
    'SKILL.md',
    'THIRD_PARTY_LICENSES',
    'dist/bottleneck/index.cjs',
    'dist/bottleneck/index.d.cts',
    'dist/bottleneck/index.d.ts',
    'dist/bottleneck/index.js',
    'dist/cli/index.js',
    'dist/cli/main.js',
    'dist/diagnose/index.cjs',
    'dist/diagnose/index.d.cts',
    'dist/diagnose/index.d.ts',
    'dist/diagnose/index.js',
    'dist/index.cjs',
    'dist/index.d.cts',
    'dist/index.d.ts',
    'dist/index.js',
    'dist/journal/index.cjs',
    'dist/journal/index.d.cts',
    'dist/journal/index.d.ts',
    'dist/journal/index.js',
    'dist/nodemailer/index.cjs',
    'dist/nodemailer/index.d.cts',
    'dist/nodemailer/index.d.ts',
    'dist/nodemailer/index.js',
    'dist/opentelemetry/index.cjs',
    'dist/opentelemetry/index.d.cts',
    'dist/opentelemetry/index.d.ts',
    'dist/opentelemetry/index.js',
    'dist/proxy/index.cjs',
    'dist/proxy/index.d.cts',
    'dist/proxy/index.d.ts',
    'dist/proxy/index.js',
    'dist/redis/index.cjs',
    'dist/redis/index.d.cts',
    'dist/redis/index.d.ts',
    'dist/redis/index.js',
    'dist/schemas/index.cjs',
    'dist/schemas/index.d.cts',
    'dist/schemas/index.d.ts',
    'dist/schemas/index.js',
    'dist/templates/index.cjs',
    'dist/templates/index.d.cts',
    'dist/templates/index.d.ts',
    'dist/templates/index.js',
    'dist/testing/index.cjs',
    'dist/testing/index.d.cts',
    'dist/testing/index.d.ts',
    'dist/testing/index.js',
    'dist/testing/msw.cjs',
    'dist/testing/msw.d.cts',
    'dist/testing/msw.d.ts',
    'dist/testing/msw.js',
    'dist/webhooks/index.cjs',
    'dist/webhooks/index.d.cts',
    'dist/webhooks/index.d.ts',
    'dist/webhooks/index.js',
    'package.json',
    'sbom.cdx.json',
  ];
  expect(files.sort()).toEqual(expected.sort());
  expect(examples.filter((name) => !/\.(?:py|ts)$/.test(name))).toEqual([]);
});

test('every entry is exported for both formats, with types of its own', () => {
  const formats = (name: string) => ({
    import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
    require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
  });
  const path = (name: string) => `./${name.replace(/\/?index$/, '')}`.replace(/\/$/, '');
  expect(manifest.exports).toEqual(Object.fromEntries(ENTRIES.map((name) => [path(name), formats(name)])));
});

test('a compiler that knows no exports finds the types of every entry', () => {
  const subpaths = ENTRIES.filter((name) => name !== 'index').map((name) => [
    name.replace(/\/index$/, ''),
    [`./dist/${name}.d.cts`],
  ]);
  expect(manifest.typesVersions).toEqual({ '*': Object.fromEntries(subpaths) as object });
});

test('the package depends on nothing, and says which Node it needs', () => {
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.engines.node).toBe('>=20.19');
});

test('every ECMAScript module has a map of our sources, without their texts', () => {
  for (const file of files.filter((name) => name.endsWith('.js') && name !== 'dist/testing/index.js')) {
    const map = JSON.parse(read(`${file}.map`)) as { sources: readonly string[]; sourcesContent?: unknown };
    expect(map.sources.length, file).toBeGreaterThan(0);
    expect(map.sources.filter((source) => !/^(\.\.\/)+src\//.test(source))).toEqual([]);
    expect(map.sourcesContent).toBeUndefined();
  }
});

test('the tarball is small: at most 1.8 MB to download, and 7 MB on disk', () => {
  // Every build and every new computer downloads it. Texts in source maps and pictures had made it 4.8 MB.
  expect(statSync(inject('tarball')).size).toBeLessThanOrEqual(1_800_000);
  const onDisk = files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0);
  expect(onDisk).toBeLessThanOrEqual(7_000_000);
});

test('nothing runs when the package is installed', () => {
  const atInstall = /^(pre|post)?(install|prepare|uninstall)$|^dependencies$/;
  expect(Object.keys(manifest.scripts).filter((name) => atInstall.test(name))).toEqual([]);
});

test('VERSION is that of package.json', async () => {
  const { VERSION } = (await import(join(installed, 'dist/index.js'))) as { readonly VERSION: string };
  expect(VERSION).toBe(manifest.version);
});

describe('the built files', () => {
  test('the page of a report imports nothing', () => {
    expect(modulesOf(`dist/${REPORT}`)).toEqual([]);
  });

  test('CommonJS has no `import()`, which Jest refuses; ECMAScript modules have it for our files and modules of Node alone', () => {
    for (const file of files.filter((name) => name.endsWith('.cjs')))
      expect(importedLate(file), file).toEqual([]);
    for (const name of ENTRIES)
      expect(importedLate(`dist/${name}.js`).filter((module) => !/^(\.|node:)/.test(module))).toEqual([]);
  });

  test.each([...ENTRIES, ...PARTS_OF_PROXY])(
    '%s imports only its peer, modules of Node and its parts',
    (name) => {
      const { [name]: imports = [] } = IMPORTS;
      expect(modulesOf(`dist/${name}.js`).sort()).toEqual(imports);
      const inCommonJs = imports.map((module) => module.replace(/^(\.\/.*)\.js$/, '$1.cjs'));
      expect(modulesOf(`dist/${name}.cjs`).sort()).toEqual(inCommonJs);
    },
  );

  test.each([...ENTRIES, ...PARTS_OF_PROXY].filter((name) => !name.startsWith('testing/')))(
    '%s contains and loads nothing of the emulator',
    (name) => {
      const { sources } = JSON.parse(read(`dist/${name}.js.map`)) as { readonly sources: readonly string[] };
      expect(sources.filter((source) => source.includes('src/testing/'))).toEqual([]);
      const loaded = ['js', 'cjs'].flatMap((format) => [
        ...modulesOf(`dist/${name}.${format}`),
        ...importedLate(`dist/${name}.${format}`),
      ]);
      expect(loaded.filter((module) => /testing|report/.test(module))).toEqual([]);
    },
  );

  test.each(ENTRIES.filter((name) => name !== 'schemas/index'))('%s does not contain zod', (name) => {
    for (const format of ['js', 'cjs']) expect(read(`dist/${name}.${format}`)).not.toMatch(/\bzod\b|_zod/);
  });

  test('a bundler keeps only the schemas that are used', async () => {
    const bundled = async (contents: string) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: inject('consumerWithPeers') },
        bundle: true,
        write: false,
        format: 'esm',
        external: ['zod'],
      });
      return outputFiles[0]?.text ?? '';
    };
    const one = await bundled("export { template } from 'email-platform/schemas';");
    expect(one).toContain('uuid: z');
    expect(one.match(/\bz\d*\.\w*object\w*\(/gi)).toHaveLength(1);
    expect((await bundled("import 'email-platform/schemas';")).trim()).toBe('');
  });

  test('a page takes nothing from the proxy but the hosts: less than 200 bytes', async () => {
    const textOf = async (contents: string) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: inject('consumer') },
        bundle: true,
        minify: true,
        write: false,
        format: 'esm',
      });
      return outputFiles[0]?.text ?? '';
    };
    const page = await textOf("export { proxyHosts } from 'email-platform/proxy';");
    expect(page).toContain('proxyHosts');
    expect(page.length).toBeLessThan(200);
    expect((await textOf("export * from 'email-platform/proxy';")).length).toBeGreaterThan(10_000);
  });

  test('another bundler does so, too', async () => {
    const folder = join(installed, 'dist/proxy');
    const leadTo = (name: string) => ({ id: join(folder, name), moduleSideEffects: false });
    const build = await rollup({
      input: 'page',
      plugins: [
        {
          name: 'page',
          // As package.json has it: `sideEffects` is false.
          resolveId: (id) => (id === 'page' ? id : leadTo(id === 'email-platform/proxy' ? 'index.js' : id)),
          load: (id) =>
            id === 'page' ? "export { proxyHosts } from 'email-platform/proxy';" : readFileSync(id, 'utf8'),
        },
      ],
    });
    const { output } = await build.generate({ format: 'esm' });
    await build.close();
    expect(output[0].code).toContain('proxyHosts');
    expect(output[0].code.length).toBeLessThan(400);
  });

  test('the command line imports the built entries instead of copies', () => {
    expect(modulesOf('dist/cli/main.js').sort()).toEqual([
      '../diagnose/index.js',
      '../index.js',
      '../journal/index.js',
      '../templates/index.js',
      '../testing/index.js',
      // Opens a browser with `--open`.
      'node:child_process',
      'node:events',
      'node:fs',
      'node:fs/promises',
      'node:module',
      'node:os',
      'node:path',
      'node:readline/promises',
      'node:util',
      // Runs `templates dev` in a thread of its own.
      'node:worker_threads',
    ]);
  });

  test.each(['dist/index.js', 'dist/index.cjs'])('%s evaluates ky only at its first use', (file) => {
    // Lines break anywhere, also in a string.
    const text = read(file).replace(/\\\n|\s/g, '');
    // The bundler's own wrappers: what is inside runs when `init_…` is called, and one place calls it.
    const initOf = (module: string) =>
      new RegExp(`(?:var|,)(init_\\w+)=__esm\\(\\{"${module}"`).exec(text)?.[1] ?? `no wrapper of ${module}`;
    const initKy = initOf('node_modules/ky/distribution/index.js');
    const initLoader = initOf('src/transport/runtimes/load-ky.ts');
    expect(text.split(`${initKy}()`)).toHaveLength(2);
    expect(text).toMatch(new RegExp(`"src/transport/runtimes/load-ky\\.ts"\\(\\)\\{[^}]*${initKy}\\(\\)`));
    expect(text.split(`${initLoader}()`)).toHaveLength(2);
    expect(text).toContain(`Promise.resolve().then(()=>(${initLoader}(),`);
  });

  test('the command line starts with its interpreter', () => {
    expect(read('dist/cli/index.js').startsWith('#!/usr/bin/env node\n')).toBe(true);
  });
});

describe('the declarations', () => {
  test.each(ENTRIES)('%s names no other package, except a peer whose types it exports', (name) => {
    const peers: Readonly<Record<string, string>> = {
      'bottleneck/index': 'bottleneck',
      'opentelemetry/index': '@opentelemetry/api',
      'schemas/index': 'zod',
      'testing/msw': 'msw',
    };
    expect(modulesOf(`dist/${name}.d.cts`)).toEqual(peers[name] === undefined ? [] : [peers[name]]);
    // Modules have the same types. A peer may have other types for each format, so each format names them itself, or adds to
    // them, as to those of nodemailer. Tools that list what a package exports read one file of the client's.
    const again = `export * from './${basename(name)}.cjs';\n`;
    const isCopied = name === 'index' || name === 'nodemailer/index' || peers[name] !== undefined;
    expect(read(`dist/${name}.d.ts`)).toBe(isCopied ? read(`dist/${name}.d.cts`) : again);
  });

  test('contain nothing internal', () => {
    for (const file of declarations) {
      const text = read(file);
      expect(text).not.toContain('@internal');
      // Errors are made by the package; the client is made from its options alone.
      expect([...text.matchAll(/constructor\(.*/g)].map(([line]) => line)).toEqual(
        file.startsWith('dist/index.d.') ? ['constructor(options?: EmailPlatformOptions);'] : [],
      );
    }
  });
});

test('the tarball contains the licence of everything bundled', () => {
  const licences = read('THIRD_PARTY_LICENSES');
  const names = bundledPackages().map(({ manifest }) => manifest.name);
  expect(names).toEqual(
    expect.arrayContaining([
      '@handlebars/parser',
      '@noble/hashes',
      'commander',
      'ky',
      'p-retry',
      'is-network-error',
      'parse5',
      'entities',
      'fflate',
      'postal-mime',
      'devalue',
      'diff',
      'preact',
      'type-fest',
    ]),
  );
  expect(names).not.toContain('zod');
  for (const name of names) expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  const texts =
    licences.match(/Permission (is hereby granted|to use, copy, modify)|Redistribution and use/g) ?? [];
  expect(texts.length).toBeGreaterThanOrEqual(names.length);
});
