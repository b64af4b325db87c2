/**
 * Every fenced `ts` block of the README and the guides is a program: it is compiled and run as it stands there. The
 * typecheck compiles it: `npm run typecheck` writes every block to `.tmp/docs`, which tsconfig.json includes. There a block
 * has its lines of the guide.
 *
 * - It imports what it uses. Only three names need no declaration: `client`, `emulator` (with the demo seed) and `draft`
 *   (a campaign that could be sent); and the `EMAIL_PLATFORM_*` variables are set, to that same emulator.
 * - `// prints: …` beside or below a statement is what the block prints, one comment a line. A `text` block that
 *   directly follows does the same for longer output. Where either is given, it is all that is printed.
 * - `// throws: Name: message` is the error the block ends with. Further comment lines, indented, continue the message.
 * - `…` in either stands for any text.
 * - A block that needs what a folder of test/peers installs is opened with ```` ```ts peer: the folder ````. Tests there
 *   compile and run it.
 * - A block that is a file of an application is opened with ```` ```ts in: the application ````. The test of its guide runs it.
 * - A block that quotes a file of the repository is opened with ```` ```ts from: examples/shop/src/mails.ts ````. Its lines are
 *   consecutive lines of that file, whose own checks compile and run it.
 * - A block that cannot run here is opened with ```` ```ts no-run: the reason ````. It is still compiled.
 */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** One block. */
export interface Snippet {
  /** The file it stands in, from the top of the repository. */
  readonly file: string;
  /** Line of its first line of code, from 1. */
  readonly line: number;
  readonly code: string;
  /** Why it is not run. */
  readonly noRun: string | undefined;
  /** The folder of test/peers that has what it imports. */
  readonly peer: string | undefined;
  /** The lines it prints; undefined when it does not say. */
  readonly prints: readonly string[] | undefined;
  /** The error it ends with. */
  readonly throws: string | undefined;
}

/** Options of `tsconfig.json`, as JSON. */
export interface CompilerOptions {
  readonly experimentalDecorators?: boolean;
  readonly types?: readonly string[];
  readonly paths?: Readonly<Record<string, readonly string[]>>;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));
const outDir = `${root}.tmp/docs/`;
const ambientNames = ['client', 'emulator', 'draft'] as const;

/** README and guides, from the top of the repository: every page of docs but the one for contributors. */
export const guides = [
  'README.md',
  ...['docs', 'docs/trust'].flatMap((folder) =>
    readdirSync(root + folder).map((name) => `${folder}/${name}`),
  ),
].filter((name) => name.endsWith('.md') && name !== 'docs/architecture.md');

/** A block that quotes a file of the repository. */
export interface Quote {
  /** The guide, and the line of the block's first line of code, from 1. */
  readonly file: string;
  readonly line: number;
  readonly code: string;
  /** The path of the quoted file, from the top of the repository. */
  readonly from: string;
}

const QUOTE = /^from: ([\w./-]+)$/;

/** The quotes of one guide. */
export function quotesOf(file: string, markdown: string): Quote[] {
  return [...markdown.matchAll(/^```ts (from: .*)\n([^]*?)\n```$/gm)].map(
    ({ 1: attribute = '', 2: code = '', index }) => {
      const [, from = ''] = QUOTE.exec(attribute) ?? [];
      return { file, line: markdown.slice(0, index).split('\n').length + 1, code, from };
    },
  );
}

/** Lines without the indentation that all of them have. */
function dedented(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join('\n');
}

/** Whether a quote is consecutive lines of a text. Their common indentation is left out. */
export function isQuoteOf(code: string, text: string): boolean {
  const lines = text.split('\n');
  const { length } = code.split('\n');
  return lines.some((_, at) => dedented(lines.slice(at, at + length)) === code);
}

/** The blocks of one file. Refuses other names of the language `ts`, because such blocks would not be checked. */
export function extract(file: string, markdown: string): Snippet[] {
  const lines = markdown.split('\n');
  const snippets: Snippet[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent, language, rest] = /^(\s*)```(\w+)\s*(.*)$/.exec(lines[at] ?? '') ?? [];
    if (language === undefined || indent === undefined) continue;
    const block = blockAt(lines, at, indent);
    if (['js', 'javascript', 'jsx', 'tsx', 'typescript'].includes(language)) {
      throw new Error(`${file}:${at + 1}: write \`ts\`, not \`${language}\`, so that the block is checked`);
    }
    if (language === 'ts') {
      const code = block.join('\n');
      const [, noRun] = /^no-run: (.+)$/.exec(rest ?? '') ?? [];
      const [, peer] = /^peer: ([\w-]+)$/.exec(rest ?? '') ?? [];
      const isElsewhere = /^in: [\w-]+$/.test(rest ?? '') || QUOTE.test(rest ?? '');
      if (rest !== '' && noRun === undefined && peer === undefined && !isElsewhere)
        throw new Error(`${file}:${at + 1}: cannot read "${rest ?? ''}"`);
      const prints = outputAfter(lines, at + block.length + 2) ?? comments(block, 'prints');
      const [throws] = comments(block, 'throws') ?? [];
      if (!isElsewhere) snippets.push({ file, line: at + 2, code, noRun, peer, prints, throws });
    }
    at += block.length + 1;
  }
  return snippets;
}

function blockAt(lines: readonly string[], at: number, indent: string): string[] {
  const end = lines.findIndex((line, index) => index > at && line.trim() === '```');
  return lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
}

/** A `text` block with nothing but blank lines before it. */
function outputAfter(lines: readonly string[], from: number): string[] | undefined {
  let at = from;
  while (lines[at]?.trim() === '') at += 1;
  const [, indent] = /^(\s*)```text$/.exec(lines[at] ?? '') ?? [];
  return indent === undefined ? undefined : blockAt(lines, at, indent);
}

/** The texts of the comments of one kind, with continuation lines joined. */
function comments(block: readonly string[], kind: 'prints' | 'throws'): string[] | undefined {
  const found: string[] = [];
  let open = false;
  for (const line of block) {
    const [, text] = new RegExp(`// ${kind}: (.*)$`).exec(line) ?? [];
    const [, more] = /^\s*\/\/ {3}(.*)$/.exec(line) ?? [];
    if (text !== undefined) found.push(text);
    else if (open && more !== undefined) found.push(`${found.pop() ?? ''} ${more}`);
    open = text !== undefined || (open && more !== undefined);
  }
  return found.length === 0 ? undefined : found;
}

/**
 * The module for a block: the names that it does not declare, on the line of its fence; then the block, unchanged, on its
 * lines of the guide. A block may declare a result only to show it, so the last line uses all names.
 */
function moduleOf({ code, line }: Snippet, folder: string): string {
  const source = ts.createSourceFile('snippet.ts', code, ts.ScriptTarget.Latest);
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) used.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const declared = source.statements.flatMap(declaredBy);
  const open = ambientNames.filter((name) => used.has(name) && !declared.includes(name));
  const names = open.map((name) => `const ${name} = await ambient.${name}();`).join(' ');
  const ambient = relative(folder, `${root}test/docs/ambient.ts`).replaceAll('\\', '/');
  const prelude = open.length === 0 ? '' : `import { ambient } from '${ambient}'; ${names}`;
  const shown = source.statements.filter((statement) => !isExported(statement)).flatMap(declaredBy);
  return `${'\n'.repeat(line - 2)}${prelude}\n${code}\nexport { ${[...open, ...shown].join(', ')} };\n`;
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

function declaredBy(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name)
        ? [name.text]
        : name.elements.flatMap((element) =>
            ts.isBindingElement(element) && ts.isIdentifier(element.name) ? [element.name.text] : [],
          ),
    );
  }
  return ts.isFunctionDeclaration(statement) && statement.name ? [statement.name.text] : [];
}

/** A block with the file it was written to. */
export interface Written extends Snippet {
  readonly path: string;
}

/** Writes every block to a module of its own; an existing one is not rewritten, or a file watcher would never stop. */
export function write(snippets: readonly Snippet[], folder = outDir): Written[] {
  mkdirSync(folder, { recursive: true });
  return snippets.map((snippet) => {
    const path = `${folder}${snippet.file.replace(/\W+/g, '-')}-${snippet.line}.ts`;
    const text = moduleOf(snippet, folder);
    if (readIfThere(path) !== text) writeWhole(path, text);
    return { ...snippet, path };
  });
}

/**
 * Writes every block that needs no further package to where the typecheck compiles it, and removes those that no guide has
 * any longer.
 */
export function writeGuides(): Written[] {
  const all = [...guides, 'AGENTS.md'].flatMap((file) => extract(file, readFileSync(root + file, 'utf8')));
  const written = write(all.filter(({ peer }) => peer === undefined));
  const names = new Set(written.map(({ path }) => basename(path)));
  for (const name of readdirSync(outDir))
    if (name.endsWith('.ts') && !names.has(name)) rmSync(outDir + name, { force: true });
  return written;
}

/** Puts a whole file in place at once: the tests and the typecheck, which run at the same time, write and read the same files. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * The compiler's errors in blocks that the typecheck leaves out, under the repository's own settings: `file:line: message`.
 * `others` are options for the packages that these blocks need, with paths from the top of the repository.
 */
export function compile(snippets: readonly Written[], others: CompilerOptions = {}): string[] {
  const { compilerOptions } = JSON.parse(
    readFileSync(`${root}tsconfig.json`, 'utf8').replace(/^ *\/\/.*$/gm, ''),
  ) as {
    readonly compilerOptions: CompilerOptions;
  };
  const paths = Object.entries({ ...compilerOptions.paths, ...others.paths });
  const folder = mkdtempSync(`${root}.tmp/snippets-`);
  const project = `${folder}/tsconfig.json`;
  const settings = {
    extends: `${root}tsconfig.json`,
    compilerOptions: {
      ...others,
      paths: Object.fromEntries(
        paths.map(([name, places]) => [name, places.map((place) => resolve(root, place))]),
      ),
    },
    include: [],
    files: snippets.map(({ path }) => path),
  };
  writeFileSync(project, JSON.stringify(settings));
  const compiler = `${root}node_modules/typescript-7/bin/tsc`;
  const args = [compiler, '-p', project, '--singleThreaded', '--pretty', 'false'];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const problems = problemsIn(stdout, snippets);
  if (status !== 0 && problems.length === 0) throw new Error(`The compiler failed: ${stdout}${stderr}`);
  return problems;
}

/** The compiler's output, with the places in the guides. An indented line continues the message before it. */
function problemsIn(output: string, snippets: readonly Written[]): string[] {
  const byPath = new Map(snippets.map((snippet) => [resolve(snippet.path), snippet]));
  return output
    .split(/\n(?!\s)/)
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const [, path = '', line, message = ''] =
        /^(.+)\((\d+),\d+\): error TS\d+: ([^]*)$/.exec(text.trim()) ?? [];
      const snippet = byPath.get(resolve(root, path));
      return snippet === undefined ? text : `${snippet.file}:${line}: ${message}`;
    });
}

/** Whether a line is as shown; `…` stands for any text. */
export function isAsShown(shown: string, actual: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(actual);
}

/** The actual text in the form of the shown one: the shown one itself where it fits, so that a test can compare them. */
export const asShown = (shown: string | undefined, actual: string): string =>
  shown !== undefined && isAsShown(shown, actual) ? shown : actual;
