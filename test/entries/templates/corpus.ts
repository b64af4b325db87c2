import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { KINDS } from './kinds.ts';

const folder = join(import.meta.dirname, 'corpus');

/** The templates of others by their paths, each with the partials of its package in the place of `{{> name}}`. */
const others = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter(({ name, parentPath }) => name.endsWith('.hbs') && !parentPath.endsWith('partials'))
  .map(({ name, parentPath }): [string, string] => {
    const path = join(parentPath, name);
    return [relative(folder, path), withPartials(readFileSync(path, 'utf8'), dirname(path))];
  });

function withPartials(text: string, from: string): string {
  return text.replace(/\{\{>\s*(\S+?)(?:\s[^}]*)?\}\}/g, (tag, name: string) => {
    try {
      return readFileSync(join(from, 'partials', `${name}.hbs`), 'utf8');
    } catch {
      return tag;
    }
  });
}

/**
 * What the service has no helper for is computed by the caller, and passed as a variable: so these templates would have to be
 * rewritten, and so they are.
 */
const withoutHelpers = (text: string): string => {
  const expressions = (tag: string): string => {
    const plainer = tag.replace(/\((\w+) [^()]*\)/g, 'computed.$1');
    return plainer === tag ? tag : expressions(plainer);
  };
  return text
    .replace(/\{\{#\*inline [^}]*\}\}[^]*?\{\{\/inline\}\}/g, '')
    .replace(/\{\{#>\s*(\w+)[^}]*\}\}([^]*?)\{\{\/\1\}\}/g, '$2')
    .replace(/\{\{>[^}]*\}\}/g, '{{computed.partial}}')
    .replace(/\{\{\{?t ['"][^]*?\}\}\}?/g, 'A text')
    .replace(/\{\{[^}]*\}\}/g, expressions)
    .replace(/\{\{#(?!if |unless |each |with )(\w+) [^}]*\}\}/g, '{{#if computed.$1}}')
    .replace(/\{\{\/(?!if|unless|each|with)\w+\}\}/g, '{{/if}}')
    .replace(/\{\{\s*(?!else )(\w+) +[^}#/\s][^}]*\}\}/g, '{{computed.$1}}');
};

/** The templates of others as they are. */
export const OTHERS: readonly [name: string, text: string][] = others;

/** Templates that nobody wrote for these tests, and more of the kinds that applications send. */
export const CORPUS: readonly [name: string, text: string][] = [
  ...others.map(([name, text]): [string, string] => [name, withoutHelpers(text)]),
  ...Object.entries(KINDS),
];
