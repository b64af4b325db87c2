/**
 * Reads the people in a CSV file of any length, one row at a time: a file of a spreadsheet, or another service's export.
 *
 * In a project of your own: npm install csv-parse
 */
import { parse } from 'csv-parse';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

/** A row of the file. */
export interface Person {
  /** Number of its line in the file; the names are on line 1. */
  readonly line: number;
  readonly email: string;
  readonly name: string;
  /** All its fields, by the names of the columns in lower case. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The names of columns without case, spaces and signs: `E-Mail Address` is `emailaddress`. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\d]/gu, '');

const EMAIL = ['email', 'emailaddress', 'mail', 'mailaddress', 'subscriberemail', 'emailadresse'];
const NAME = ['name', 'fullname'];
const STATUS = ['status', 'emailstatus', 'memberstatus', 'subscriptionstatus'];
/** What services call those who must not get email. */
const NO_EMAIL = /unsub|clean|bounce|complain|spam|suppress|block|delet|invalid|inactive|opted.?out|abuse/i;
/** Columns that have a value for those only, such as a time. */
const NO_EMAIL_COLUMN = /^(?:unsub|clean|bounced|complained|optout|emaildisabled|suppress)/;

const isYes = (value: string) => value !== '' && !/^(?:0|no|false|null|n)$/i.test(value);

/** Whether an export says that this person has unsubscribed, or that the address does not work. */
function isLeftOut(fields: Readonly<Record<string, string>>): boolean {
  return Object.entries(fields).some(([name, value]) =>
    STATUS.includes(plain(name)) ? NO_EMAIL.test(value) : NO_EMAIL_COLUMN.test(plain(name)) && isYes(value),
  );
}

/** The text of a file, piece by piece. Another encoding would silently give wrong names. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true }); // leaves out a byte order mark
  let isFirst = true;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (isFirst && chunk.subarray(0, 64).includes(0))
        throw new Error(`${path} is UTF-16: save it as CSV UTF-8`);
      isFirst = false;
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${path} is not UTF-8, but perhaps Latin-1: save it as CSV UTF-8`, { cause: error });
  }
}

/** The separator that the first line has most often. */
async function delimiterOf(path: string): Promise<string> {
  let first = '';
  for await (const text of textOf(path)) {
    first += text;
    if (/[\r\n]/.test(first)) break;
  }
  const [names = ''] = first.split(/[\r\n]/);
  const countOf = (sign: string) => names.replace(/"[^"]*"/g, '').split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (countOf(sign) > countOf(best) ? sign : best));
}

/** The column of addresses; an error that names the columns if there is none, or several. */
function checkColumns(path: string, names: readonly string[]): string[] {
  const found = names.filter((name) => EMAIL.includes(plain(name)));
  if (found.length === 1) return names.map((name) => name.trim().toLowerCase());
  const columns = names.map((name) => `"${name}"`).join(', ');
  throw new Error(`${path} must have one column "email", or "Email Address", and has ${columns}`);
}

/**
 * Yields the people in a file. Those who have unsubscribed, and addresses that do not work, are left out where an export of
 * another service says so: `onLeftOut` gets them.
 */
export async function* readPeople(
  path: string,
  onLeftOut?: (person: Person) => void,
): AsyncGenerator<Person> {
  const delimiter = await delimiterOf(path);
  const columns = (names: string[]) => checkColumns(path, names);
  const parser = parse({ columns, bom: true, trim: true, delimiter, skip_empty_lines: true, info: true });
  const source = Readable.from(textOf(path)).on('error', (error) => parser.destroy(error));
  for await (const row of source.pipe(parser)) {
    const { record: fields, info } = row as { record: Record<string, string>; info: { lines: number } };
    const valueOf = (names: string[]) =>
      Object.entries(fields).find(([name]) => names.includes(plain(name)))?.[1];
    const parts = [valueOf(['firstname', 'vorname']), valueOf(['lastname', 'surname', 'nachname'])];
    const name = valueOf(NAME) ?? parts.filter(Boolean).join(' ');
    const person = { line: info.lines, email: valueOf(EMAIL) ?? '', name, fields };
    if (isLeftOut(fields)) onLeftOut?.(person);
    else yield person;
  }
}
