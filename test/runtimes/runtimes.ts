import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A runtime that comes as an npm package. */
export interface Runtime {
  readonly name: string;
  readonly kind: 'node' | 'bun' | 'deno' | 'workerd';
  /** The npm package. */
  readonly package: string;
}

/** A runtime on this machine, or why there is none. */
export type Installed = Runtime & ({ readonly path: string } | { readonly reason: string });

const platform = process.platform === 'win32' ? 'win' : process.platform;
const node = (version: string): Runtime => ({
  name: `Node ${version}`,
  kind: 'node',
  package: `node-${platform}-${process.arch}@${version}`,
});

/** The oldest Node that is supported, those that are maintained, and the others. */
export const RUNTIMES: readonly Runtime[] = [
  node('20.19.0'),
  node('22'),
  node('24'),
  node('26'),
  { name: 'Bun', kind: 'bun', package: 'bun@1' },
  { name: 'Deno', kind: 'deno', package: 'deno@2' },
  { name: 'workerd', kind: 'workerd', package: 'workerd@1' },
];

/** The runtime's own binary among what npm installed: a file of that name that is no launcher script. */
function binaryIn(folder: string, kind: Runtime['kind']): string | undefined {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /[\\/](node|bun|deno|workerd)(\.exe)?$/.exec(file)?.[1] === kind)
    .map((file) => join(folder, file))
    .find((file) => statSync(file).isFile() && statSync(file).size > 1_000_000);
}

const npmInstall = (what: string, folder: string): void => {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', what, ...options], {
    cwd: folder,
    stdio: 'pipe',
    timeout: 240_000,
    shell: process.platform === 'win32',
  });
};

/** Installs undici, whose proxy agent the guide shows, beside the programs; false where npm cannot. */
export function installUndici(programs: string): boolean {
  try {
    npmInstall('undici@7', programs);
    return true;
  } catch {
    return false;
  }
}

/** Installs a runtime in a folder of its own, without running install scripts. */
export function install(runtime: Runtime, parent: string): Installed {
  const folder = join(parent, runtime.package.replaceAll(/[^\w.]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  try {
    npmInstall(runtime.package, folder);
    const path = binaryIn(folder, runtime.kind);
    return path === undefined
      ? { ...runtime, reason: `${runtime.package} holds no binary` }
      : { ...runtime, path };
  } catch (error) {
    return { ...runtime, reason: `npm could not install ${runtime.package}: ${String(error).slice(0, 300)}` };
  }
}
