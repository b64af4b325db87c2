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
/** Columns that have a value only for those who must not get email, such as a time. */
const NO_EMAIL_COLUMN = /^(?:unsub|clean|bounced|complained|optout|emaildisabled|suppress)/;
const isYes = (value: string) => value !== '' && !/^(?:0|no|false|null|n)$/i.test(value);

const STATUS = ['status', 'emailstatus', 'memberstatus', 'subscriptionstatus'];
/** What services call those who must not get email in such a column, and those who may. */
const NO_EMAIL = /unsub|clean|bounce|complain|spam|suppress|block|delet|invalid|inactive|opted.?out|abuse/i;
const EMAIL_OK = /^(?:subscribed|active)?$/i;

/** Words of a column that may be about consent. */
const CONSENT =
  /^(?:opt(?:s|ed)?(?:in|out)?|consent(?:s|ed)?|(?:un)?subscribed?|accept(?:s|ed)?|marketing|block(?:s|ed)?|bounce[sd]?|suppress(?:ed)?|status|donot\w*)$/;

/** The words of a name: `hs_email_optout` has three, `EmailOptOut` too. */
const wordsOf = (name: string) =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/\bdo[^\p{L}]+not\b/gu, 'donot')
    .split(/[^\p{L}\d]+/u);

const ADDRESS = /^(?:city|town|ort|stadt|zip|zipcode|postcode|postalcode|plz|street|address1?|country|land)$/;
const STATES =
  /^(?:Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New (?:Hampshire|Jersey|Mexico|York|South Wales|Brunswick)|(?:North|South) (?:Carolina|Dakota)|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|Tennessee|Texas|Utah|Vermont|(?:West )?Virginia|Washington|Wisconsin|Wyoming|Alberta|British Columbia|Manitoba|Nova Scotia|Ontario|Quebec|Québec|Saskatchewan|Queensland|South Australia|Tasmania|Victoria|Western Australia)$/i;
/** Codes of states that are also answers. */
const ANSWERS = ['IN', 'OK', 'ON'];
/** A word for what somebody did, or may do, and no place. */
const NO_PLACE = /^(?:yes|no|true|false|on|off|in|out|ok|y|n|\d+|.*(?:ed|ive|able|ing|spam))$|opt|subs/i;

const isCode = (value: string) => /^(?:[A-Z]{2}-)?(?!NO$)[A-Z]{2}$|^(?:ACT|NSW|QLD|TAS|VIC)$/.test(value);

/** Whether the values of a column `state` are places: states that we know, or names beside the rest of an address. */
const arePlaces = (values: readonly string[], names: readonly string[]) =>
  (values.every((value) => STATES.test(value) || isCode(value)) &&
    !values.every((value) => ANSWERS.includes(value))) ||
  (names.some((name) => ADDRESS.test(plain(name))) &&
    values.every((value) => /^\p{Lu}/u.test(value) && !NO_PLACE.test(value)));

/** Whether a column may be about consent, and we do not know what its values mean. */
function isUnclear(name: string, values: readonly string[], names: readonly string[]): boolean {
  if (EMAIL.includes(plain(name)) || NO_EMAIL_COLUMN.test(plain(name))) return false;
  if (plain(name) === 'state') return !arePlaces(values.filter(Boolean), names);
  if (!STATUS.includes(plain(name))) return wordsOf(name).some((word) => CONSENT.test(word));
  return values.some((value) => !NO_EMAIL.test(value) && !EMAIL_OK.test(value));
}

/** For a column: the values of those who may get email, or `'any'` if it says nothing about that. */
export type Allowed = Readonly<Record<string, readonly string[] | 'any'>>;

/** Whether the file, or the caller, says that this person must not get email. */
const isLeftOut = (fields: Readonly<Record<string, string>>, allowed: Allowed): boolean =>
  Object.entries(fields).some(([name, value]) => {
    const said = allowed[plain(name)];
    if (said !== undefined) return said !== 'any' && !said.includes(value);
    if (STATUS.includes(plain(name))) return NO_EMAIL.test(value);
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

/** The column of addresses; an error that names the columns if there is none, or several. */
function checkColumns(path: string, names: readonly string[]): string[] {
  const found = names.filter((name) => EMAIL.includes(plain(name)));
  if (found.length === 1) return names.map((name) => name.trim().toLowerCase());
  const columns = names.map((name) => `"${name}"`).join(', ');
  throw new Error(`${path} must have one column "email", or "Email Address", and has ${columns}`);
}

type Fields = Record<string, string>;

/** The rows of a file, with the numbers of their lines. Names of columns are in lower case. */
async function* rowsOf(path: string, columns: (names: string[]) => string[]) {
  const delimiter = await delimiterOf(path);
  const parser = parse({ columns, bom: true, trim: true, delimiter, skip_empty_lines: true, info: true });
  const source = Readable.from(textOf(path)).on('error', (error) => parser.destroy(error));
  for await (const row of source.pipe(parser)) yield row as { record: Fields; info: { lines: number } };
}

/** The most values of a column that are kept: more are no answers to a question of consent. */
const MOST_VALUES = 1000;

/** Refuses a file with columns that may be about consent, whose values neither we nor the caller know. */
async function checkConsent(path: string, allowed: Allowed): Promise<void> {
  let names: string[] = [];
  const values = new Map<string, Set<string>>();
  for await (const { record } of rowsOf(path, (all) => checkColumns(path, (names = all))))
    for (const [name, value] of Object.entries(record)) {
      const seen = values.get(name) ?? new Set();
      values.set(name, seen.size < MOST_VALUES ? seen.add(value) : seen);
    }
  const unknown = Object.keys(allowed).find((name) => !names.some((each) => plain(each) === name));
  if (unknown !== undefined) throw new Error(`${path} has no column "${unknown}", which \`allowed\` names`);
  const unclear = names.filter(
    (name) =>
      !(plain(name) in allowed) && isUnclear(name, [...(values.get(name.trim().toLowerCase()) ?? [])], names),
  );
  if (unclear.length === 0) return;
  const shown = unclear.map((name) => {
    const seen = [...(values.get(name.trim().toLowerCase()) ?? [])];
    const more = seen.length > 10 ? `, and ${seen.length - 10} more` : '';
    return `"${name}" (${seen
      .slice(0, 10)
      .map((value) => `'${value}'`)
      .join(', ')}${more})`;
  });
  throw new Error(
    `${path} may say who must not get email in ${shown.join(' and ')}. Name the values of those who may, ` +
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
 * one if a column may say who they are, and neither the reader nor `allowed` knows its values.
 */
export async function* readPeople(
  path: string,
  { onLeftOut, allowed: given = {} }: ReadOptions = {},
): AsyncGenerator<Person> {
  const allowed = Object.fromEntries(Object.entries(given).map(([name, said]) => [plain(name), said]));
  await checkConsent(path, allowed);
  for await (const { record: fields, info } of rowsOf(path, (names) => checkColumns(path, names))) {
    const valueOf = (names: string[]) =>
      Object.entries(fields).find(([name]) => names.includes(plain(name)))?.[1];
    const parts = [valueOf(['firstname', 'vorname']), valueOf(['lastname', 'surname', 'nachname'])];
    const name = valueOf(NAME) ?? parts.filter(Boolean).join(' ');
    const person = { line: info.lines, email: valueOf(EMAIL) ?? '', name, fields };
    if (isLeftOut(fields, allowed)) onLeftOut?.(person);
    else yield person;
  }
}
