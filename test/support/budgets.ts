import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How large a part of the sources may be, comments included, and why. */
export interface LineBudget {
  /** Folders of `src`. */
  readonly folders: readonly string[];
  readonly lines: number;
  readonly files?: number;
  readonly why: string;
}

export const LINE_BUDGETS: readonly LineBudget[] = [
  {
    folders: ['throttle'],
    lines: 800,
    files: 8,
    why: 'Somebody who follows a call to the wire reads all of it.',
  },
  {
    folders: ['redis'],
    lines: 800,
    why: 'It is the local throttle with permits kept elsewhere, not a second one.',
  },
  {
    folders: ['bottleneck'],
    lines: 150,
    why: 'It hands requests to limiters that exist already.',
  },
  {
    folders: ['core', 'call', 'throttle', 'retry', 'http', 'redis'],
    lines: 4900,
    why: 'All that is there for every endpoint; further endpoints add nothing to it.',
  },
];

const root = join(import.meta.dirname, '../..');

/** Every source file of a folder of `src`, with its number of lines. */
export function sourcesOf(folder: string): { readonly path: string; readonly lines: number }[] {
  return readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', folder, name))
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length }));
}

/** What a budget's folders hold. */
export function sizeOf({ folders }: LineBudget): { readonly lines: number; readonly files: number } {
  const sources = folders.flatMap(sourcesOf);
  return { lines: sources.reduce((sum, { lines }) => sum + lines, 0), files: sources.length };
}

/** The text of a source file. */
export const sourceText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A method of a resource that calls an endpoint. */
export interface EndpointMethod {
  readonly path: string;
  readonly name: string;
  /** The code between its braces, without comments. */
  readonly body: string;
  /** All of it, as it stands in the file. */
  readonly text: string;
}

/** Every method of a resource that calls an endpoint. */
export const endpointMethods = (): EndpointMethod[] =>
  sourcesOf('resources').flatMap(({ path }) =>
    [...sourceText(path).matchAll(/^ {2}(?:async )?(\w+)\([^{};]*?.*?\{\n([^]*?)^ {2}\}$/gm)]
      .map(([text, name = '', code = '']) => ({
        path,
        name,
        body: code.replace(/^ *(\/\*\*|\*|\/\/).*\n/gm, '').trimEnd(),
        text,
      }))
      .filter(({ body }) => /this\.(call|pages)\(/.test(body)),
  );
