import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build as bundle } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import ts from 'typescript';
import { bundlePage } from './src/report/page-files.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Where each build leaves the list of files it bundled, for `.ci/bundled-packages.mjs`. */
const BUNDLED = '.tmp/bundled';

/** Remembers what was really bundled, as esbuild tells it. */
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

/** The command line is a few lines around other entries: it imports the built ones, rather than hold copies. */
const entriesStayOutside: Plugin = {
  name: 'entries-stay-outside',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/((testing|journal|templates|diagnose)\/)?index\.ts$/ }, ({ path }) => ({
      path: path.replace(/ts$/, 'js'),
      external: true,
    }));
  },
};

/** ky is loaded late, and so stays a module of its own in the bundle: one, instead of one for each of its files. */
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
 * Bundlers leave out a schema that nobody imports only if making it has no effect, which they cannot see in calls of Zod:
 * each becomes a function, called at once, with the annotation that says so.
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

const common = {
  outDir: 'dist',
  target: 'es2022',
  // One file per entry and format: a lazily imported library stays inside, and is evaluated at its first use.
  splitting: false,
  // Stack traces are readable as they are; with `node --enable-source-maps`, and in debuggers, they lead to the sources.
  sourcemap: true,
  minify: false,
  // Edge runtimes and Deno know built-in modules by their full names only.
  removeNodeProtocol: false,
  silent: true,
} satisfies Options;

/**
 * The proxy's entry only names its parts, each of which is a file: a page needs none but the hosts. Of a file that it takes
 * something from, a bundler keeps all that might have an effect, such as the declarations of all endpoints; a file that it
 * takes nothing from is left out.
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
    build.onLoad({ filter: /report[\\/]page-files\.ts$/ }, async () => {
      const { script, style, inputs } = await bundlePage();
      mkdirSync(BUNDLED, { recursive: true });
      writeFileSync(`${BUNDLED}/report-page.json`, JSON.stringify(inputs, null, 1));
      const files = JSON.stringify({ script, style });
      return { contents: `export const pageFiles = () => Promise.resolve(${files});`, loader: 'js' };
    });
  },
};

/** Only a program that writes a report loads the page. */
const reportStaysOutside: Plugin = {
  name: 'report-stays-outside',
  setup(build) {
    const extension = build.initialOptions.format === 'cjs' ? '.cjs' : '.js';
    build.onResolve({ filter: /\/report\/html\.ts$/ }, () => ({
      path: `../report/html${extension}`,
      external: true,
    }));
  },
};

/**
 * The client without white space: an engine reads the whole file at every start. Names stay, and lines are short enough for a
 * stack to be read; source maps lead to the sources.
 */
const withoutWhitespace: NonNullable<Options['esbuildOptions']> = (options) => {
  options.minifyWhitespace = true;
  options.lineLimit = 200;
};

/** An entry for application code: ESM and CommonJS, nothing left to install. `.ci/declarations.mjs` makes its types. */
const library = (entry: string, ...plugins: Plugin[]): Options => ({
  ...common,
  entry: { [entry]: `src/${entry}.ts` },
  format: ['esm', 'cjs'],
  platform: 'neutral',
  noExternal: [/^(ky|p-retry|type-fest|parse5|entities|postal-mime|devalue|@handlebars\/parser)(\/|$)/],
  external: [/^node:/],
  outExtension: ({ format }) => ({ js: format === 'esm' ? '.js' : '.cjs' }),
  esbuildPlugins: [kyIsOneModule, schemasAreLeftOut, ...plugins, recordInputs(entry)],
  ...(entry === 'index' && { esbuildOptions: withoutWhitespace }),
});

// A new entry is a line here, one under `exports` in package.json and one in typedoc.json. What it needs installed
// beside it is an optional peer there, and so stays outside.
export default defineConfig([
  library('index'),
  library('redis/index'),
  library('bottleneck/index'),
  library('proxy/index', partsStayOutside),
  library('proxy/proxy'),
  library('proxy/node'),
  library('proxy/hosts'),
  library('schemas/index'),
  library('webhooks/index'),
  library('journal/index'),
  library('nodemailer/index'),
  library('opentelemetry/index'),
  library('templates/index'),
  library('diagnose/index'),
  library('testing/index', reportStaysOutside),
  library('testing/msw'),
  // For Node, esbuild names the exports of a CommonJS file, so that `import()` of it finds them.
  { ...library('report/html', pageStandsInside), platform: 'node' },
  {
    ...common,
    entry: { 'cli/index': 'src/cli/index.ts' },
    format: ['esm'],
    platform: 'node',
    noExternal: ['commander'],
    // commander is CommonJS, and requires modules of Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
    },
    esbuildPlugins: [entriesStayOutside, reportStaysOutside, recordInputs('cli/index')],
  },
]);
