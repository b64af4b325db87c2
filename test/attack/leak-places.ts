import type { EmailPlatform, EmailPlatformOptions } from 'email-platform';
import type { StandardSchema } from '../../src/core/standard-schema.ts';
import { broken, failure, type Turn } from '../support/scripted-fetch.ts';

/** The changes of a place to a call. Absent fields keep their defaults. */
export interface Setting {
  readonly turn?: Turn;
  readonly options?: EmailPlatformOptions;
  /** For `client.request`. */
  readonly schema?: StandardSchema;
}

/** Somewhere a text can be put; throws where it cannot stand. */
export type Place = (text: string) => Setting;

const answer =
  (status: number, body: BodyInit | null, headers: Record<string, string> = {}): Turn =>
  () =>
    new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });

const inJson = (value: unknown) => JSON.stringify(value);
const nested = (depth: number, core: unknown): unknown => {
  let value = core;
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { more: value };
  return value;
};

/** Bodies. Where the text stands in raw JSON, an escape that is JSON's is resolved by whoever parses it. */
export const BODIES: Readonly<Record<string, (text: string) => string>> = {
  '{error}': (text) => inJson({ error: `Bad header: ${text}` }),
  '{errors: text}': (text) => inJson({ errors: text }),
  '{errors: [text]}': (text) => inJson({ errors: ['no', text] }),
  '{errors: map}': (text) => inJson({ errors: { name: [text], base: text } }),
  '{errors: map, key}': (text) => inJson({ errors: { [text]: ['is wrong'] } }),
  '{errors: [{message}]}': (text) => inJson({ errors: [{ message: text }] }),
  '{errors: [{errors: map}]}': (text) => inJson({ errors: [{ errors: { [text]: [text] } }] }),
  '{message}': (text) => inJson({ message: text }),
  'a key': (text) => inJson({ error: 'no', [text]: 1 }),
  'a nested value': (text) => inJson(nested(6, text)),
  'a nested key': (text) => inJson(nested(6, { [text]: null })),
  'a very deep value': (text) => inJson(nested(60, text)),
  'a JSON text': inJson,
  'a JSON list': (text) => inJson([text]),
  'raw in a value': (text) => `{"error":"Bad header: ${text}"}`,
  'raw in a key': (text) => `{"errors":{"${text}":["is wrong"]}}`,
  'raw after a byte order mark': (text) => `\ufeff{"error":"${text}"}`,
  'broken JSON': (text) => `{"error":"${text}", `,
  'JSON in JSON': (text) => inJson({ error: inJson({ error: text }) }),
  'plain text': (text) => `upstream said: ${text}`,
  'an HTML page': (text) => `<!doctype html><pre>Authorization: Bearer ${text}</pre>`,
};

const HEADERS = [
  'x-echo',
  'x-request-id',
  'content-type',
  'location',
  'retry-after',
  'date',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'set-cookie',
  'www-authenticate',
];

const with_ = (fields: object, error: Error = new Error('failed')) => Object.assign(error, fields);

/** Errors that a `fetch`, a function or a schema may throw. */
const FAILURES: Readonly<Record<string, (text: string) => unknown>> = {
  'a message': (text) => new Error(`could not send ${text}`),
  'a name': (text) => with_({ name: text }),
  'a name that is no text': (text) => with_({ name: { toString: () => text, text } }),
  'a message that is no text': (text) => with_({ message: { toString: () => text, text } }),
  'a stack': (text) => with_({ stack: `Error: failed\n    at ${text}:1:1` }),
  'a class': (text) =>
    new (class extends Error {
      override name = text;
    })(text),
  'a code': (text) => with_({ code: text }),
  'a number': (text) => with_({ errno: text, port: text }),
  'a host name': (text) => with_({ hostname: `${text}.test`, address: text, syscall: text }),
  'a reason': (text) => with_({ reason: text, library: text }),
  'its fields': (text) =>
    with_({ request: { headers: { [text]: text } }, config: text, [Symbol(text)]: text }),
  'its JSON': (text) => with_({ toJSON: () => ({ text }) }),
  'a cause': (text) => new TypeError('fetch failed', { cause: with_({ code: text }, new Error(text)) }),
  'a cause that is text': (text) => new Error('failed', { cause: text }),
  'a cause that is an object': (text) => new Error('failed', { cause: { text, toString: () => text } }),
  'a deep cause': (text) => {
    let error = new Error(text);
    for (let depth = 0; depth < 8; depth += 1) error = new Error(`${depth} ${text}`, { cause: error });
    return error;
  },
  'several errors': (text) => new AggregateError([new Error(text), text, broken(text, text)], text),
  'several errors in a cause': (text) =>
    new Error('failed', { cause: new AggregateError([with_({ code: text }, new Error(text))]) }),
  'a DOMException': (text) => new DOMException(text, text),
  'a text': (text) => text,
  'an object': (text) => ({ text, toString: () => text }),
  'a symbol': (text) => Symbol(text),
};

const thrower = (error: unknown) => (): never => {
  throw error;
};

const schemaOf = (validate: StandardSchema['~standard']['validate']): StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate },
});
const ok = answer(200, inJson({ data: { id: 1 } }));

/** Schemas that repeat the text of a response. */
const SCHEMAS: Readonly<Record<string, (text: string) => StandardSchema>> = {
  'an issue': (text) =>
    schemaOf(() => ({ issues: [{ message: `expected a number, got ${text}`, path: ['a'] }] })),
  'the path of an issue': (text) =>
    schemaOf(() => ({ issues: [{ message: 'wrong', path: ['a', { key: text }] }] })),
  'a later issue': (text) =>
    schemaOf(() => Promise.resolve({ issues: [{ message: text, path: [text, 7] }] })),
  ...Object.fromEntries(
    Object.entries(FAILURES).map(([name, make]) => [
      `its error: ${name}`,
      (text: string) => schemaOf(thrower(make(text))),
    ]),
  ),
};

const STATUSES = [302, 400, 422, 429];

/** All places, by name. */
export function places(token: string): Map<string, Place> {
  const all = new Map<string, Place>();
  for (const [name, body] of Object.entries(BODIES)) {
    for (const status of STATUSES)
      all.set(`${status}, body, ${name}`, (text) => ({ turn: answer(status, body(text)) }));
  }
  for (const header of HEADERS) {
    for (const status of [200, 302, 429, 503])
      all.set(`${status}, ${header}`, (text) => ({
        turn: answer(status, status === 200 ? 'no JSON' : '{}', {
          [header]: header === 'content-type' ? `a/b; c=${text}` : text,
        }),
      }));
  }
  for (const status of [400, 429])
    all.set(`${status}, the name of a header`, (text) => ({
      turn: answer(status, '{}', { [`x-${text}`]: text }),
    }));
  all.set('the status text', (text) => ({ turn: () => new Response('', { status: 500, statusText: text }) }));
  for (const [name, make] of Object.entries(FAILURES)) {
    all.set(`fetch rejects with ${name}`, (text) => ({ turn: failure(make(text)) }));
    all.set(`the body breaks off with ${name}`, (text) => ({
      turn: (request) =>
        answer(200, new ReadableStream({ pull: (stream) => stream.error(make(text)) }))(request),
    }));
    all.set(`the token function throws ${name}`, (text) => {
      // It had returned the token before.
      let asked = 0;
      const source = () => ((asked += 1) === 1 ? token : thrower(make(text))());
      return { turn: answer(429, '{}', { 'retry-after': '0' }), options: { token: source, retry: {} } };
    });
    all.set(`a hook throws ${name}`, (text) => {
      const reject = failure(make(text));
      const hooks: object = { onRequest: thrower(make(text)), onResponse: reject };
      return { options: { hooks }, turn: answer(400, '{}') };
    });
    all.set(`a logger throws ${name}`, (text) => {
      const fail = thrower(make(text));
      const logger: EmailPlatform.Logger = { debug: fail, info: fail, warn: fail, error: fail };
      return { options: { logger, logLevel: 'debug' }, turn: answer(429, '{}') };
    });
  }
  for (const [name, make] of Object.entries(SCHEMAS)) {
    all.set(`client.request, ${name}`, (text) => ({ schema: make(text), turn: ok }));
    for (const validateResponses of ['report', 'throw'] as const)
      all.set(`${validateResponses}, ${name}`, (text) => ({
        turn: ok,
        options: { schemas: { campaign: make(text) }, validateResponses },
      }));
  }
  return all;
}

/** The sort of a place, by its name: the part of the response, where all headers are one, or the failing function. */
export function groupOf(place: string): string {
  const part = place.replace(/^\d+, /, '').replace(/[,:] .*| (with|throws) .*/, '');
  return HEADERS.includes(part) ? 'a header' : part;
}
