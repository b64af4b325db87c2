import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';
import { pack } from '../support/packed.ts';
import { endpointMethods, sourcesOf, type EndpointMethod } from '../support/sources.ts';
import { digits, median, table, type Bench } from './bench.ts';

/** The figures of the last release: bytes, and lines. Written by `npm run bench -- size` with `RECORD_SIZES=1`. */
const RELEASED = join(import.meta.dirname, 'released-sizes.json');

const minified = {
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  logLevel: 'error',
} satisfies BuildOptions;

/** What a page bundles that imports the client, and nothing else of the package. */
const clientFrom = (file: string) => ({
  stdin: { contents: "export { EmailPlatform } from './" + basename(file) + "';", resolveDir: dirname(file) },
});

const kilobytes = (bytes: number) => `${digits(bytes / 1000, 1)} kB`;

/** The package a file belongs to, or the folder if it is ours: each area of the service, and each part of a big one. */
function ownerOf(path: string): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return name ?? dirname(path);
}

/** The client's size from the sources, gzipped, where the source of each resource is what `change` makes of it. */
async function sizeOfClient(root: string, change: (source: string, path: string) => string): Promise<number> {
  const { outputFiles } = await build({
    ...minified,
    ...clientFrom(join(root, 'src/index.ts')),
    plugins: [
      {
        name: 'changed-resources',
        setup(plugins) {
          plugins.onLoad({ filter: /src\/resources\// }, ({ path }) => ({
            contents: change(readFileSync(path, 'utf8'), path),
            loader: 'ts',
          }));
        },
      },
    ],
  });
  return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

/** The bytes that each method adds to the client. */
async function sizeOfMethods(root: string): Promise<number[]> {
  const without = (method?: EndpointMethod) =>
    sizeOfClient(root, (source, path) =>
      method && path.endsWith(method.path) ? source.replace(method.text, '') : source,
    );
  const whole = await without();
  const sizes = [];
  for (const method of endpointMethods()) sizes.push(whole - (await without(method)));
  return sizes;
}

/** Resources that were added to the first six, in turn. */
const ADDED = [
  [
    'contacts, suppressions, tracking, statistics',
    ['contacts', 'suppressions', 'tracking-opt-outs', 'stats'],
  ],
  ['sandbox', ['sandbox']],
  ['webhooks, inbound mail', ['webhooks', 'inbound']],
  ['tokens, billing, organizations', ['api-tokens', 'billing', 'organizations', 'company-info']],
] as const;

/** How large the client is with the first resources, and with each addition; empty classes stand in for the others. */
async function sizeOfSurfaces(root: string): Promise<string[][]> {
  const rows: string[][] = [];
  for (let count = 0; count <= ADDED.length; count += 1) {
    const missing = ADDED.slice(count).flatMap(([, files]) => files.map((file) => `/${file}.ts`));
    const size = await sizeOfClient(root, (source, path) =>
      missing.some((file) => path.endsWith(file))
        ? [...source.matchAll(/^export (?:abstract )?class (\w+)/gm)]
            .map(([, name = '']) => `export class ${name} {}`)
            .join('\n')
        : source,
    );
    rows.push([`  ${ADDED[count - 1]?.[0] ?? 'the first six resources'}`, kilobytes(size)]);
  }
  return rows;
}

/** What a folder of the sources has in lines, and the files at its top by themselves. */
function linesOfSources(): Record<string, number> {
  const lines: Record<string, number> = {};
  for (const source of sourcesOf('.')) {
    const [, folder = 'src/*.ts'] = /^(src\/[^/]+)\//.exec(source.path) ?? [];
    lines[folder] = (lines[folder] ?? 0) + source.lines;
  }
  return lines;
}

/** A figure, and how it differs from that of the last release. */
function compared(now: number, before: number | undefined): string[] {
  if (before === undefined) return [String(now), 'new'];
  const change = now - before;
  const percent = before === 0 ? '' : ` (${digits((100 * change) / before, 1)} %)`;
  return [String(now), change === 0 ? 'as before' : `${change > 0 ? '+' : ''}${change}${percent}`];
}

const bench: Bench = {
  title:
    'Size: bundles for a browser (esbuild, minified, gzip -9), and the sources; the change since the last release',
  async run({ root, consumer }) {
    const dist = join(consumer, 'node_modules/email-platform/dist');
    const sizeOfBuilt = async (from: Pick<BuildOptions, 'stdin' | 'entryPoints'>) => {
      const { outputFiles } = await build({ ...minified, ...from });
      return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
    };
    const installed = readdirSync(dirname(dist), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const methods = await sizeOfMethods(root);
    const bytes = {
      'the whole client': await sizeOfBuilt(clientFrom(join(dist, 'index.js'))),
      'all that its entry exports': await sizeOfBuilt({ entryPoints: [join(dist, 'index.js')] }),
      'a receiver of webhooks': await sizeOfBuilt({ entryPoints: [join(dist, 'webhooks/index.js')] }),
      'the proxy': await sizeOfBuilt({ entryPoints: [join(dist, 'proxy/index.js')] }),
      'what a method adds (median)': Math.round(median(methods)),
      'the package, packed': statSync(pack()).size,
      'the package, unpacked': installed.reduce(
        (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
        0,
      ),
    };
    const lines = linesOfSources();
    if (process.env.RECORD_SIZES === '1')
      writeFileSync(RELEASED, `${JSON.stringify({ bytes, lines }, null, 2)}\n`);
    const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as Record<
      'bytes' | 'lines',
      Partial<Record<string, number>>
    >;

    // The parts are measured in a build from the sources, because the built package is a single file.
    const parts = new Map<string, number>();
    const { metafile } = await build({ ...minified, ...clientFrom(join(root, 'src/index.ts')) });
    for (const { inputs } of Object.values(metafile.outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const owner = ownerOf(path);
        parts.set(owner, (parts.get(owner) ?? 0) + bytesInOutput);
      }
    }
    const rows = [...parts]
      .sort(([, a], [, b]) => b - a)
      .map(([owner, size]) => [`  ${owner}`, `${kilobytes(size)} minified`]);
    const report = (name: string, now: Record<string, number>, before: Partial<Record<string, number>>) =>
      table([
        [name, 'now', 'change'],
        ...Object.entries(now).map(([what, figure]) => [`  ${what}`, ...compared(figure, before[what])]),
      ]);
    return {
      lines: [
        ...report('bytes', bytes, released.bytes),
        '',
        'the parts of the whole client:',
        ...table(rows),
        '',
        'the client from its sources, gzip, with one addition after the other:',
        ...table(await sizeOfSurfaces(root)),
        `a method adds ${Math.min(...methods)} to ${Math.max(...methods)} bytes (${methods.length} methods)`,
        '',
        ...report('lines', lines, released.lines),
      ],
      broken: [],
    };
  },
};

export default bench;
