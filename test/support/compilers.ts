import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type typescript from 'typescript';
import { hostsThatReadOnce } from './compiler-hosts.ts';
import { isFull } from './extent.ts';
import { root } from './packed.ts';

const { dependencies } = JSON.parse(
  readFileSync(join(root, 'test/peers/typescript/package.json'), 'utf8'),
) as { readonly dependencies: Readonly<Record<string, string>> };

/** Every compiler of `test/peers/typescript`, oldest first: the first is the oldest one that the package is for. */
const all = Object.keys(dependencies);

export const versionOf = (compiler: string): number => Number(compiler.replace('typescript-', ''));
export const OLDEST_VERSION = String(versionOf(all[0] ?? ''));

/** The compilers to test with: the oldest one, and the newest one of each major version; in full, all. */
export const COMPILERS = all.filter((compiler, index) => {
  const next = all[index + 1];
  const isNewest = next === undefined || Math.floor(versionOf(next)) > Math.floor(versionOf(compiler));
  return isFull || index === 0 || isNewest;
});

const require = createRequire(import.meta.url);
const hosts = new Map<string, ReturnType<typeof hostsThatReadOnce>>();

/** What a compiler says about files of a folder. The options are those of a tsconfig.json. */
export async function said(
  compiler: string,
  folder: string,
  files: readonly string[],
  options: object,
): Promise<string> {
  const path = join(root, 'test/peers/typescript/node_modules', compiler);
  if (versionOf(compiler) >= 7) {
    const project = join(folder, `${compiler}-${Math.random().toString(36).slice(2)}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions: options, files }));
    const found = await promisify(execFile)(process.execPath, [join(path, 'bin/tsc'), '-p', project], {
      cwd: folder,
    }).catch((error: unknown) => error as { readonly stdout: string });
    return found.stdout;
  }
  // The older ones are written in JavaScript: in this process, each reads a file once and is compiled by V8 once.
  const ts = require(path) as typeof typescript;
  const converted = ts.convertCompilerOptionsFromJson(options, folder);
  // With other modules, the same file is another one to the compiler.
  const key = `${compiler} ${String(converted.options.module)}`;
  const hostFor = hosts.get(key) ?? hostsThatReadOnce(undefined, ts);
  hosts.set(key, hostFor);
  const names = files.map((file) => join(folder, file));
  const program = ts.createProgram(names, converted.options, hostFor(converted.options));
  return ts.formatDiagnostics([...converted.errors, ...ts.getPreEmitDiagnostics(program)], {
    getCurrentDirectory: () => folder,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  });
}
