/** What of a message is refused before anything of it is read or sent: all of it at once, each by its name. */
import type { Issue } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';
import { itemsOf } from '../core/items-of.ts';
import { envelopeOf } from './addresses.ts';
import { MESSAGE_FIELDS, PART_FIELDS, type Field } from './fields.ts';
import { headerIssues } from './headers.ts';
import type { Mail } from './types.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a message may not refer to. */
export interface Access {
  readonly disableFileAccess?: boolean | undefined;
  readonly disableUrlAccess?: boolean | undefined;
}

/** The problems of a message, by the names that nodemailer has for its fields. */
export function refusalsOf(mail: Mail, options: Access): Issue[] {
  const data = mail.data as Fields & Access;
  const access = {
    disableFileAccess: options.disableFileAccess === true || Boolean(data.disableFileAccess),
    disableUrlAccess: options.disableUrlAccess === true || Boolean(data.disableUrlAccess),
  };
  return [
    ...refusedFields('', data, MESSAGE_FIELDS),
    ...partsOf(data).flatMap(([path, part]) => [
      ...refusedFields(`${path}.`, part, PART_FIELDS),
      ...accessIssues(path, part, access),
      ...contentIssues(path, part),
    ]),
    ...alternativeIssues(data.alternatives),
    ...senderIssues(mail),
    ...envelopeIssues(mail, data),
    ...templateIssues(data.template),
    ...headerIssues(mail),
  ];
}

const refusedFields = (path: string, given: Fields, table: Readonly<Record<string, Field>>): Issue[] =>
  Object.entries(table)
    .filter(([name, { treatment }]) => treatment === 'refused' && Boolean(given[name]))
    .map(([name, { text }]) => ({ path: path + name, message: text }));

/** Everything in the message that may be an object with content, or refer to it. */
function partsOf(data: Fields): (readonly [string, Fields])[] {
  const single = ['text', 'html', 'icalEvent'].map((name) => [name, data[name]] as const);
  const listed = ['attachments', 'alternatives'].flatMap((name) =>
    listOf(data[name]).map((part, index) => [`${name}[${index}]`, part] as const),
  );
  return [...single, ...listed].flatMap(([path, part]) =>
    isRecord(part) && !isContent(part) ? [[path, part] as const] : [],
  );
}

/** Bytes and streams are content. A stream that reads a file has the file's `path`. */
const isContent = (value: Fields) => ArrayBuffer.isView(value) || typeof value.pipe === 'function';

/** nodemailer takes a single object for a list of one. */
export const listOf = (given: unknown): readonly unknown[] =>
  Array.isArray(given) ? itemsOf(given) : given === undefined || given === null ? [] : [given];

/**
 * Files and addresses that nodemailer would read, although that is switched off. It looks itself since 8.0.9; before, it
 * did not when it read a message for a transport like this one.
 */
function accessIssues(path: string, part: Fields, access: Access): Issue[] {
  const content = isRecord(part.content) && !isContent(part.content) ? part.content : {};
  const kinds = [part, content].flatMap(({ path: from, href }) => [
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

/** What nodemailer takes a `path` for. */
function kindOf(path: unknown): 'url' | 'data' | 'file' {
  const text = String(path);
  if (/^data:/i.test(text)) return 'data';
  return /^https?:/i.test(text) ? 'url' : 'file';
}

/**
 * An object in place of content says where it is. Any other would be lost without a word, such as a Buffer that was JSON in
 * between.
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

const alternativeIssues = (given: unknown): Issue[] =>
  listOf(given).flatMap((part, index) =>
    isRecord(part) && !part.filename && !isCalendar(part.contentType)
      ? [
          {
            path: `alternatives[${index}].filename`,
            message: 'is required: the service sends it as an attachment',
          },
        ]
      : [],
  );

/** Whether a media type is that of an event. */
export const isCalendar = (type: unknown): boolean =>
  typeof type === 'string' && /^text\/calendar\b/i.test(type);

const senderIssues = ({ message }: Mail): Issue[] =>
  (message.getAddresses().from ?? []).length > 1
    ? [{ path: 'from', message: 'must be one address: the service takes no more' }]
    : [];

/** An envelope is accepted if it is the one that the headers make. */
function envelopeIssues({ message }: Mail, { envelope }: Fields): Issue[] {
  if (!isRecord(envelope)) return [];
  const given = message.getEnvelope();
  const own = envelopeOf(message.getAddresses());
  const lower = (list: unknown) => itemsOf(list).map((one) => String(one).toLowerCase());
  const others = Object.keys(envelope).filter((name) => !['from', 'to', 'cc', 'bcc'].includes(name));
  const isSame =
    String(given.from).toLowerCase() === String(own.from).toLowerCase() &&
    lower(given.to).sort().join() === lower(own.to).sort().join();
  return [
    ...(isSame
      ? []
      : [{ path: 'envelope', message: 'must have the addresses of from, to, cc and bcc, or be left out' }]),
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
