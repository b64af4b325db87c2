/** Changes values in the text of a JSON file, and leaves the rest of the text as it is. */
import { isRecord } from '../core/record.ts';

type Fields = Readonly<Record<string, unknown>>;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A member of an object, or an element of a list: where its value stands in the text. */
interface Part {
  readonly key: string | undefined;
  /** The position of the key, or of the value of an element. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/**
 * The text with another value. Unchanged fields and elements keep their place, their spaces and the way they are written.
 *
 * @param text - valid JSON
 */
export function edited(text: string, value: unknown): string {
  const start = skip(text, 0);
  const end = valueEnd(text, start);
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return text.slice(0, start) + changed(text.slice(start, end), value, '', unit) + text.slice(end);
}

/** @param indent - the spaces before the line of the value */
function changed(text: string, value: unknown, indent: string, unit: string): string {
  const before: unknown = JSON.parse(text);
  if (isSame(before, value)) return text;
  const write = (one: unknown) =>
    JSON.stringify(one, null, text.includes('\n') ? unit : 0).replaceAll('\n', `\n${indent}${unit}`);
  const isList = Array.isArray(before) && Array.isArray(value);
  const parts = partsOf(text);
  // A name that is there twice cannot be changed in one place.
  const isPlain = new Set(parts.map(({ key }) => key)).size === parts.length || isList;
  if ((!isList && !(isRecord(before) && isRecord(value))) || !isPlain || parts.length === 0)
    return JSON.stringify(value, null, text.includes('\n') ? unit : 0).replaceAll('\n', `\n${indent}`);
  const [open, close] = [text.slice(0, 1), text.slice(-1)];
  const lead = text.slice(1, parts[0]?.from);
  const tail = text.slice(parts.at(-1)?.end, -1);
  const between = text.includes('\n') ? `,${lead}` : ', ';
  const inner = lead.includes('\n') ? (lead.split('\n').at(-1) ?? indent) : indent;
  const wanted = isList
    ? (value as unknown[]).map((one, index) => ({ key: undefined, one, part: parts[index] }))
    : [
        ...parts.flatMap((part) =>
          Object.hasOwn(value as Fields, part.key ?? '')
            ? [{ key: part.key, one: (value as Fields)[part.key ?? ''], part }]
            : [],
        ),
        ...Object.entries(value as Fields)
          .filter(([key]) => !Object.hasOwn(before as Fields, key))
          .map(([key, one]) => ({ key, one, part: undefined })),
      ];
  if (wanted.length === 0) return open + close;
  let result = '';
  let previous: Part | undefined;
  for (const [index, { key, one, part }] of wanted.entries()) {
    const follows =
      part !== undefined && previous !== undefined && parts.indexOf(part) === parts.indexOf(previous) + 1;
    if (index > 0) result += follows ? text.slice(previous?.end, part.from) : between;
    result +=
      part === undefined
        ? `${key === undefined ? '' : `${JSON.stringify(key)}: `}${write(one)}`
        : text.slice(part.from, part.start) + changed(text.slice(part.start, part.end), one, inner, unit);
    previous = part;
  }
  return open + lead + result + tail + close;
}

const skip = (text: string, from: number): number => {
  let at = from;
  while (' \t\r\n'.includes(text[at] ?? '.')) at += 1;
  return at;
};

/** The end of a text in quotes. */
function quotedEnd(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** The end of a value. The text is valid, so only brackets and quotes count. */
function valueEnd(text: string, from: number): number {
  let at = from;
  let depth = 0;
  do {
    const character = text[at] ?? '';
    if (character === '"') at = quotedEnd(text, at);
    else {
      if ('[{'.includes(character)) depth += 1;
      if (']}'.includes(character)) depth -= 1;
      at += 1;
      if (depth === 0 && !']}'.includes(character))
        while (at < text.length && !' \t\r\n,]}'.includes(text[at] ?? '')) at += 1;
    }
  } while (depth > 0);
  return at;
}

function partsOf(text: string): Part[] {
  if (!'[{'.includes(text[0] ?? '.')) return [];
  const parts: Part[] = [];
  let at = skip(text, 1);
  while (!']}'.includes(text[at] ?? ']')) {
    const from = at;
    let key: string | undefined;
    if (text.startsWith('{')) {
      at = quotedEnd(text, at);
      key = JSON.parse(text.slice(from, at)) as string;
      at = skip(text, skip(text, at) + 1);
    }
    const end = valueEnd(text, at);
    parts.push({ key, from, start: at, end });
    at = skip(text, end);
    if (text[at] === ',') at = skip(text, at + 1);
  }
  return parts;
}
