// npm run declarations: writes the .d.ts and .d.cts of every entry in `exports` of package.json. One TypeScript
// program checks all sources and emits a declaration for each. Every entry is then bundled separately from these.
//
// The .d.cts has the types, and the .d.ts exports them again: a second copy would be a tenth of the download. An entry that
// names the types of a peer, or adds to them, has the copy, because a peer may have other types for each format. So has
// the client, because tools that list what a package exports read one file.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { recordBundled } from './bundled-packages.mjs';
import { sourceOf } from './source-of.mjs';

/** The folder for the program's output. */
const EMITTED = '.tmp/declarations';

const { exports: published, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
/** The entries by their path in dist, such as `redis/index`. */
const entries = Object.values(published).map(
  (conditions) => /^\.\/dist\/(.*)\.d\.ts$/.exec(conditions.import.types)[1],
);

function emit() {
  const project = '.tmp/tsconfig.declarations.json';
  mkdirSync('.tmp', { recursive: true });
  const compilerOptions = {
    noEmit: false,
    noEmitOnError: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: '../src',
    outDir: 'declarations',
  };
  const files = entries.map((entry) => `../src/${sourceOf(entry)}.ts`);
  writeFileSync(
    project,
    JSON.stringify({ extends: '../tsconfig.json', compilerOptions, include: [], files }),
  );
  const compiler = 'node_modules/typescript-7/bin/tsc';
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--singleThreaded'], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

// Adds the web's types: the sources are compiled with the DOM's types, an application may not have these.
const banner = readFileSync('.ci/web-types.d.ts', 'utf8');

async function bundle(entry) {
  const build = await rollup({
    input: `${EMITTED}/${sourceOf(entry)}.d.ts`,
    // Copies the few types that come from a dependency. A peer is installed beside the package.
    plugins: [dts({ respectExternal: true })],
    external: [/^node:/, ...Object.keys(peerDependencies)],
    onwarn(warning) {
      // Allows interfaces of two files to refer to each other.
      if (warning.code !== 'CIRCULAR_DEPENDENCY') throw new Error(warning.message);
    },
  });
  const { output } = await build.generate({ format: 'esm', banner });
  await build.close();
  const [{ code, modules, imports }] = output;
  mkdirSync(dirname(`dist/${entry}`), { recursive: true });
  writeFileSync(`dist/${entry}.d.cts`, code);
  const again = `export * from './${basename(entry)}.cjs';\n`;
  const isCopied = entry === 'index' || imports.length > 0 || /^declare module '/m.test(code);
  writeFileSync(`dist/${entry}.d.ts`, isCopied ? code : again);
  recordBundled(
    `${entry}.d.ts`,
    Object.entries(modules).map(([path, { renderedLength }]) => [path, renderedLength]),
  );
}

rmSync(EMITTED, { recursive: true, force: true });
emit();
for (const entry of entries) await bundle(entry);
