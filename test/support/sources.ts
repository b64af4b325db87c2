import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Every source file of a folder of `src`, with its number of lines. */
export function sourcesOf(folder: string): { readonly path: string; readonly lines: number }[] {
  return readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', folder, name))
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length }));
}

/** The text of a source file. */
export const sourceText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A method of a resource that calls an endpoint. */
export interface EndpointMethod {
  readonly path: string;
  readonly name: string;
  /** The code between its braces, without comments. */
  readonly body: string;
  /** The whole method, unchanged. */
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
