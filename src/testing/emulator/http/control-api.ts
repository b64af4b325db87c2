/**
 * The emulator's control API: the methods of an emulator over HTTP, for other processes and any language. A server has it
 * with the option `control`; requests need the control token. Each control declares its request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { VERSION } from '../../../version.ts';
import type { EmulatorMessage } from '../../service/state/emails/outbox.ts';
import type { World } from '../../service/state/world.ts';
import { bodyTooLarge, MAX_BODY_BYTES } from '../../service/engine/body.ts';
import type { Callable } from '../controls/controls.ts';
import type { EmulatorConnection, EmulatorControlDoor } from '../controls/connection-types.ts';
import { CONTROL_PATH } from '../control-api/path.ts';
import { openApi } from '../control-api/openapi.ts';
import { shownMessage, shownRequest, withSaid } from '../control-api/shown.ts';
import { operationOf, OWN_OPERATIONS, partsOf, serving } from '../control-api/operations.ts';
import { PAGE_OPERATIONS } from '../control-api/page-operations.ts';
import type { Kind } from '../../declare/kind.ts';
import {
  bodyOf,
  controlled,
  paramsOf,
  queryOf,
  type Asked,
  type Given,
  type Handler,
  type Handlers,
  type Pattern,
} from '../control-api/asked.ts';
import { messageHandlers } from '../control-api/message-parts.ts';
import { pageHandlers } from '../control-api/page-handlers.ts';
import { toJson } from '../control-api/serialize.ts';
import type { Reports } from '../../report/report.ts';
import type { FaultQueue } from '../../service/engine/faults.ts';
import { DOMAINS_HEADER, type EmulatorRequest, type RequestLog } from '../../service/engine/request-log.ts';
import { noContent, ok, Refusal, type Reply } from '../../service/wire/reply.ts';
import { randomSecret } from '../../encoding/random-secret.ts';
import { Access, SESSIONS } from './access.ts';
import { readBody } from './incoming.ts';
import { isForPerson, personPage, PERSON_PAGE_HEADERS } from './person-page.ts';

/** The parts that a control API needs. */
export interface ControlApiParts {
  readonly controls: readonly Callable[];
  readonly world: () => World;
  readonly log: RequestLog;
  readonly connection: (origin: string) => EmulatorConnection;
  readonly reports: Reports;
  readonly faults: Pick<FaultQueue, 'list'>;
  /** Its token; `undefined` for a random one. */
  readonly token: string | undefined;
}

export interface ControlApi {
  readonly serve: (message: IncomingMessage, response: ServerResponse, gone: AbortSignal) => Promise<void>;
  /** The API's address and token. */
  readonly at: (origin: string) => EmulatorControlDoor;
}

interface Entry extends Pattern {
  readonly handler: Handler;
}

/** The headers of every response: no caching, no guessing of the type, no use in pages of other origins. */
const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

/** Makes the control API of a server. */
export function createControlApi({
  controls,
  world,
  log,
  connection,
  reports,
  faults,
  token: given,
}: ControlApiParts): ControlApi {
  const token = given ?? randomSecret('ctl_');
  if (token === world().secret) throw new RangeError('`options.control.token` must not be the API token');
  const access = new Access(token);
  const pathOf = (id: string) => `/messages/${encodeURIComponent(id)}`;
  const browserUrl = (origin: string) => `${origin}${CONTROL_PATH}/open?code=${access.code}`;

  /** The result of a method with the fields that the response adds. */
  const shown = (name: string, result: unknown, { query, origin, base }: Asked): unknown => {
    if (name === 'waitForRequests') return (result as EmulatorRequest[]).map((one) => shownRequest(one, log));
    if (name === 'sandbox.messages') return (result as EmulatorMessage[]).map(withSaid);
    if (name !== 'waitForMessages') return result;
    return (result as EmulatorMessage[]).map((one) => {
      const path = pathOf(one.id);
      const links = {
        html: `${origin}${CONTROL_PATH}${path}/html?signature=${access.signatureOf(one.id, world())}`,
        attachment: (index: number) => `${base}${path}/attachments/${index}`,
      };
      return shownMessage(one, links, query.attachmentContent === true);
    });
  };

  const ofControl = (callable: Callable): Entry => {
    const { name, control, call } = callable;
    const { takes = {}, returns, as, state, defaults, query: more = {} } = control;
    const { inPath, body, isQuery } = partsOf(control);
    const operation = operationOf(callable);
    const handler = async (asked: Asked): Promise<Reply> => {
      const query = Object.entries(asked.query).filter(([field]) => !Object.hasOwn(more, field));
      const fields: Given = { ...defaults, ...(isQuery ? Object.fromEntries(query) : asked.body) };
      const isLeftOut =
        body !== undefined && takes[body]?.isOptional === true && Object.keys(fields).length === 0;
      const values = Object.keys(takes).map((argument) => {
        if (inPath.includes(argument)) return asked.params[argument];
        if (argument === body) return isLeftOut ? undefined : fields;
        return fields[argument];
      });
      const result = await controlled(() => call(values, asked.gone));
      if (operation.method !== 'GET') reports.touch();
      if (state !== undefined) return ok(stateOf(state, controls));
      if (returns === undefined) return noContent();
      const answer = toJson(returns, shown(name, result, asked));
      return ok(as === undefined ? answer : { [as]: answer });
    };
    return { operation, segments: operation.path.split('/'), handler };
  };

  const own: Handlers = {
    ...messageHandlers(world),
    ...pageHandlers(world, reports, faults),
    health: () => ok({ ok: true, version: VERSION }),
    clientOptions: ({ origin }) => ok(connection(origin)),
    'codes.add': ({ origin }) => ok({ url: browserUrl(origin) }),
    open: ({ query }) => access.admit(String(query.code)),
    openapi: ({ origin }) =>
      ok(
        openApi(
          entries.flatMap(({ operation }) => (operation.words === '' ? [] : [operation])),
          origin + CONTROL_PATH,
        ),
      ),
  };

  const entries: Entry[] = [
    ...serving(controls).map(ofControl),
    ...[...OWN_OPERATIONS, ...PAGE_OPERATIONS].map((operation) => {
      const handler = own[operation.name];
      if (handler === undefined) throw new Error(`The control API has no ${operation.name}`);
      return { operation, segments: operation.path.split('/'), handler };
    }),
  ];

  const answer = async (incoming: IncomingMessage, gone: AbortSignal): Promise<Reply> => {
    const { method = '', headers } = incoming;
    const { pathname, searchParams, origin } = new URL(`http://${headers.host ?? ''}${incoming.url ?? ''}`);
    const { session, segments } = placeOf(pathname.slice(CONTROL_PATH.length));
    const verb = method === 'HEAD' ? 'GET' : method;
    const there = segments === undefined ? [] : entries.filter((entry) => isAt(entry, segments));
    const entry = there.find(({ operation }) => operation.method === verb);
    const isSigned = () =>
      entry?.operation.name === 'message.html' &&
      access.isSignature(searchParams.get('signature') ?? '', segments?.[2] ?? '', world());
    const refusalOfProgram = () =>
      entry?.operation.isOpen === true || isSigned() ? undefined : access.refusalOf(headers);
    const refused = session === undefined ? refusalOfProgram() : access.refusalIn(session, method, headers);
    // Does not buffer the body of a refused request.
    const bytes = await readBody(incoming, MAX_BODY_BYTES, refused === undefined);
    if (refused !== undefined) {
      const ask =
        refused.status === 401 ? { headers: { 'www-authenticate': 'Bearer realm="emulator"' } } : {};
      return { status: refused.status, json: { error: refused.message }, ...ask };
    }
    for (const domain of String(headers[DOMAINS_HEADER] ?? '').split(',')) reports.domains.add(domain);
    if (entry === undefined || segments === undefined) return missing(method, pathname, there);
    if (bytes === undefined) return bodyTooLarge('api').reply;
    const { operation } = entry;
    return entry.handler({
      params: paramsOf(entry, segments),
      query: queryOf(operation, searchParams),
      body: operation.body === undefined ? {} : bodyOf(operation.body, bytes),
      origin,
      base: origin + CONTROL_PATH + (session === undefined ? '' : `/${SESSIONS}/${session}`),
      gone,
    });
  };

  const serve: ControlApi['serve'] = async (incoming, response, gone) => {
    const { method, headers } = incoming;
    const forReader = (reply: Reply) => (isForPerson(method, headers) ? pageOfError(reply) : reply);
    try {
      write(response, forReader(await answer(incoming, gone)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      write(response, forReader(error.reply));
    }
  };
  return {
    serve,
    at: (origin) => ({ url: origin + CONTROL_PATH, token, browserUrl: () => browserUrl(origin) }),
  };
}

/** The page of an error, for a person; any other reply as it is. */
function pageOfError(reply: Reply): Reply {
  const { error } = Object(reply.json) as { error?: unknown };
  if (reply.status < 400 || typeof error !== 'string') return reply;
  const { status, headers } = reply;
  const body = personPage(status === 404 ? 'There is no such page' : 'Email emulator', [error]);
  const { 'content-type': type, ...more } = PERSON_PAGE_HEADERS;
  return { status, headers: { ...headers, ...more }, content: { type, body } };
}

function missing(method: string, path: string, there: readonly Entry[]): Reply {
  if (there.length === 0)
    return {
      status: 404,
      json: { error: `The control API has no ${path}. See ${CONTROL_PATH}/openapi.json` },
    };
  const allow = there.map(({ operation }) => operation.method).join(', ');
  return {
    status: 405,
    json: { error: `The control API has no ${method} ${path}, but ${allow}` },
    headers: { allow },
  };
}

/** The path of the page, below the path of its session. */
const FIRST_PAGE = ['', ''];

/** A path of the API, and the name of the session in it, if there is one. */
interface Place {
  readonly session?: string;
  readonly segments: readonly string[] | undefined;
}

function placeOf(path: string): Place {
  const segments = decodedSegments(path);
  if (segments?.[1] !== SESSIONS) return { segments };
  const [, , session = '', ...rest] = segments;
  return { session, segments: rest.join('') === '' ? FIRST_PAGE : ['', ...rest] };
}

/** The segments of a path; `undefined` if it cannot be decoded. */
function decodedSegments(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

const isAt = ({ segments: pattern }: Entry, segments: readonly string[]) =>
  pattern.length === segments.length &&
  pattern.every((expected, index) => expected.startsWith('{') || expected === segments[index]);

/** The values of the methods that read a state, by their `as`. */
function stateOf(state: Kind, controls: readonly Callable[]): unknown {
  return Object.fromEntries(
    controls.flatMap(({ control, call }) =>
      control.state === state && control.as !== undefined ? [[control.as, call([])]] : [],
    ),
  );
}

/** A page that leads where a redirect does. */
const leadingOn = ({ headers: { location = '', ...headers } = {} }: Reply): Reply => ({
  status: 200,
  headers: { ...headers, refresh: `0; url=${location}` },
  content: { type: 'text/html; charset=utf-8', body: '<!doctype html>' },
});

/** Writes the response of a request below the path of the control API. */
export function write(response: ServerResponse, reply: Reply): void {
  // A browser sends no cookie with a redirect that began at another site, such as a file: a page of this server leads on.
  const leads = reply.status === 303 && response.req.headers['sec-fetch-site'] === 'cross-site';
  const { status, json, content, headers = {} } = leads ? leadingOn(reply) : reply;
  const body = content?.body ?? (json === undefined ? undefined : JSON.stringify(json));
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const type = content?.type ?? 'application/json; charset=utf-8';
  response
    .writeHead(status, {
      ...HEADERS,
      ...headers,
      ...(bytes !== undefined && { 'content-type': type, 'content-length': String(bytes.length) }),
    })
    .end(bytes);
}
