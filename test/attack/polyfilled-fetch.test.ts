import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { EmailPlatform, EmailPlatformOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { isFull } from '../support/extent.ts';
import { json, scriptedFetch, type Turn } from '../support/scripted-fetch.ts';
import { good } from './answer-faults.ts';
import { CALLS } from '../support/calls/calls.ts';
import { outcomeOf, throughEverything, worldOf, type Outcome } from './cell.ts';

const URL_OF_API = 'https://api.test';

/** Headers of another realm: they have the methods, and are no instance of the platform's class. */
const foreignHeaders = (headers: Headers) => {
  const map = new Map(headers);
  return Object.assign(Object.create(null) as object, {
    get: (name: string) => map.get(name.toLowerCase()) ?? null,
    has: (name: string) => map.has(name.toLowerCase()),
    forEach: map.forEach.bind(map),
    entries: map.entries.bind(map),
    keys: map.keys.bind(map),
    values: map.values.bind(map),
    [Symbol.iterator]: map[Symbol.iterator].bind(map),
  });
};

/** The body of a response as node-fetch has it: a stream of Node. */
async function* piecesOf({ body }: Response) {
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) yield Buffer.from(piece);
}

type Polyfill = (response: Response) => {
  readonly body: unknown;
  readonly arrayBuffer: () => Promise<unknown>;
};

const POLYFILLS: Readonly<Record<string, Polyfill>> = {
  'whose bodies are streams of Node': (response) => {
    const body = Readable.from(piecesOf(response), { objectMode: false });
    return { body, arrayBuffer: async () => new TextEncoder().encode(await text(body)).buffer };
  },
  'whose bodies can be had only whole': (response) => ({
    body: undefined,
    arrayBuffer: () => response.arrayBuffer(),
  }),
};

/** A `fetch` with responses of another realm. */
const polyfilled =
  (fetch: EmailPlatform.Fetch, polyfill: Polyfill): EmailPlatform.Fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const { status, ok, statusText, url, type, headers } = response;
    const head = { status, ok, statusText, url, type, headers: foreignHeaders(headers) };
    return { ...head, ...polyfill(response) } as unknown as Response;
  };

const plain = ({ kind, ...rest }: Outcome): string =>
  JSON.stringify('error' in rest ? [kind, String(rest.error)] : [kind, rest]);

/** The requests and the outcome of a call. */
async function seen(
  { name, run }: (typeof CALLS)[number],
  turn: Turn,
  through: (fetch: EmailPlatform.Fetch) => EmailPlatform.Fetch = (fetch) => fetch,
  options: EmailPlatformOptions = {},
) {
  const { fetch, sent } = scriptedFetch(turn);
  const { client, time } = worldOf(URL_OF_API, { fetch: through(fetch), ...options });
  const reading = async () => {
    const result = await run(client, {}, { text: 'x', url: URL_OF_API });
    return result instanceof ReadableStream ? new Response(result).text() : result;
  };
  const outcome = await throughEverything(time, outcomeOf(reading()));
  return {
    name,
    sent: sent.map(({ method, url }) => `${method} ${url}`),
    outcome: plain(outcome),
    raw: outcome,
  };
}

const polyfills = Object.entries(POLYFILLS);

test('A fetch of any sort has the results of the platform’s, of every method', async () => {
  for (const call of CALLS) {
    const { raw: _raw, ...own } = await seen(call, good(call));
    for (const [name, polyfill] of polyfills) {
      const { raw: _, ...other } = await seen(call, good(call), (fetch) => polyfilled(fetch, polyfill));
      expect(other, name).toEqual(own);
    }
  }
});

test('A fetch of any sort has the same errors', async () => {
  const refusal = json(422, { errors: { name: ['is taken'] } });
  const options = { retry: false } as const;
  for (const [index, call] of CALLS.entries()) {
    const { raw: _raw, ...own } = await seen(call, refusal, undefined, options);
    // Otherwise each method has one of them, in turn.
    for (const [name, polyfill] of isFull
      ? polyfills
      : [polyfills[index % polyfills.length] ?? expect.fail()]) {
      const { raw: _, ...other } = await seen(call, refusal, (fetch) => polyfilled(fetch, polyfill), options);
      expect(other, name).toEqual(own);
    }
  }
});

describe.each(polyfills)('A fetch %s', (_, polyfill) => {
  const through = (fetch: EmailPlatform.Fetch) => polyfilled(fetch, polyfill);

  test('may break off a body: an email is unknown then, and is sent once', async () => {
    const breaking: Turn = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{"success":')),
          pull: (controller) => controller.error(new Error('broken off')),
        }),
      );
    const send = CALLS.find(({ name }) => name === 'sending.send');
    if (!send) throw new Error('There is no such call.');
    const { sent, raw } = await seen(send, breaking, through);
    expect(sent).toHaveLength(1);
    expect(raw).toMatchObject({ error: { code: 'connection_failed', effect: 'unknown' } });
  });

  test('is not read further than an error may be large', async () => {
    let pulled = 0;
    const endless: Turn = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            pulled += 1;
            if (pulled > 100) controller.close();
            else controller.enqueue(new Uint8Array(2 ** 16).fill(97));
          },
        }),
        { status: 400 },
      );
    const list = CALLS.find(({ name }) => name === 'campaigns.list');
    if (!list) throw new Error('There is no such call.');
    const { raw } = await seen(list, endless, through);
    expect(raw).toMatchObject({ error: { code: 'bad_request', body: '' } });
  });

  test('leads a signed file along its redirect', async () => {
    const { fetch, sent } = scriptedFetch(
      () => new Response('moved', { status: 302, headers: { location: 'https://files.test/b' } }),
      () => new Response('the file'),
    );
    const { client, time } = worldOf(URL_OF_API, { fetch: through(fetch) });
    const raw = client.emailLogs.downloadRaw('https://files.test/a');
    const value = new TextEncoder().encode('the file');
    expect(await throughEverything(time, outcomeOf(raw))).toEqual({ kind: 'result', value });
    expect(sent).toHaveLength(2);
  });
});
