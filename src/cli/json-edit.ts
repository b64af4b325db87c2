/** Changes values in the text of a JSON file, and leaves the rest of the text as it is. */
import { isRecord } from '../core/record.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A value, where it stands in the text. */
interface Place {
  readonly start: number;
  readonly end: number;
  /** The members of an object, or the elements of a list. */
  readonly parts: readonly Part[];
}

interface Part {
  /** The name of a member; undefined for an element. */
  readonly key: string | undefined;
  /** The position of the name, or of an element. */
  readonly from: number;
  readonly place: Place;
}

/**
 * The text with another value. Unchanged fields and elements keep their place, their spaces and the way they are written.
 *
 * @throws `SyntaxError` if the text is not JSON
 */
export function edited(text: string, value: unknown): string {
  // The functions below find the places of valid JSON only.
  JSON.parse(text);
  const place = placeAt(text, skip(text, 0));
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return text.slice(0, place.start) + changed(text, place, value, '', unit) + text.slice(place.end);
}

/** @param indent - the spaces before the line of the value */
function changed(
  text: string,
  { start, end, parts }: Place,
  value: unknown,
  indent: string,
  unit: string,
): string {
  const isObject = text[start] === '{' && isRecord(value);
  const isList = text[start] === '[' && Array.isArray(value);
  const known = new Set(parts.map(({ key }) => key));
  const written = (one: unknown, hasLines: boolean, spaces: string) =>
    JSON.stringify(one, null, hasLines ? unit : 0).replaceAll('\n', `\n${spaces}`);
  // A name that is there twice cannot be changed in one place.
  if (parts.length === 0 || !(isList || (isObject && known.size === parts.length))) {
    const own = text.slice(start, end);
    const isSame = JSON.stringify(JSON.parse(own)) === JSON.stringify(value);
    return isSame ? own : written(value, own.includes('\n'), indent);
  }
  const lead = text.slice(start + 1, parts[0]?.from);
  const hasLines = lead.includes('\n');
  const between = hasLines ? `,${lead}` : ', ';
  const inner = hasLines ? (lead.split('\n').at(-1) ?? indent) : indent;
  let result = '';
  let last: number | undefined;
  for (const [index, { key = '', from, place }] of parts.entries()) {
    if (isList ? index >= value.length : !Object.hasOwn(value as Fields, key)) continue;
    if (last !== undefined) result += last === index - 1 ? text.slice(parts[last]?.place.end, from) : between;
    const one = isList ? (value as unknown[])[index] : (value as Fields)[key];
    result += text.slice(from, place.start) + changed(text, place, one, inner, unit);
    last = index;
  }
  const added = isList
    ? value.slice(parts.length).map((one) => written(one, hasLines, indent + unit))
    : Object.entries(value as Fields)
        .filter(([key]) => !known.has(key))
        .map(([key, one]) => `${JSON.stringify(key)}: ${written(one, hasLines, indent + unit)}`);
  const all = [...(last === undefined ? [] : [result]), ...added].join(between);
  if (all === '') return `${text[start]}${text[end - 1]}`;
  return `${text[start]}${lead}${all}${text.slice(parts.at(-1)?.place.end, end)}`;
}

function skip(text: string, from: number): number {
  let at = from;
  while (' \t\r\n'.includes(text[at] ?? '.')) at += 1;
  return at;
}

/** The end of a text in quotes. */
function quotedEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function placeAt(text: string, start: number): Place {
  const parts: Part[] = [];
  let at = start + 1;
  if (text[start] === '"') at = quotedEnd(text, start);
  else if (text[start] === '{' || text[start] === '[') {
    at = skip(text, at);
    while (at < text.length && !']}'.includes(text[at] ?? '')) {
      const from = at;
      let key: string | undefined;
      if (text[start] === '{') {
        at = quotedEnd(text, at);
        key = JSON.parse(text.slice(from, at)) as string;
        at = skip(text, skip(text, at) + 1);
      }
      const place = placeAt(text, at);
      parts.push({ key, from, place });
      at = skip(text, place.end);
      if (text[at] === ',') at = skip(text, at + 1);
    }
    at += 1;
  } else while (at < text.length && !' \t\r\n,]}'.includes(text[at] ?? '')) at += 1;
  return { start, end: at, parts };
}
