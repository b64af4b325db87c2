/** The script and the style sheet of the page. The build of the package replaces this file by the bundled result. */

/** The parts of the page. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** The page's files, with the bundled modules and their sizes in bytes. */
export interface BundledPage extends PageFiles {
  readonly inputs: Readonly<Record<string, number>>;
}

/** The pages: of a report, and of templates while they are written. */
export type PageEntry = 'main' | 'templates/main';

/** Bundles a page from its sources with esbuild. */
export async function bundlePage(entry: PageEntry = 'main'): Promise<BundledPage> {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    entryPoints: [decodeURIComponent(new URL(`page/${entry}.tsx`, import.meta.url).pathname)],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    outdir: 'page',
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'silent',
  });
  const textOf = (extension: string) =>
    outputFiles.find(({ path }) => path.endsWith(extension))?.text.trim() ?? '';
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const),
  );
  return { script: textOf('.js'), style: textOf('.css'), inputs: Object.fromEntries(inputs) };
}

const bundled: Partial<Record<PageEntry, Promise<PageFiles>>> = {};

/** A page's files. A process bundles them once. */
export function pageFiles(entry: PageEntry = 'main'): Promise<PageFiles> {
  return (bundled[entry] ??= bundlePage(entry));
}
