/** The parts of a mail in which a change is looked for. */
import type { ReportMail, ReportPartChange } from '../data/data.ts';
import { htmlBlocks, lineBlocks, type Range } from './blocks.ts';
import { oneForm } from './one-form.ts';
import { htmlTokens, textTokens, type Persons, type Token } from './tokens.ts';

/** A part of an email. */
export type ComparedPart = Exclude<ReportPartChange['part'], 'recipients'>;

export const PARTS: readonly ComparedPart[] = [
  'subject',
  'html',
  'text',
  'links',
  'headers',
  'attachments',
  'from',
  'category',
  'template',
  'fields',
];

/** A part of one mail. */
export interface PartOfMail {
  /** `null` if the mail has no such part. */
  readonly text: string | null;
  readonly tokens: readonly Token[];
  readonly keys: readonly string[];
  readonly blocks: readonly {
    readonly key: string;
    readonly keys: readonly string[];
    /** Its first word, and the one after the last. */
    readonly from: number;
    readonly to: number;
  }[];
}

/** A mail, read for comparisons. */
export interface ReadMail {
  readonly mail: ReportMail;
  readonly parts: Readonly<Record<ComparedPart, PartOfMail>>;
  /** How often each word occurs in subject, HTML and text. */
  readonly bag: ReadonlyMap<string, number>;
  readonly size: number;
}

/** Headers that are compared elsewhere, or differ in each mail. */
const OWN =
  /^(?:date|from|to|cc|bcc|subject|message-id|mime-version|content-type|content-transfer-encoding|received|return-path|delivered-to)$/i;

/** Reads mails; of their attachments, the hashes if `isHashed`. */
export function mailReader(isHashed: boolean): (mail: ReportMail) => ReadMail {
  const formOf = oneForm();
  return (mail) => readMail(mail, isHashed, formOf);
}

function readMail(mail: ReportMail, isHashed: boolean, formOf: (html: string) => string): ReadMail {
  const persons = personsOf(mail);
  const lines = (all: readonly string[], words = (text: string) => text): PartOfMail =>
    all.length === 0
      ? none
      : part([...all].sort(byText).join('\n'), (text) => lineTokens(words(text), persons));
  const text = (given: string | null) =>
    given === null ? none : part(given, (all) => textTokens(all, persons));
  const parts: ReadMail['parts'] = {
    subject: text(mail.subject),
    html: mail.html === null ? none : part(formOf(mail.html), (all) => htmlTokens(all, persons), htmlBlocks),
    text: text(mail.text),
    links: lines(
      mail.links.map(({ url, text: words }) => (words === '' || words === url ? url : `${words} ${url}`)),
    ),
    headers: lines(
      mail.headers.filter(([name]) => !OWN.test(name)).map(([name, value]) => `${name}: ${value}`),
    ),
    attachments: lines(
      mail.attachments.map((one) => attachmentText(one, isHashed)),
      spread,
    ),
    from: text(mail.fromName === null ? mail.from : `${mail.fromName} <${mail.from}>`),
    category: text(mail.category),
    template: text(mail.template?.name ?? null),
    fields: lines(fieldsOf(mail)),
  };
  const bag = new Map<string, number>();
  for (const name of ['subject', 'html', 'text'] as const)
    for (const key of parts[name].keys) bag.set(key, (bag.get(key) ?? 0) + 1);
  const size = [...bag.values()].reduce((sum, count) => sum + count, 0);
  return { mail, parts, bag, size };
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const none: PartOfMail = { text: null, tokens: [], keys: [], blocks: [] };

function part(
  text: string,
  tokensOf: (text: string) => Token[],
  blocksOf: (text: string, tokens: readonly Token[]) => Range[] = lineBlocks,
): PartOfMail {
  const tokens = tokensOf(text);
  const all = tokens.map(({ key }) => key);
  const blocks = blocksOf(text, tokens).map(([from, to]) => {
    const keys = all.slice(from, to);
    return { key: keys.join('\u0002'), keys, from, to };
  });
  return { text, tokens, keys: all, blocks };
}

/** The words of lines. */
function lineTokens(text: string, persons: Persons): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const end = at + line.length;
    const found = line.search(CONTENT);
    tokens.push(...textTokens(found < 0 ? line : line.slice(0, found), persons, at));
    if (found >= 0) tokens.push({ key: line.slice(found), start: at + found, end });
    at = end + 1;
  }
  return tokens;
}

/** The words about the content of an attachment: one word. */
const CONTENT = /of \d{1,15} bytes(?:, SHA-256 [\da-f]{16})?$/;

/** A file's name with spaces after its first word and before its ending, which no id has. */
const spread = (text: string) =>
  text.replace(/^(\p{L}{3,})[-_]/gmu, '$1 ').replace(/\.(?=\p{L}{1,5} )/gu, ' ');

/** Without a hash, the size tells an image from another one. A document with a date in it has another size each day. */
function attachmentText(attachment: ReportMail['attachments'][number], isHashed: boolean): string {
  const { filename, type, inline, bytes, contentId, sha256 } = attachment;
  const hash = isHashed && typeof sha256 === 'string' ? `, SHA-256 ${sha256.slice(0, 16)}` : '';
  const size = hash !== '' || /^image\//i.test(type) ? ` of ${bytes} bytes${hash}` : '';
  return `${filename} ${type}${inline ? ' inline' : ''}${typeof contentId === 'string' ? ` cid:${contentId}` : ''}${size}`;
}

/** The fields that are in no other part. */
const fieldsOf = ({ stream, template, customVariables }: ReportMail): string[] => [
  `stream: ${stream}`,
  ...(template?.locale === undefined ? [] : [`language: ${template.locale}`]),
  ...[template?.missing ?? []].flat().map((name) => `missing variable: ${name}`),
  ...[template?.unused ?? []].flat().map((name) => `unused variable: ${name}`),
  ...Object.entries(customVariables ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
];

function personsOf({ to, toName, recipients }: ReportMail): Persons {
  const all = [{ email: to, name: toName }, ...recipients.to, ...recipients.cc];
  const words = all.flatMap(({ name }) => (name ?? '').toLowerCase().split(/[\s,]+/));
  return {
    words: new Set(words.filter((word) => word.length > 1)),
    addresses: new Set(all.map(({ email }) => email.toLowerCase())),
  };
}

/** How alike two mails are, from 0 to 1: the words that they share. */
export function likeness(a: ReadMail, b: ReadMail): number {
  let shared = 0;
  for (const [key, count] of a.bag) shared += Math.min(count, b.bag.get(key) ?? 0);
  return a.size + b.size === 0 ? 1 : (2 * shared) / (a.size + b.size);
}
