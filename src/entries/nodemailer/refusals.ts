/** Refuses a message before any of it is read or sent, with one error that lists all its issues by field. */
import type { Issue } from '../../core/errors.ts';
import { missingKeyRule } from '../../core/key.ts';
import { issuesAt } from '../../core/rules.ts';
import { isRecord, itemsOf, isGiven } from '../../core/record.ts';
import { addressIssues, envelopeOf } from './addresses.ts';
import { MESSAGE_FIELDS, OWN_FIELDS, PART_FIELDS, type Field } from './fields.ts';
import { headerIssues } from './headers.ts';
import type { EmailPlatformTransportOptions } from './options.ts';
import type { Mail } from './types.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The options that forbid files or addresses in a message. nodemailer's options have the same names. */
export const ACCESS_OPTIONS = ['disableFileAccess', 'disableUrlAccess'] as const;
export type Access = Pick<EmailPlatformTransportOptions, (typeof ACCESS_OPTIONS)[number]>;

type Options = Access & Pick<EmailPlatformTransportOptions, 'fromMessage' | 'ignore'>;

/** The issues of a message, by nodemailer's names of its fields. `now` is in milliseconds since 1970. */
export function refusalsOf(mail: Mail, options: Options, now: number): Issue[] {
  const data = mail.data as Fields;
  return [
    ...refusedFields(mail, options.ignore ?? [], now),
    ...ownFieldIssues(data, options.fromMessage),
    ...keyIssues(data, options.fromMessage),
    ...renamedIssues('', data, MESSAGE_NAMES),
    ...partsOf(data).flatMap(([path, part]) => [
      ...refusedPartFields(path, part),
      ...(path.endsWith(']') ? renamedIssues(`${path}.`, part, PART_NAMES) : []),
      ...contentIssues(path, part),
      ...dataUrlIssues(path, part),
    ]),
    ...accessRefusals(data, options),
    ...alternativeIssues(data.alternatives),
    ...addressIssues(mail),
    ...senderIssues(mail),
    ...envelopeIssues(mail, data),
    ...templateIssues(data.template),
    ...headerIssues(mail),
  ];
}

/** The issues of a message that refers to a forbidden file or address. */
export function accessRefusals(message: object, options: Access): Issue[] {
  const data = message as Fields & Access;
  const access = {
    disableFileAccess: options.disableFileAccess === true || Boolean(data.disableFileAccess),
    disableUrlAccess: options.disableUrlAccess === true || Boolean(data.disableUrlAccess),
  };
  return partsOf(data).flatMap(([path, part]) => accessIssues(path, part, access));
}

const BY_DEFAULT = '; to send without it, name it in the option `ignore` of the transport';

function refusedFields(mail: Mail, ignore: readonly string[], now: number): Issue[] {
  const data = mail.data as Fields;
  const issue = ([name, { treatment, text, isUsual }]: [string, Field]): Issue[] => {
    if (!data[name] || isUsual?.(data[name], now, mail) === true) return [];
    if (treatment === 'refused') return [{ path: name, message: text }];
    const isRefused = treatment === 'refused by default' && !ignore.includes(name);
    return isRefused ? [{ path: name, message: text + BY_DEFAULT }] : [];
  };
  return Object.entries(MESSAGE_FIELDS).flatMap(issue);
}

const refusedPartFields = (path: string, part: Fields): Issue[] =>
  Object.entries(PART_FIELDS)
    .filter(([name, { treatment }]) => treatment === 'refused' && Boolean(part[name]))
    .map(([name, { text }]) => ({ path: `${path}.${name}`, message: text }));

/** Allows a text as `template`, which is not this package's field. */
const ownFieldIssues = (data: Fields, fromMessage: readonly string[] = Object.keys(OWN_FIELDS)): Issue[] =>
  Object.keys(OWN_FIELDS)
    .filter((name) => !fromMessage.includes(name) && (name === 'template' ? isRecord : isGiven)(data[name]))
    .map((path) => ({
      path,
      message: 'must not be in a message: the option `fromMessage` does not name it',
    }));

/** The issue of a key that is undefined, in a message that may have one. */
const keyIssues = (data: Fields, fromMessage: readonly string[] = ['idempotencyKey']): Issue[] =>
  fromMessage.includes('idempotencyKey')
    ? issuesAt('', missingKeyRule(data)).map(({ message }) => ({ path: 'idempotencyKey', message }))
    : [];

const plain = (name: string) => name.replaceAll('_', '').toLowerCase();

type Names = ReadonlyMap<string, string>;

const byLetters = (names: readonly string[], others: Readonly<Record<string, string>>): Names =>
  new Map([...names.map((name) => [plain(name), name] as const), ...Object.entries(others)]);

/**
 * Fields by their letters, also those of other clients, and of the result of a typed template. In another spelling,
 * nodemailer ignores them.
 */
const MESSAGE_NAMES = byLetters([...Object.keys(OWN_FIELDS), 'replyTo'], {
  templateuuid: 'template: { uuid, variables }',
  templatevariables: 'template: { uuid, variables }',
  metadata: 'customVariables',
  tag: 'category',
  attachment: 'attachments',
});

/** The same of an attachment or an alternative. */
const PART_NAMES = byLetters(['contentType', 'contentDisposition'], {
  type: 'contentType',
  contentid: 'cid',
});

const renamedIssues = (path: string, fields: Fields, names: Names): Issue[] =>
  Object.keys(fields).flatMap((field) => {
    const name = names.get(plain(field));
    return name === undefined || name === field || !isGiven(fields[field])
      ? []
      : [{ path: path + field, message: `is \`${name}\` in a message of nodemailer` }];
  });

/** All objects in the message that have content or refer to it, with their paths. */
export function partsOf(data: Fields): (readonly [string, Fields])[] {
  const single = ['text', 'html', 'icalEvent'].map((name) => [name, data[name]] as const);
  const listed = ['attachments', 'alternatives'].flatMap((name) =>
    listOf(data[name]).map((part, index) => [`${name}[${index}]`, part] as const),
  );
  return [...single, ...listed].flatMap(([path, part]) =>
    isRecord(part) && !isContent(part) ? [[path, part] as const] : [],
  );
}

/** True for bytes and streams. A stream that reads a file has a `path` too. */
const isContent = (value: Fields) => ArrayBuffer.isView(value) || typeof value.pipe === 'function';

/** The items of a list. nodemailer takes a single object for a list of one. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? itemsOf(value) : value === undefined || value === null ? [] : [value];

/**
 * Forbidden files and addresses that nodemailer would read. nodemailer checks them itself since 8.0.9; earlier
 * versions do not check a message for a transport like this one.
 */
function accessIssues(path: string, part: Fields, access: Access): Issue[] {
  const kinds = sourcesOf(part).flatMap(({ path: from, href }) => [
    ...(from ? [isRecord(from) ? kindOf(from.href) : kindOf(from)] : []),
    ...(href && kindOf(href) !== 'data' ? (['url'] as const) : []),
  ]);
  const isRefused = { url: access.disableUrlAccess, file: access.disableFileAccess, data: false };
  const message = {
    url: 'must not be an address: disableUrlAccess is set',
    file: 'must not be a file: disableFileAccess is set',
  };
  return (['url', 'file'] as const)
    .filter((kind) => isRefused[kind] === true && kinds.includes(kind))
    .map((kind) => ({ path, message: message[kind] }));
}

/** The places of a part that may name a file or an address: the part, and its content. */
export const sourcesOf = (part: Fields): Fields[] =>
  isRecord(part.content) && !isContent(part.content) ? [part, part.content] : [part];

/** Refuses a `data:` address without its comma, which nodemailer would read as an empty file. */
const dataUrlIssues = (path: string, part: Fields): Issue[] =>
  sourcesOf(part)
    .flatMap((source) => [source.path, source.href].filter((value) => typeof value === 'string'))
    .filter((address) => /^data:/i.test(address) && !(address.startsWith('data:') && address.includes(',')))
    .map(() => ({ path, message: 'is an invalid data: address: it needs a comma before its content' }));

/** How nodemailer interprets a `path`. */
function kindOf(path: unknown): 'url' | 'data' | 'file' {
  const text = String(path);
  if (/^data:/i.test(text)) return 'data';
  return /^https?:/i.test(text) ? 'url' : 'file';
}

/**
 * Refuses an object as content, unless it refers to a file or an address. Otherwise nodemailer would silently lose
 * it, such as a Buffer that was converted to JSON.
 */
function contentIssues(path: string, part: Fields): Issue[] {
  const refers = (place: Fields) => Boolean(place.path) || Boolean(place.href);
  const { content } = part;
  const isLost = isRecord(content)
    ? !isContent(content) && !refers(content)
    : !refers(part) && content === undefined && !part.raw;
  return isLost
    ? [{ path: `${path}.content`, message: 'must be text, bytes, a stream, or { path } or { href }' }]
    : [];
}

const alternativeIssues = (alternatives: unknown): Issue[] =>
  listOf(alternatives).flatMap((part, index) =>
    isRecord(part) && !part.filename && !isCalendar(part.contentType)
      ? [
          {
            path: `alternatives[${index}].filename`,
            message: 'is required: the service sends it as an attachment',
          },
        ]
      : [],
  );

/** True for the media type of a calendar event. */
export const isCalendar = (type: unknown): boolean =>
  typeof type === 'string' && /^text\/calendar\b/i.test(type);

const senderIssues = ({ message }: Mail): Issue[] =>
  (message.getAddresses().from ?? []).length > 1
    ? [{ path: 'from', message: 'must be one address: the service takes no more' }]
    : [];

/**
 * Accepts an envelope with the same addresses as the headers, because a plugin may set another one to redirect an
 * email. In a message without a sender, nodemailer uses a reply address as the sender, and the service uses the
 * client's default.
 */
function envelopeIssues({ message }: Mail, { envelope }: Fields): Issue[] {
  const used = message.getEnvelope();
  const own = envelopeOf(message.getAddresses());
  const senderOf = ({ from }: Fields) => String(from).toLowerCase();
  const recipientsOf = ({ to }: Fields) =>
    JSON.stringify([...new Set(itemsOf(to).map((one) => String(one).toLowerCase()))].sort());
  const names = [...Object.keys(used), ...Object.keys(isRecord(envelope) ? envelope : {})];
  const others = [...new Set(names)].filter((name) => !['from', 'to', 'cc', 'bcc'].includes(name));
  const hasSender = isRecord(envelope) || own.from !== false;
  const isSame =
    recipientsOf(used) === recipientsOf({ ...own }) &&
    (!hasSender || senderOf(used) === senderOf({ ...own }));
  return [
    ...(isSame
      ? []
      : [
          {
            path: 'envelope',
            message: 'must have the addresses of from, to, cc and bcc: correct it, or leave it out',
          },
        ]),
    ...others.map((name) => ({ path: `envelope.${name}`, message: 'cannot be sent' })),
  ];
}

function templateIssues(template: unknown): Issue[] {
  if (!isRecord(template)) return [];
  const others = Object.keys(template).filter((name) => !['uuid', 'variables'].includes(name));
  return [
    ...(template.uuid === undefined ? [{ path: 'template.uuid', message: 'is required' }] : []),
    ...others.map((name) => ({ path: `template.${name}`, message: 'is not a known field' })),
  ];
}
