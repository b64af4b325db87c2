import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';
import { endpointMethods, LINE_BUDGETS, sizeOf, type EndpointMethod } from '../support/budgets.ts';
import { digits, median, table, type Bench } from './bench.ts';

/** The largest size allowed: an addition that exceeds it has to be worth raising it. */
const CEILING = 38_500;
/** The largest median of what a method adds, with the checks and readers that only it needs. */
const METHOD_CEILING = 80;

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

/** The package a file belongs to, or the folder if it is ours. */
function ownerOf(path: string): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return name ?? /src\/\w+(?=\/)/.exec(path)?.[0] ?? 'src';
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

const bench: Bench = {
  title: 'Size: the whole client for a browser (esbuild, minified, gzip -9), and the sources',
  async run({ root, consumer }) {
    const built = join(consumer, 'node_modules/email-platform/dist/index.js');
    const sizeOfBuilt = async (from: Pick<BuildOptions, 'stdin' | 'entryPoints'>) => {
      const [file] = (await build({ ...minified, ...from })).outputFiles;
      if (!file) throw new Error('esbuild wrote nothing');
      return { minified: file.contents.length, gzip: gzipSync(file.contents, { level: 9 }).length };
    };
    const client = await sizeOfBuilt(clientFrom(built));
    const entry = await sizeOfBuilt({ entryPoints: [built] });
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
      .map(([owner, bytes]) => [`  ${owner}`, `${kilobytes(bytes)} minified`]);
    // The tests check that they are kept.
    const budgets = LINE_BUDGETS.map((budget) => {
      const { lines, files } = sizeOf(budget);
      return [`  ${budget.folders.join(' + ')}`, String(lines), String(budget.lines), String(files)];
    });
    const methods = await sizeOfMethods(root);
    const method = median(methods);
    const perMethod = `a method adds ${method} bytes (median of ${methods.length}; ${Math.min(...methods)} to ${Math.max(...methods)}, ceiling ${METHOD_CEILING})`;
    const verdict = `ceiling ${kilobytes(CEILING)}`;
    return {
      lines: [
        `whole client: ${kilobytes(client.minified)} minified, ${kilobytes(client.gzip)} gzip (${verdict}); with all that the entry exports ${kilobytes(entry.gzip)}`,
        ...table(rows),
        '',
        'the client from its sources, gzip, with one addition after the other:',
        ...table(await sizeOfSurfaces(root)),
        perMethod,
        '',
        ...table([['sources', 'lines', 'at most', 'files'], ...budgets]),
      ],
      broken: [
        ...(client.gzip > CEILING ? [`the client is ${kilobytes(client.gzip)} min+gzip (${verdict})`] : []),
        ...(method > METHOD_CEILING ? [perMethod] : []),
      ],
    };
  },
};

export default bench;
