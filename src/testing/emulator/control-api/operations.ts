/**
 * The operations of the control API: one for each method of the emulator, and some more. The server, the OpenAPI document
 * and the table in the guide are generated from them.
 * They may import `emulator/controls`; they know no server.
 */
import { anything, flag, objectOf, or, positive, text, whole, type Kind } from '../../declare/kind.ts';
import { needed, optional, type Argument } from '../../service/routing/control.ts';
import type { AnyControl } from '../controls/controls.ts';
import { reportKinds } from '../../report/report-options.ts';
import { CONTROL_WORDS } from './control-words.ts';

/** A request of the control API, and its response. */
export interface Operation {
  readonly method: string;
  /** The path after `/_emulator`, with parameters in braces. */
  readonly path: string;
  /** The name of the emulator's method, or the operation's own name if there is no such method. */
  readonly name: string;
  readonly words: string;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, Kind>>;
  /** The fields of the query. */
  readonly query: Readonly<Record<string, Argument>>;
  /** The body; `undefined` if there is none. */
  readonly body: Kind | undefined;
  /** Whether the body is required. */
  readonly needsBody: boolean;
  /** The kind of a JSON response, or the media type of another one; `undefined` if the response has no body. */
  readonly answer: Kind | string | undefined;
  /** Whether the operation is open to requests without a token. */
  readonly isOpen: boolean;
}

/** A method of the emulator, and its name. */
export interface Named {
  readonly name: string;
  readonly control: AnyControl;
}

/** The places of a method's arguments in its request: path, query or body. */
export interface RequestParts {
  readonly method: string;
  readonly path: string;
  /** Whether the other arguments are in the query; if not, they are in the body. */
  readonly isQuery: boolean;
  /** The names of the arguments in the path. */
  readonly inPath: readonly string[];
  /** The other arguments by name, or the fields of the one that is the whole query or body. */
  readonly others: Readonly<Record<string, Argument>>;
  /** The name of the argument that is the whole query or body, if one is. */
  readonly body: string | undefined;
}

/** Finds the places of a method's arguments in its request. */
export function partsOf({ line, body, takes = {} }: AnyControl): RequestParts {
  const [method = '', path = ''] = line.split(' ');
  const isQuery = method === 'GET' || method === 'DELETE';
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, argument = '']) => argument);
  const form = body === undefined ? undefined : takes[body]?.kind.form;
  if (form?.type !== 'object') {
    const others = Object.entries(takes).filter(([argument]) => !inPath.includes(argument));
    return { method, path, isQuery, inPath, others: Object.fromEntries(others), body: undefined };
  }
  const fields = Object.entries(form.fields).map(([field, kind]): [string, Argument] => [
    field,
    { kind, isOptional: !form.needed.includes(field) },
  ]);
  return { method, path, isQuery, inPath, others: Object.fromEntries(fields), body };
}

/** Keeps one method for each request line: of several, the one with the most arguments. */
export function serving<One extends Named>(controls: readonly One[]): One[] {
  const byLine = new Map<string, One>();
  const count = ({ control }: Named) => Object.keys(partsOf(control).others).length;
  for (const one of controls) {
    const { line } = one.control;
    const before = byLine.get(line);
    if (before === undefined || count(one) > count(before)) byLine.set(line, one);
  }
  return [...byLine.values()];
}

/** The operation that calls a method. */
export function operationOf({ name, control }: Named): Operation {
  const { takes = {}, returns, as, state, extended, defaults = {}, query: more = {} } = control;
  const { method, path, isQuery, inPath, others, body } = partsOf(control);
  const result = extended ?? returns;
  const answer =
    state ?? (result === undefined || as === undefined ? result : objectOf({ [as]: result }, [as]));
  const query = Object.entries(others).map(([field, argument]) => [
    field,
    field in defaults ? { ...argument, isOptional: true } : argument,
  ]);
  const fields = Object.entries(others).map(([field, { kind }]) => [field, kind]);
  const needed = Object.entries(others).flatMap(([field, { isOptional }]) => (isOptional ? [] : [field]));
  return {
    method,
    path,
    name,
    words: CONTROL_WORDS[name] ?? '',
    params: Object.fromEntries(inPath.flatMap((param) => (takes[param] ? [[param, takes[param].kind]] : []))),
    query: isQuery ? { ...(Object.fromEntries(query) as Operation['query']), ...more } : {},
    body:
      isQuery || fields.length === 0
        ? undefined
        : body === undefined
          ? objectOf<Record<string, unknown>>(Object.fromEntries(fields) as Record<string, Kind>, needed)
          : takes[body]?.kind,
    needsBody: !isQuery && needed.length > 0,
    answer,
    isOpen: false,
  };
}

/** An operation without a method of the emulator. */
export const operation = (
  line: string,
  name: string,
  words: string,
  answer: Operation['answer'],
  more: Partial<Operation> = {},
): Operation => {
  const [method = '', path = ''] = line.split(' ');
  const none = { params: {}, query: {}, body: undefined, needsBody: false, isOpen: false };
  return { method, path, name, words, answer, ...none, ...more };
};

const messageId = { params: { id: text } };
const anyObject = (what: string): Kind => ({ ...anything, what, form: { type: 'map', of: anything } });

/** The operations without a method of the emulator. */
export const OWN_OPERATIONS = [
  operation(
    'GET /health',
    'health',
    'Returns whether the emulator runs, and its version. Needs no token.',
    objectOf<{ ok: boolean; version: string }>({ ok: flag, version: text }, 'all'),
    { isOpen: true },
  ),
  operation(
    'GET /connection',
    'clientOptions',
    'The settings of a client for this emulator: a token with full access, the account and the addresses.',
    objectOf(
      {
        token: text,
        accountId: positive,
        sandboxInboxId: positive,
        hosts: objectOf({ api: text, send: text, bulk: text, sandbox: text }, 'all'),
        throttle: or(text, false),
      },
      ['token', 'accountId', 'sandboxInboxId', 'hosts'],
    ),
  ),
  operation(
    'GET /messages/{id}/html',
    'message.html',
    'The HTML of an email, as a page without scripts. The `html_url` of an email is this address with a signature, which needs no token.',
    'text/html',
    { ...messageId, query: { signature: optional(text) } },
  ),
  operation('GET /messages/{id}/text', 'message.text', 'The text of an email.', 'text/plain', messageId),
  operation('GET /messages/{id}/source', 'message.source', 'The raw email.', 'message/rfc822', messageId),
  operation(
    'GET /messages/{id}/attachments/{n}',
    'message.attachment',
    'An attachment of an email, by its position from 0.',
    'application/octet-stream',
    { params: { id: text, n: whole(0, 100_000) } },
  ),
  operation(
    'GET /messages/latest.html',
    'message.latest',
    'The HTML of the latest email of all, or of the latest one to an address.',
    'text/html',
    { query: { to: optional(text) } },
  ),
  operation(
    'GET /report',
    'report.data',
    'All emails and requests since the emulator was created, with the findings of the checks: the data of a report.',
    anyObject('the data of a report'),
    {
      query: {
        addresses: optional(reportKinds.addresses),
        site: optional(reportKinds.site),
        title: optional(text),
        without: optional(text),
      },
    },
  ),
  operation(
    'POST /codes',
    'codes.add',
    'Returns the address of the page, which any browser can open while the emulator runs. A cookie then lets it in.',
    objectOf({ url: text }, ['url']),
  ),
  operation('GET /open', 'open', 'Lets a browser with the code in.', 'text/plain', {
    query: { code: needed(text) },
    isOpen: true,
  }),
  operation('GET /openapi.json', 'openapi', 'All of this as OpenAPI 3.1.', anyObject('an OpenAPI document')),
] as const;
