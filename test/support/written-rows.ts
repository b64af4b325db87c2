import { format } from 'oxfmt';

/** A guide with these rows between the comments that name the table. */
export async function withRows(guide: string, name: string, rows: readonly string[]): Promise<string> {
  const begin = `<!-- ${name}: written by a test -->`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest] = guide.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new Error(`The guide has no part for ${name}`);
  const { code: table } = await format('rows.md', rows.join('\n'));
  return `${before}${begin}\n\n${table}\n${end}${after}`;
}
