import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';
import { endpointMethods, LINE_BUDGETS, sizeOf, type EndpointMethod } from '../support/budgets.ts';
import { digits, median, table, type Bench } from './bench.ts';

/** The largest size allowed: an addition that exceeds it has to be worth raising it. */
const CEILING = 46_000;
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

const kilobytes = (bytes: number) => `${digits(bytes / 1000, 1)} kB`;

/** The package a file belongs to, or the folder if it is ours. */
function ownerOf(path: string): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return name ?? /src\/\w+(?=\/)/.exec(path)?.[0] ?? 'src';
}

/** The client's size from the sources, gzipped, without one of its methods. */
async function sizeWithout(root: string, method?: EndpointMethod): Promise<number> {
  const { outputFiles } = await build({
    ...minified,
    entryPoints: [join(root, 'src/index.ts')],
    plugins: [
      {
        name: 'without-a-method',
        setup(plugins) {
          plugins.onLoad({ filter: /src\/resources\// }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replace(
              path.endsWith(method?.path ?? '?') ? (method?.text ?? '') : '',
              '',
            ),
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
  const whole = await sizeWithout(root);
  const sizes = [];
  for (const method of endpointMethods()) sizes.push(whole - (await sizeWithout(root, method)));
  return sizes;
}

const bench: Bench = {
  title: 'Size: the whole client for a browser (esbuild, minified, gzip -9), and the sources',
  async run({ root, consumer }) {
    const built = join(consumer, 'node_modules/email-platform/dist/index.js');
    const [whole] = (await build({ ...minified, entryPoints: [built] })).outputFiles.map(
      (file) => file.contents,
    );
    if (!whole) throw new Error('esbuild wrote nothing');
    const size = gzipSync(whole, { level: 9 }).length;
    // The parts are measured in a build from the sources, because the built package is a single file.
    const parts = new Map<string, number>();
    const { metafile } = await build({ ...minified, entryPoints: [join(root, 'src/index.ts')] });
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
        `whole client: ${kilobytes(whole.length)} minified, ${kilobytes(size)} gzip (${verdict})`,
        ...table(rows),
        '',
        perMethod,
        '',
        ...table([['sources', 'lines', 'at most', 'files'], ...budgets]),
      ],
      broken: [
        ...(size > CEILING ? [`the client is ${kilobytes(size)} min+gzip (${verdict})`] : []),
        ...(method > METHOD_CEILING ? [perMethod] : []),
      ],
    };
  },
};

export default bench;
