import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { build as bundle } from 'esbuild';
import { minify } from 'terser';
import { defineConfig, type Options } from 'tsup';
import ts from 'typescript';
import { sourceOf } from './.ci/source-of.mjs';
import { bundlePage } from './src/testing/report/file/page-files.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];
type BuildPlugin = NonNullable<Options['plugins']>[number];

/** Writes the list of bundled files of each build, for `.ci/bundled-packages.mjs`. */
const BUNDLED = '.tmp/bundled';

/** Records the bundled files from esbuild's report. */
const recordInputs = (entry: string): Plugin => ({
  name: 'record-inputs',
  setup(build) {
    build.onEnd(({ metafile }) => {
      mkdirSync(BUNDLED, { recursive: true });
      const file = `${entry.replaceAll('/', '-')}.${build.initialOptions.format ?? 'esm'}.json`;
      const sizes = Object.values(metafile?.outputs ?? {}).flatMap((output) =>
        Object.entries(output.inputs).map(([path, input]) => [path, input.bytesInOutput] as const),
      );
      writeFileSync(`${BUNDLED}/${file}`, JSON.stringify(Object.fromEntries(sizes), null, 1));
    });
  },
});

/** The command line imports the built entries instead of copying them: 0.2 MB in place of 1.5. */
const entriesStayOutside: Plugin = {
  name: 'entries-stay-outside',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/(testing\/|entries\/\w+\/)?index\.ts$/ }, ({ path }) => ({
      path: path.replace('/entries/', '/').replace(/ts$/, 'js'),
      external: true,
    }));
  },
};

/** The command line's first file imports the rest after it has turned on the compile cache: the next start loads it a third faster. */
const commandStaysOutside: Plugin = {
  name: 'command-stays-outside',
  setup(build) {
    build.onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: './main.js', external: true }));
  },
};

/**
 * Keeps ky as one separate module in the bundle, because it is loaded late. Otherwise each of its files
 * would be one: 1.6 kB more, and 0.4 million instructions of an import.
 */
const kyIsOneModule: Plugin = {
  name: 'ky-is-one-module',
  setup(build) {
    build.onLoad({ filter: /node_modules\/ky\/distribution\/index\.js$/ }, async ({ path }) => {
      const { outputFiles } = await bundle({
        stdin: { contents: `export { default } from ${JSON.stringify(path)}`, resolveDir: '.' },
        bundle: true,
        write: false,
        format: 'esm',
        target: common.target,
      });
      return { contents: outputFiles.map(({ text }) => text).join('') };
    });
  },
};

/**
 * Wraps each schema into a function that is called at once, with an annotation that the call has no effect. Bundlers
 * can then leave out unused schemas: they cannot see that calls of Zod have no effect. A page with one schema has 1.5 kB of
 * them in place of 16.6.
 */
const schemasAreLeftOut: Plugin = {
  name: 'schemas-are-left-out',
  setup(build) {
    build.onLoad({ filter: /schemas\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
      const values = statements
        .filter((statement) => ts.isVariableStatement(statement))
        .flatMap(({ declarationList }) => declarationList.declarations)
        .flatMap(({ initializer }) => initializer ?? [])
        .filter((value) => !ts.isArrowFunction(value));
      let contents = '';
      let copied = 0;
      for (const { pos, end } of values) {
        contents += `${text.slice(copied, pos)} /* @__PURE__ */ (() => (${text.slice(pos, end)}))()`;
        copied = end;
      }
      return { contents: contents + text.slice(copied), loader: 'ts' };
    });
  },
};

/**
 * postal-mime makes its three encoders as it loads, which fails in an environment that lacks them, such as Jest's jsdom: no
 * test there could load the testing entry. Now their first use makes them.
 */
const encodersAreLate: Plugin = {
  name: 'encoders-are-late',
  setup(build) {
    build.onLoad({ filter: /node_modules[\\/]postal-mime[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /^((?:export )?(?:const|var|let) \w+ = )(new Text(En|De)coder\(.*\));$/gm,
        (_, start: string, made: string, kind: string) =>
          `${start}{ ${kind.toLowerCase()}code: (given) => ${made}.${kind.toLowerCase()}code(given) };`,
      ),
      loader: 'js',
    }));
  },
};

/** A UTF-16 unit as an escape, which texts, patterns and names read as the unit itself. */
const escapeOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Writes the patterns of our sources in ASCII, as esbuild writes texts: see `everythingIsLatin1`. */
const patternsAreAscii: Plugin = {
  name: 'patterns-are-ascii',
  setup(build) {
    build.onLoad({ filter: /src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      // There an escape would be something else.
      if (/\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f]/.test(text))
        throw new Error(`${path} cannot be written in ASCII`);
      return { contents: text.replace(/[^\0-\x7f]/g, escapeOf), loader: 'ts' };
    });
  },
};

/**
 * Fails for a file with a character beyond Latin-1: because of one, V8 keeps the whole file in two bytes a character, which
 * takes twice the memory: with such characters, an import of the client holds 0.50 MB of heap in place of 0.23, and one of
 * the testing entry 3.9 MB in place of 3.0.
 */
const everythingIsLatin1: BuildPlugin = {
  name: 'everything-is-latin-1',
  renderChunk(code, { path }) {
    const [found] = /[^\0-\xff]/.exec(code) ?? [];
    if (found !== undefined) throw new Error(`${path} has ${found}: write ${escapeOf(found)}`);
  },
};

/**
 * Breaks up the sign `/*` in texts, 13 times in two entries, such as in a table of parse5: checkers of packages take it for
 * the start of a comment. The built file has no comments.
 */
const textsHaveNoComments: BuildPlugin = {
  name: 'texts-have-no-comments',
  renderChunk: (code) => ({ code: code.replaceAll('/*', '/\\*') }),
};

/**
 * Shortens the names of local variables: an import of the client takes 50.7 million instructions in place of 54.8, and
 * its file 0.23 MB in place of 0.28. Functions, classes and declarations of a module keep their names, so stacks stay readable.
 */
const localNamesAreShort: BuildPlugin = {
  name: 'local-names-are-short',
  async renderChunk(code, chunk) {
    const { code: shorter = '', map } = await minify(code, {
      module: true,
      compress: false,
      mangle: { module: false, keep_fnames: true, keep_classnames: true },
      format: { ascii_only: true, ecma: 2020, max_line_len: 200 },
      sourceMap: typeof chunk.map === 'string' && { content: chunk.map },
    });
    if (typeof map === 'string') chunk.map = map;
    return { code: `${shorter}\n` };
  },
};

/**
 * Makes a source map as small as a stack trace needs it: it leads to file and line of our sources, which are not in the
 * package, and leaves other packages out: 0.34 MB of maps in place of 1.67, and 75 kB of the tarball in place of 429.
 */
const mapsLeadToLines: BuildPlugin = {
  name: 'maps-lead-to-lines',
  renderChunk(_code, chunk) {
    if (typeof chunk.map !== 'string') return;
    const map = JSON.parse(chunk.map) as { sources: string[]; mappings: string };
    const sources = map.sources.filter((path) => !path.includes('node_modules/'));
    const indexes = map.sources.map((path) => sources.indexOf(path));
    const lines = decode(map.mappings).map((segments) => {
      const line: SourceMapSegment[] = [];
      for (const [column, source = 0, sourceLine = 0] of segments) {
        const index = indexes[source] ?? -1;
        const last = line.at(-1);
        if ((last?.[1] ?? -1) === index && (index === -1 || last?.[2] === sourceLine)) continue;
        line.push(index === -1 ? [column] : [column, index, sourceLine, 0]);
      }
      return line;
    });
    chunk.map = JSON.stringify({ ...map, sources, names: [], mappings: encode(lines) });
  },
};

const common = {
  outDir: 'dist',
  target: 'es2022',
  // One file per entry and format. A lazily imported library stays inside, and is evaluated at its first use.
  splitting: false,
  sourcemap: true,
  plugins: [localNamesAreShort, everythingIsLatin1, mapsLeadToLines],
  /**
   * Removes white space and shortens syntax, because an engine reads a whole file at every start. The source maps of
   * ECMAScript modules lead to file and line of a source, without its text: the maps of every entry with their texts were
   * two thirds of the package.
   */
  esbuildOptions(options, { format }) {
    // In the schemas, white space stays: without it, esbuild would drop the annotations of `schemasAreLeftOut`.
    options.minifyWhitespace = !('schemas/index' in Object(options.entryPoints));
    options.minifySyntax = options.minifyWhitespace;
    options.sourcesContent = false;
    if (format !== 'cjs') return;
    options.sourcemap = false;
    // Writes `require()` for `import()`, which Jest refuses in CommonJS.
    options.supported = { ...options.supported, 'dynamic-import': false };
  },
  // Edge runtimes and Deno require the full names of built-in modules.
  removeNodeProtocol: false,
  silent: true,
} satisfies Options;

/**
 * Keeps each part of the proxy's entry as a file, because a page needs only the hosts. From a file in use, a bundler
 * keeps everything that may have an effect, such as the declarations of all endpoints. It leaves out an unused file: a page
 * with the hosts has 0.2 kB in place of 41.9.
 */
const partsStayOutside: Plugin = {
  name: 'parts-stay-outside',
  setup(build) {
    const extension = build.initialOptions.format === 'cjs' ? '.cjs' : '.js';
    build.onResolve({ filter: /^\.\/\w+\.ts$/ }, ({ path }) => ({
      path: path.replace('.ts', extension),
      external: true,
    }));
  },
};

/** The page of a report stands in the built file as two texts: its script and its style sheet. */
const pageStandsInside: Plugin = {
  name: 'page-stands-inside',
  setup(build) {
    build.onLoad({ filter: /file[\\/]page-files\.ts$/ }, async () => {
      const { script, style, inputs } = await bundlePage();
      mkdirSync(BUNDLED, { recursive: true });
      writeFileSync(`${BUNDLED}/report-page.json`, JSON.stringify(inputs, null, 1));
      const files = JSON.stringify({ script, style });
      return { contents: `export const pageFiles = () => Promise.resolve(${files});`, loader: 'js' };
    });
  },
};

/**
 * Only a program that writes a report loads the page. Both formats load one file: CommonJS, which Jest can load too. Each format
 * of the testing entry is 0.1 MB smaller.
 */
const reportStaysOutside: Plugin = {
  name: 'report-stays-outside',
  setup(build) {
    build.onResolve({ filter: /\/page-html\.ts$/ }, () => ({ path: '../report/html.cjs', external: true }));
  },
};

/**
 * An entry for application code: ESM and CommonJS, without further dependencies. `.ci/declarations.mjs` makes its
 * types.
 */
const library = (entry: string, ...plugins: Plugin[]): Options => ({
  ...common,
  entry: { [entry]: `src/${sourceOf(entry)}.ts` },
  format: ['esm', 'cjs'],
  platform: 'neutral',
  noExternal: [
    /^(ky|p-retry|diff|type-fest|parse5|entities|postal-mime|devalue|fflate|@noble\/hashes|@handlebars\/parser)(\/|$)/,
  ],
  external: [/^node:/],
  outExtension: ({ format }) => ({ js: format === 'esm' ? '.js' : '.cjs' }),
  esbuildPlugins: [
    kyIsOneModule,
    encodersAreLate,
    schemasAreLeftOut,
    ...plugins,
    patternsAreAscii,
    recordInputs(entry),
  ],
});

// A new entry needs a line here, one under `exports` in package.json and one in typedoc.json. A package that it needs
// is an optional peer there, and stays outside of the bundle.
export default defineConfig([
  library('index'),
  library('redis/index'),
  library('bottleneck/index'),
  library('proxy/index', partsStayOutside),
  library('proxy/proxy'),
  library('proxy/node'),
  library('proxy/hosts'),
  { ...library('schemas/index'), plugins: [everythingIsLatin1, mapsLeadToLines] },
  library('webhooks/index'),
  library('journal/index'),
  library('nodemailer/index'),
  library('opentelemetry/index'),
  library('templates/index'),
  library('diagnose/index'),
  // Without a map, which would be a seventh of what the client's users download.
  {
    ...library('testing/index', reportStaysOutside),
    sourcemap: false,
    plugins: [localNamesAreShort, everythingIsLatin1, textsHaveNoComments],
  },
  library('testing/msw'),
  {
    ...library('report/html', pageStandsInside),
    entry: { 'report/html': 'src/testing/report/file/page-html.ts' },
    format: ['cjs'],
    // With the names of the exports in a form that Node finds, so that ECMAScript modules import them.
    platform: 'node',
  },
  {
    ...common,
    entry: { 'cli/index': 'src/cli/index.ts' },
    format: ['esm'],
    platform: 'node',
    esbuildPlugins: [commandStaysOutside],
  },
  {
    ...common,
    entry: { 'cli/main': 'src/cli/main.ts' },
    format: ['esm'],
    platform: 'node',
    noExternal: ['commander'],
    // commander is CommonJS and requires modules of Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
    },
    esbuildPlugins: [entriesStayOutside, reportStaysOutside, patternsAreAscii, recordInputs('cli/main')],
  },
]);
