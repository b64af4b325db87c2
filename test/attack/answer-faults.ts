import { broken, empty, failure, json, text, type Turn } from '../support/scripted-fetch.ts';
import { ECHO, SECRETS, type Fault } from './faults.ts';
import type { Call } from '../support/calls/call.ts';
import { methodOf } from '../support/calls/calls.ts';

/** A fault that a `fetch` shows as well as a socket does; `stalled` is called when nothing more will come. */
export interface AnswerFault extends Fault {
  readonly turn: (call: Call, stalled: () => void) => Turn;
}

/** A turn, or one that depends on the call, or that stalls. */
type Given = Turn | { readonly by: AnswerFault['turn'] };
type Row = readonly [name: string, meaning: Fault['meaning'], given: Given, only?: Fault['only']];

const during = (phase: Fault['phase'], rows: readonly Row[]): AnswerFault[] =>
  rows.map(([name, meaning, given, only]) => ({
    name,
    phase,
    meaning,
    turn: typeof given === 'function' ? () => given : given.by,
    ...(only && { only }),
  }));

const status = (code: number, body: unknown, headers: Record<string, string> = {}): Turn =>
  json(code, body, headers);
const said = { errors: ['No'] };
const isBatch = (call: Call) => ['sending.batch', 'sending.batchAll'].includes(methodOf(call));
const isMail = (call: Call) => call.reading === 'mail' && !isBatch(call);

/** A response whose body does what `pull` does. */
const streaming =
  (pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>): Turn =>
  () =>
    new Response(new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 }));

/** The body that the call hopes for. */
export const bodyOf = ({ answer }: Call): string => JSON.stringify(answer ?? { ok: true });

const hostile = new Proxy(new Error('x'), {
  get: () => {
    throw new Error('No field can be read.');
  },
});

/** Everything that a `fetch` can do to a request: the statuses, the bodies, and its own failures. */
export const ANSWER_FAULTS: readonly AnswerFault[] = [
  ...during('before the connection', [
    ['a name that does not exist', 'never sent', failure(broken('ENOTFOUND', 'getaddrinfo'))],
    ['no route', 'never sent', failure(broken('EHOSTUNREACH', 'connect'))],
    ['no connection in time', 'never sent', failure(broken('UND_ERR_CONNECT_TIMEOUT'))],
    [
      'all addresses refuse',
      'never sent',
      failure(
        new TypeError('fetch failed', {
          cause: new AggregateError([
            broken('ECONNREFUSED', 'connect').cause,
            broken('ECONNREFUSED', 'connect').cause,
          ]),
        }),
      ),
    ],
    ['a certificate that has expired', 'untrusted', failure(broken('CERT_HAS_EXPIRED'))],
    ['a certificate for another name', 'untrusted', failure(broken('ERR_TLS_CERT_ALTNAME_INVALID'))],
    [
      'one address that got further',
      'lost',
      failure(
        new AggregateError([broken('ECONNREFUSED', 'connect').cause, broken('ECONNRESET', 'read').cause]),
      ),
    ],
  ]),
  ...during('while the request is written', [
    ['a pipe that breaks', 'lost', failure(broken('EPIPE', 'write'))],
    [
      'an error that says all',
      'lost',
      failure(Object.assign(broken('EPIPE', 'write'), { request: SECRETS })),
    ],
    ['an error with the token in its text', 'lost', failure(new Error(ECHO, { cause: new Error(ECHO) }))],
  ]),
  ...during('before the headers', [
    [
      'silence',
      'silent',
      {
        by: (_, stalled) => () => {
          stalled();
          return new Promise(() => undefined);
        },
      },
    ],
    ['a lost connection', 'lost', failure(broken('ECONNRESET', 'read'))],
    ['a browser’s failure', 'lost', failure(new TypeError('Failed to fetch'))],
    ['an abort that was not requested', 'lost', failure(new DOMException('Aborted', 'AbortError'))],
    ['a rejection with nothing', 'lost', failure(undefined)],
    ['a rejection with null', 'lost', failure(null)],
    ['a rejection with a text', 'lost', failure(ECHO)],
    ['a rejection with a symbol', 'lost', failure(Symbol(SECRETS.token))],
    ['a rejection with what cannot be read', 'lost', failure(hostile)],
    [
      'a fetch that throws',
      'lost',
      () => {
        throw new Error(ECHO);
      },
    ],
    ['a fetch that returns nothing', 'lost', () => undefined as unknown as Response],
  ]),
  ...during('in the headers', [
    ...[400, 402, 405, 409, 410, 413, 415, 418, 421, 451, 499].map((code): Row => [
      String(code),
      'refused',
      status(code, said),
    ]),
    ['401', 'refused', status(401, { error: 'Incorrect API token' }, { 'www-authenticate': 'Token' })],
    ['403', 'refused', status(403, { errors: 'Access forbidden' })],
    // Permissions and accounts are then looked for at another address.
    [
      '404',
      'refused',
      status(404, { error: 'Not Found' }),
      ({ name }) => name !== 'accounts.permissions.list' && name !== 'accounts.get',
    ],
    ['422 by field', 'refused', status(422, { errors: { name: ['is taken'] } })],
    ['422 in a sentence', 'refused', status(422, { errors: 'Not now' })],
    ['408', 'failed', status(408, said)],
    ['501', 'not implemented', status(501, said)],
    ...[500, 502, 503, 504, 520, 599].map((code): Row => [String(code), 'failed', status(code, said)]),
    ['503 that says when', 'failed', status(503, said, { 'retry-after': '2' })],
    ['429', 'over the limit', status(429, { error: 'Throttled' })],
    ['429 of an account', 'over the limit', status(429, { errors: 'Rate limit exceeded' })],
    ['429 that says when', 'over the limit', status(429, said, { 'retry-after': '3' })],
    ['429 without a body', 'over the limit', empty(429, { 'x-ratelimit-reset': 'soon' })],
    ['429 for long', 'over the limit for hours', status(429, said, { 'retry-after': '3000' })],
    ...[300, 301, 302, 303, 304, 307, 308].map((code): Row => [
      String(code),
      'redirected',
      empty(code, { location: `https://elsewhere.test/?${SECRETS.token}` }),
      // Not for signed URLs, whose redirects the client follows.
      ({ isSigned }) => isSigned !== true,
    ]),
    ['401 with an echo', 'refused', status(401, { error: ECHO }, { 'x-request-id': SECRETS.token })],
    ['500 with an echo', 'failed', text(500, `<html>${ECHO}</html>`, 'text/html')],
    [
      '429 with an echo',
      'over the limit for hours',
      status(429, said, { 'retry-after': '3000', 'x-got': ECHO }),
    ],
  ]),
  ...during('in the body', [
    [
      'a body that fails',
      'done, then lost',
      streaming(() => {
        throw broken('ECONNRESET', 'read');
      }),
    ],
    [
      'a body that fails with the token',
      'done, then lost',
      streaming((controller) => controller.error(new Error(ECHO))),
    ],
    [
      'a body that never comes',
      'done, then silent',
      {
        by: (_, stalled) =>
          streaming(() => {
            stalled();
            return new Promise(() => undefined);
          }),
      },
    ],
    ['a body in pieces', 'fine', { by: (call) => inPieces(bodyOf(call)) }],
    ['HTML', 'done, no JSON', text(200, '<html>Hello</html>', 'text/html')],
    ['half of a JSON', 'done, no JSON', text(200, '{"data":{"id":1', 'application/json')],
    ['a text with a 201', 'done, no JSON', text(201, 'Created')],
    ['JSON for scripts', 'done, no JSON', text(200, ")]}',\n{}", 'application/json')],
    ['nothing', 'done, no body', text(200, '', 'application/json')],
    ['a 204', 'done, a 204', empty(204)],
    ['null', 'done, other JSON', json(200, null)],
    ['a number', 'done, other JSON', json(200, 7)],
    ['a text as JSON', 'done, other JSON', json(200, ECHO)],
    [
      'an error with a 200',
      'done, no JSON',
      json(200, { error: ECHO }),
      ({ reading }) => reading === 'status',
    ],
    [
      'a failure with a 200',
      'done, no JSON',
      json(200, { success: false }),
      ({ reading }) => reading === 'status',
    ],
    ['a refusal with a 200', 'done, but refused', json(200, { success: false, errors: [ECHO] }), isMail],
    [
      'a refusal of a batch with a 200',
      'done, but refused as a whole',
      json(200, { success: false, errors: [ECHO] }),
      isBatch,
    ],
  ]),
];

/** A body that comes byte by byte. */
function inPieces(body: string): Turn {
  return () => {
    const bytes = new TextEncoder().encode(body);
    let next = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (next >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(next, (next += 40)));
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  };
}

/** The response that the call hopes for. */
export const good = (call: Call): Turn => (call.answer === undefined ? empty(204) : json(200, call.answer));
