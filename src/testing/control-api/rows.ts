/**
 * The requests that the door responds to: one for each control of the emulator, and those that only a door has. The
 * server, its OpenAPI document, and the table in the guide are made of it.
 */
import { flag, objectOf, or, positive, text, whole, type Kind } from '../checks/kind.ts';
import { needed, optional, type Argument } from '../control.ts';
import type { AnyControl } from '../controls.ts';
import { messages, requests } from './results.ts';

/** What a request says, as far as the table knows it. */
export interface DoorRow {
  readonly method: string;
  /** After `/_emulator`, with parameters in braces. */
  readonly path: string;
  /** The name of the control, or of what only a door does. */
  readonly name: string;
  readonly words: string;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, Kind>>;
  /** The fields of the query. */
  readonly query: Readonly<Record<string, Argument>>;
  /** The body; `undefined` if there is none. */
  readonly body: Kind | undefined;
  /** Whether there must be a body. */
  readonly needsBody: boolean;
  /** What the response is; `undefined` if it has no body, and its media type if it is not JSON. */
  readonly answer: Kind | string | undefined;
  /** Whether it needs no token. */
  readonly isOpen: boolean;
}

/** The queries that a control has only at the door, by its name. */
const MORE_QUERY: Readonly<Record<string, Readonly<Record<string, Argument>>>> = {
  waitForMessages: { attachmentContent: optional(flag) },
};

/** What responses have besides the result, by the name of the control. */
const SHOWN: Readonly<Record<string, Kind>> = { waitForMessages: messages, waitForRequests: requests };

/** The arguments that may be left out at the door, and what they are then. */
export const AT_THE_DOOR: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  waitForMessages: { waitMs: 0 },
  waitForRequests: { waitMs: 0 },
};

/** What a control's request consists of: which of its arguments are where. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  /** The names of the arguments in the path. */
  readonly inPath: readonly string[];
  /** The other arguments by name, or the fields of the one that is spread. */
  readonly others: Readonly<Record<string, Argument>>;
  readonly spread: string | undefined;
}

/** Says where the arguments of a control are in its request. */
export function placed({ request: { line, spread }, takes = {} }: AnyControl): Placed {
  const [method = '', path = ''] = line.split(' ');
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const others = Object.fromEntries(Object.entries(takes).filter(([name]) => !inPath.includes(name)));
  const form = spread === undefined ? undefined : takes[spread]?.kind.json;
  if (form?.type !== 'object') return { method, path, inPath, others, spread: undefined };
  const fields = Object.entries(form.fields).map(([name, kind]): [string, Argument] => [
    name,
    { kind, isOptional: !form.needed.includes(name) },
  ]);
  return { method, path, inPath, others: Object.fromEntries(fields), spread };
}

/** Several controls may have one line: that with the most arguments responds. */
export function serving<C extends { readonly control: AnyControl }>(controls: readonly C[]): C[] {
  const byLine = new Map<string, C>();
  const count = ({ control }: C) => Object.keys(placed(control).others).length;
  for (const one of controls) {
    const { line } = one.control.request;
    const before = byLine.get(line);
    if (before === undefined || count(one) > count(before)) byLine.set(line, one);
  }
  return [...byLine.values()];
}

/** The row of a control. */
export function rowOf(name: string, control: AnyControl): DoorRow {
  const { request, words, takes = {}, gives } = control;
  const { method, path, inPath, others, spread } = placed(control);
  const result = SHOWN[name] ?? gives;
  const answer =
    request.shows ??
    (result === undefined || request.as === undefined
      ? result
      : objectOf({ [request.as]: result }, [request.as]));
  const isQuery = method === 'GET' || method === 'DELETE';
  const atTheDoor = AT_THE_DOOR[name] ?? {};
  const query = Object.entries(others).map(([field, argument]) => [
    field,
    field in atTheDoor ? { ...argument, isOptional: true } : argument,
  ]);
  const fields = Object.entries(others).map(([field, { kind }]) => [field, kind]);
  const needed = Object.entries(others).flatMap(([field, { isOptional }]) => (isOptional ? [] : [field]));
  return {
    method,
    path,
    name,
    words,
    params: Object.fromEntries(inPath.flatMap((param) => (takes[param] ? [[param, takes[param].kind]] : []))),
    query: isQuery ? { ...(Object.fromEntries(query) as DoorRow['query']), ...MORE_QUERY[name] } : {},
    body:
      isQuery || fields.length === 0
        ? undefined
        : spread === undefined
          ? objectOf<Record<string, unknown>>(Object.fromEntries(fields) as Record<string, Kind>, needed)
          : takes[spread]?.kind,
    needsBody: !isQuery && needed.length > 0,
    answer,
    isOpen: false,
  };
}

const own = (
  line: string,
  name: string,
  words: string,
  answer: DoorRow['answer'],
  more: Partial<DoorRow> = {},
): DoorRow => {
  const [method = '', path = ''] = line.split(' ');
  const none = { params: {}, query: {}, body: undefined, needsBody: false, isOpen: false };
  return { method, path, name, words, answer, ...none, ...more };
};

const messageId = { params: { id: text } };

/** What only a door has. */
export const OWN_ROWS = [
  own(
    'GET /health',
    'health',
    'Whether the emulator is there, and its version. It needs no token.',
    objectOf<{ ok: boolean; version: string }>({ ok: flag, version: text }, ['ok', 'version']),
    { isOpen: true },
  ),
  own(
    'GET /connection',
    'clientOptions',
    'What a client needs to reach the emulator: a token with full access, the account and the addresses.',
    objectOf(
      {
        token: text,
        accountId: positive,
        sandboxInboxId: positive,
        hosts: objectOf({ api: text, send: text, bulk: text, sandbox: text }, [
          'api',
          'send',
          'bulk',
          'sandbox',
        ]),
        throttle: or(text, false),
      },
      ['token', 'accountId', 'sandboxInboxId', 'hosts'],
    ),
  ),
  own(
    'GET /messages/{id}/html',
    'message.html',
    'The HTML of an email, as a page without scripts. The `html_url` of an email is this address with a signature, which needs no token.',
    'text/html',
    { ...messageId, query: { signature: optional(text) } },
  ),
  own('GET /messages/{id}/text', 'message.text', 'The text of an email.', 'text/plain', messageId),
  own('GET /messages/{id}/source', 'message.source', 'The raw email.', 'message/rfc822', messageId),
  own(
    'GET /messages/{id}/attachments/{n}',
    'message.attachment',
    'An attachment of an email, by its position from 0.',
    'application/octet-stream',
    { params: { id: text, n: whole(0, 100_000) } },
  ),
  own(
    'GET /messages/latest.html',
    'message.latest',
    'The HTML of the latest email: of all, or of those to an address.',
    'text/html',
    { query: { to: optional(text) } },
  ),
  own(
    'POST /codes',
    'codes.add',
    'Returns an address that a browser can open once. A cookie then lets it in.',
    objectOf({ url: text }, ['url']),
  ),
  own('GET /open', 'open', 'Lets a browser in, once for each code.', 'text/plain', {
    query: { code: needed(text) },
    isOpen: true,
  }),
  own('GET /openapi.json', 'openapi', 'All of this as OpenAPI 3.1.', {
    what: 'an OpenAPI document',
    hasType: () => true,
    json: { type: 'map', of: { what: 'anything', hasType: () => true } },
  }),
] as const;
