import { buildSync } from 'esbuild';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundled = new Map<string, string>();

/**
 * Bundles a program with the sources of the package; returns the file to run with Node. Its process starts in a quarter
 * of the time that tsx takes, which loads each module by itself. Packages stay outside, and `import.meta.url` is that of
 * the program's source. `external` are further modules that stay outside.
 */
export function bundledProgram(source: string, external: readonly string[] = []): string {
  const known = bundled.get(source);
  if (known !== undefined) return known;
  const file = join(root, '.tmp/programs', relative(root, source).replace(/\.ts$/, '.mjs'));
  const { outputFiles } = buildSync({
    entryPoints: [source],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    external: [...external],
    tsconfig: join(root, 'tsconfig.json'),
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(source).href) },
    logLevel: 'error',
  });
  mkdirSync(dirname(file), { recursive: true });
  // Another worker of Vitest may bundle the same program: neither reads half of a file.
  const written = `${file}.${process.pid}`;
  writeFileSync(written, outputFiles[0]?.contents ?? '');
  renameSync(written, file);
  bundled.set(source, file);
  return file;
}
