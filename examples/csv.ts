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

/** Columns that say who a person is. */
const EMAIL = ['email', 'emailaddress', 'mail', 'mailaddress', 'subscriberemail', 'emailadresse'];
const NAME = ['name', 'fullname'];
const FIRST_NAME = ['firstname', 'vorname'];
const LAST_NAME = ['lastname', 'surname', 'nachname'];
const PERSON = [...EMAIL, ...NAME, ...FIRST_NAME, ...LAST_NAME];

/** Columns that have a value only for those who must not get email, such as a time. */
const NO_EMAIL_COLUMN =
  /^(?:unsub(?:scribed)?|clean(?=time)|cleaned|bounced|complained|optout|emaildisabled|suppressed)(?:time|date|at|on)?$/;
const isYes = (value: string) => value !== '' && !/^(?:0|no|false|null|n)$/i.test(value);

const STATUS = ['status', 'emailstatus', 'memberstatus', 'subscriptionstatus'];
/** What services call those who must not get email in such a column, and those who may. */
const NO_EMAIL = /unsub|clean|bounce|complain|spam|suppress|block|delet|invalid|inactive|opted.?out|abuse/i;
const EMAIL_OK = /^(?:subscribed|active)?$/i;

/** What a column without a name is called. */
const UNNAMED = /^column \d+$/;

/** Whether we do not know what a column means: it may be about consent, in any words and any language. */
function isUnclear(name: string, values: readonly string[]): boolean {
  if (PERSON.includes(plain(name)) || NO_EMAIL_COLUMN.test(plain(name))) return false;
  if (UNNAMED.test(name)) return values.some(Boolean);
  return (
    !STATUS.includes(plain(name)) || values.some((value) => !NO_EMAIL.test(value) && !EMAIL_OK.test(value))
  );
}

/** For a column: the values of those who may get email, or `'any'` if it says nothing about that. */
export type Allowed = Readonly<Record<string, readonly string[] | 'any'>>;
type Meanings = ReadonlyMap<string, Allowed[string]>;

/** Whether the file, or the caller, says that this person must not get email. */
const isLeftOut = (fields: Readonly<Record<string, string>>, allowed: Meanings): boolean =>
  Object.entries(fields).some(([name, value]) => {
    const said = allowed.get(plain(name));
    if (said !== undefined) return said !== 'any' && !said.includes(value);
    if (STATUS.includes(plain(name))) return !EMAIL_OK.test(value);
    return NO_EMAIL_COLUMN.test(plain(name)) && isYes(value);
  });

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

/** The names of the columns; an error if there is no column of addresses, or if two have the same name. */
function checkColumns(path: string, names: readonly string[]): string[] {
  const columns = names.map((name, index) => name.trim() || `column ${index + 1}`);
  const shown = columns.map((name) => `"${name}"`).join(', ');
  if (columns.filter((name) => EMAIL.includes(plain(name))).length !== 1)
    throw new Error(`${path} must have one column "email", or "Email Address", and has ${shown}`);
  if (new Set(columns.map((name) => name.toLowerCase())).size < columns.length)
    throw new Error(`${path} must not have two columns of the same name, and has ${shown}`);
  return columns;
}

type Fields = Record<string, string>;

/** The rows of a file, with the numbers of their lines. */
async function* rowsOf(path: string, columns: (names: string[]) => string[]) {
  const delimiter = await delimiterOf(path);
  const parser = parse({ columns, bom: true, trim: true, delimiter, skip_empty_lines: true, info: true });
  const source = Readable.from(textOf(path)).on('error', (error) => parser.destroy(error));
  for await (const row of source.pipe(parser)) yield row as { record: Fields; info: { lines: number } };
}

/** The most values of a column that are kept: more are no answers to a question of consent. */
const MOST_VALUES = 1000;

/** The values of a column, if they are few. */
const shownValues = (values: readonly string[]) =>
  values.length > 10 ? 'more than 10 values' : values.map((value) => `'${value}'`).join(', ');

/** Refuses a file with columns whose meaning neither we nor the caller know. */
async function checkConsent(path: string, allowed: Meanings): Promise<void> {
  let names: string[] = [];
  const values = new Map<string, Set<string>>();
  for await (const { record } of rowsOf(path, (all) => (names = checkColumns(path, all))))
    for (const [name, value] of Object.entries(record)) {
      const seen = values.get(name) ?? new Set();
      values.set(name, seen.size < MOST_VALUES ? seen.add(value) : seen);
    }
  const valuesOf = (name: string) => [...(values.get(name) ?? [])];
  const unknown = [...allowed.keys()].find((name) => !names.some((each) => plain(each) === name));
  if (unknown !== undefined) throw new Error(`${path} has no column "${unknown}", which \`allowed\` names`);
  const unclear = names.filter((name) => !allowed.has(plain(name)) && isUnclear(name, valuesOf(name)));
  if (unclear.length === 0) return;
  const shown = unclear.map((name) => `"${name}" (${shownValues(valuesOf(name))})`);
  throw new Error(
    `${path} may say who must not get email in ${shown.join(' and ')}. For each, name the values of those who may, ` +
      `as in { allowed: { '${unclear[0]}': ['…'] } }; or 'any', if the column says nothing about it`,
  );
}

/** What {@link readPeople} does with those who must not get email. */
export interface ReadOptions {
  /** Gets the people who are left out. */
  readonly onLeftOut?: (person: Person) => void;
  /** What the columns mean that the reader does not know. */
  readonly allowed?: Allowed;
}

/**
 * Yields the people in a file, without those who have unsubscribed, and addresses that do not work. Stops before the first
 * one at every column whose meaning neither the reader nor `allowed` knows.
 */
export async function* readPeople(
  path: string,
  { onLeftOut, allowed: given = {} }: ReadOptions = {},
): AsyncGenerator<Person> {
  const allowed = new Map(Object.entries(given).map(([name, said]) => [plain(name), said]));
  await checkConsent(path, allowed);
  const columns = (names: string[]) => checkColumns(path, names).map((name) => name.toLowerCase());
  for await (const { record: fields, info } of rowsOf(path, columns)) {
    const valueOf = (names: string[]) =>
      Object.entries(fields).find(([name]) => names.includes(plain(name)))?.[1];
    const parts = [valueOf(FIRST_NAME), valueOf(LAST_NAME)];
    const name = valueOf(NAME) ?? parts.filter(Boolean).join(' ');
    const person = { line: info.lines, email: valueOf(EMAIL) ?? '', name, fields };
    if (isLeftOut(fields, allowed)) onLeftOut?.(person);
    else yield person;
  }
}
