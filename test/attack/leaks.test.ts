import {
  ApiError,
  createThrottle,
  EmailPlatform,
  EmailPlatformError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  ValidationError,
  type EmailPlatformOptions,
} from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { covering } from '../support/covering.ts';
import { everythingOf } from '../support/everything-of.ts';
import { isFull } from '../support/extent.ts';
import { expectSilence } from '../support/expect-silence.ts';
import {
  failure,
  json,
  scriptedFetch,
  silence,
  text,
  together,
  type Turn,
} from '../support/scripted-fetch.ts';
import { closedPort, portWith, selfSignedPort } from '../support/sockets.ts';
import { throughItsWaits, until, virtualClient } from '../support/virtual-client.ts';
import { FORMS, shows } from './leak-forms.ts';
import { groupOf, places, type Place } from './leak-places.ts';

const TOKEN = 'tok/3n+S3cr3t&aB9~xyz-0123456789_/QwErTy';
/** Long enough to be cut out wherever they are repeated, and with all that has to be escaped. */
const BODY = `<p class="b0dy">${Array.from({ length: 40 }, (_, at) => `s3cr3t-${at * 7919}\n`).join('')}é</p>`;
const HEADER = Array.from({ length: 12 }, (_, at) => `h3ader-${at * 7907}`).join(' ');
const QUERY = Array.from({ length: 12 }, (_, at) => `qu3ry ${at * 7901}`).join('&');
const SHORT = 'ben@x';

const draft = {
  name: SHORT,
  domain_id: 1,
  from_local_part: 'news',
  template_attributes: { subject: 'Hi', body_html: BODY },
};
const sentBody = JSON.stringify(draft);

let combinations = 0;

expectSilence();
afterAll(() => {
  const extent = isFull ? 'all' : 'a covering set';
  process.stdout.write(`leaks: ${combinations} combinations of place, form and call (${extent})\n`);
});

/** Collects the events of the hooks, the logger and the tracing channels in this test. */
function watched(more: EmailPlatformOptions) {
  const events: object[] = [];
  const keep = (event: object) => void events.push(event);
  const hooks = { onRequest: keep, onResponse: keep, onRetry: keep, onThrottle: keep, onMismatch: keep };
  const log = (...line: [object, string]) => void events.push(line);
  const logger: EmailPlatform.Logger = { debug: log, info: log, warn: log, error: log };
  traced = events;
  return {
    events,
    settings: { token: TOKEN, hooks, logger, logLevel: 'debug', schemas, throttle: {}, ...more } as const,
  };
}

/** The messages of the tracing channels, with a copy of each phase. */
let traced: object[] = [];
const PHASES = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];
const CHANNELS = ['call', 'attempt'].flatMap((name) =>
  PHASES.map((phase) => `tracing:email-platform:${name}:${phase}`),
);
const trace = (message: unknown) => void traced.push(message as object, { ...(message as object) });
beforeAll(() => {
  for (const channel of CHANNELS) subscribe(channel, trace);
});
afterAll(() => {
  for (const channel of CHANNELS) unsubscribe(channel, trace);
});

function expectNothing(value: unknown) {
  const everything = everythingOf(value);
  expect(everything).not.toMatch(/s3cr3t|h3ader|qu3ry/);
  expect(everything.length).toBeGreaterThan(200);
}

/** Everything that can be read after a call in which a text stands at a place; undefined if it cannot stand there. */
async function readable(place: Place, text: string, hasQuery = false): Promise<string | undefined> {
  const { turn = silence, options, schema } = place(text);
  try {
    await turn({} as never);
  } catch (error) {
    // `Headers` and `Response` refuse some texts, and so does no server that could send them.
    if (error instanceof TypeError && /ByteString|header|statusText/i.test(error.message)) return undefined;
  }
  combinations += 1;
  const { events, settings } = watched({ fetch: scriptedFetch(turn).fetch, ...options });
  const { client, time } = virtualClient(settings);
  const headers = { 'x-mine': HEADER };
  const request = { method: 'POST', path: '/api/any', query: { q: QUERY }, body: draft, schema } as const;
  const call =
    schema || hasQuery
      ? client.request(request, { headers })
      : client.campaigns.update(1, draft, { headers, retry: { maxRetries: 1, maxWaitMs: 1_000 } });
  const outcome: unknown = await throughItsWaits(time, call.withResponse()).catch((error: unknown) => error);
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(EmailPlatformError);
  return everythingOf([outcome, events]);
}

/** The token stands at each place in one of the forms; in each form, at places of every sort. */
const placed = [...places(TOKEN)];
const forms = covering(Object.entries(FORMS), placed, {
  kind: () => 'any form',
  group: ([place]) => groupOf(place),
});

describe('The token cannot be read after a call, in any form', () => {
  test.each(placed.map((at) => [at[0], at] as const))('%s', async (_, at) => {
    const leaks: string[] = [];
    const [, place] = at;
    for (const [form, write] of forms.get(at) ?? []) {
      const everything = await readable(place, write(TOKEN));
      if (everything !== undefined && shows(everything, TOKEN)) leaks.push(form);
    }
    expect(leaks).toEqual([]);
  });
});

/** The places that repeat texts of the call without further escapes. */
const echoes = new Map(
  [...places(TOKEN)].filter(([name]) =>
    /^(400|422|429|302), (body, (?!JSON in JSON)|x-echo)|^fetch rejects|^client.request/.test(name),
  ),
);

describe('Sent values of more than 63 characters cannot be read after a call', () => {
  const sentValues = {
    BODY,
    HEADER,
    QUERY,
    'all of the body': sentBody,
    'most of it': `…${sentBody.slice(0, 6 * 64)}`,
  };
  /** Each place repeats one of them, and each of them is repeated at places of every sort. */
  const echoed = covering(Object.entries(sentValues), [...echoes.keys()], {
    kind: () => 'any value',
    group: groupOf,
  });

  test.each([...echoes])('%s', async (at, place) => {
    const leaks: string[] = [];
    for (const [name, text] of echoed.get(at) ?? []) {
      const everything = await readable(place, text, name === 'QUERY');
      if (/s3cr3t-\d|h3ader-\d|qu3ry \d/.test(everything ?? '')) leaks.push(name);
    }
    expect(leaks).toEqual([]);
  });

  test('but short texts stay, so that a message says which value is wrong', async () => {
    const fetch = scriptedFetch(json(422, { errors: { name: [`${SHORT} is invalid`] } })).fetch;
    const error = await rejection(
      virtualClient({ fetch, token: TOKEN }).client.campaigns.create(draft),
      ValidationError,
    );
    expect(error.message).toBe(`campaigns.create failed with 422: name ${SHORT} is invalid`);
    expect(error.fieldErrors).toEqual({ name: [`${SHORT} is invalid`] });
  });

  test('nor where the body is a Blob, because of its attachments', async () => {
    const { fetch } = scriptedFetch(({ body }) => new Response(body, { status: 500 }));
    const { client } = virtualClient({
      fetch,
      token: TOKEN,
      hosts: { send: 'https://send.test' },
      retry: false,
    });
    const content = new Blob(['attached '.repeat(50)]).stream();
    const mail = {
      from: { email: 'a@example.com' },
      to: [{ email: 'b@example.com' }],
      subject: 'Hi',
      html: BODY,
      attachments: [{ filename: 'a.txt', content }],
    };
    const everything = everythingOf(await rejection(client.sending.send(mail), ServerError));
    expect(everything).toContain('[redacted]');
    expect(everything).not.toMatch(/s3cr3t-\d|YXR0YWNoZWQg/);
  });

  test('nor the signature of a signed address', async () => {
    const signature = 'f00d'.repeat(20);
    const turn: Turn = ({ url }) => new Response(`no key ${signature} for ${url}`, { status: 403 });
    const { client } = virtualClient({ fetch: scriptedFetch(turn).fetch, token: TOKEN });
    const address = `https://files.test/raw?X-Signature=${signature}&Expires=1`;
    const error = await rejection(client.emailLogs.downloadRaw(address), PermissionDeniedError);
    expect(everythingOf(error)).not.toContain('f00df00df00d');
    expect(error.message).toContain('no key [redacted] for');
  });
});

describe('An error stays small enough to be handled', () => {
  const deep = `${'['.repeat(100_000)}"${TOKEN}"${']'.repeat(100_000)}`;

  test.each([302, 400, 422, 429, 503])('%i with a body that is nested 100 000 deep', async (status) => {
    for (const body of [deep, `{"errors":${deep}}`, `{"error":"Throttled","more":${deep}}`]) {
      const { fetch } = scriptedFetch(() => new Response(body, { status }));
      const { client } = virtualClient({ fetch, token: TOKEN, retry: false });
      const error = await rejection(client.campaigns.get(1), ApiError);
      expect(error.status).toBe(status);
      expect(everythingOf(error)).not.toContain(TOKEN);
    }
  });

  test.each([
    ['token', `{"error":"Throttled","more":${deep}}`],
    ['emailLogsList', deep],
  ])('a 429 with such a body closes its pool all the same: %s', async (pool, body) => {
    const { fetch } = scriptedFetch(
      () => new Response(body, { status: 429, headers: { 'retry-after': '7' } }),
      json(200, { messages: [], total_count: 0, next_page_cursor: null }),
    );
    const { client, time } = virtualClient({ fetch, throttle: {}, token: TOKEN });
    const error = await rejection(
      Promise.resolve(client.emailLogs.list({}, { retry: false })),
      RateLimitError,
    );
    expect(error).toMatchObject({ pool, retryAfterMs: 7_000 });
    await throughItsWaits(time, Promise.resolve(client.emailLogs.list()));
    expect(time.now()).toBeGreaterThanOrEqual(7_000);
  });

  test('its message ends at 500 characters, after ours', async () => {
    for (const turn of [
      json(400, { error: 'x'.repeat(9_000) }),
      failure(new Error('😀'.repeat(9_000))),
      failure(new Error(`x${'😀'.repeat(9_000)}`)),
    ]) {
      const { client } = virtualClient({ fetch: scriptedFetch(turn).fetch, retry: false });
      const error = await rejection(client.campaigns.get(1), EmailPlatformError);
      expect(error.message).toMatch(/^campaigns\.get.*: .*…$/u);
      expect(error.message.length).toBeLessThanOrEqual(500);
      expect(error.message.length).toBeGreaterThan(490);
      expect(error.message).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    }
  });

  test('not even a body made to be slow to search takes long', async () => {
    const parts = ['\\', '%25', '&#x0', '&#0', '&amp;', TOKEN.slice(0, -1), '%5C'];
    for (const part of parts) {
      const body = part.repeat(2 ** 18 / part.length);
      const { client } = virtualClient({
        fetch: scriptedFetch(text(500, body)).fetch,
        token: TOKEN,
        retry: false,
      });
      const startedAt = performance.now();
      await rejection(client.campaigns.update(1, draft), ServerError);
      // A tenth of a second; a search whose time grows by the square of the length would take minutes.
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    }
  });
});

describe('Logs and traces', () => {
  test('are among what is searched', async () => {
    const everything = await readable(places(TOKEN).get('429, x-echo') ?? expect.fail(), TOKEN);
    for (const said of ['attempt 1 was refused with 429', 'queuedMs', 'rate_limited'])
      expect(everything).toContain(said);
  });

  test('have no address of a person, in whatever text it is repeated', async () => {
    const person = 'ann.canary@example.org';
    const turn: Turn = () =>
      Response.json(
        { errors: { email: [`${person} is taken`], [person]: ['x'] } },
        { status: 422, headers: { 'x-echo': person } },
      );
    const hooks = false as const;
    const { events, settings } = watched({ fetch: scriptedFetch(turn).fetch });
    const { client } = virtualClient({
      ...settings,
      hooks,
      hosts: { api: 'https://api.test', send: 'https://send.test' },
    });
    const mail = { from: person, to: person, subject: person, text: person };
    const calls = [
      client.contacts.get(person),
      client.contacts.create({ email: person }),
      client.sending.send(mail),
      client.request({ method: 'PUT', path: `/api/contacts/${person}`, query: { person }, body: mail }),
      client.request({ method: 'GET', path: `/api/contacts?${person}` }),
    ];
    await Promise.allSettled(calls);
    expect(events.length).toBeGreaterThan(40);
    expect(everythingOf(events)).not.toContain('canary');
  });
});

describe('Nor can the token be read', () => {
  test('from the client, its resources, its throttle or a promise, while calls are queued and in flight', async () => {
    const limits = { token: { requests: 1, perMs: 10_000 } };
    const throttle = createThrottle({ limits });
    const { fetch, sent } = scriptedFetch(silence);
    const { events, settings } = watched({ fetch, throttle });
    const { client } = virtualClient(settings);
    const calls = [client.campaigns.get(1), client.campaigns.get(2)];
    await until(() => sent.length === 1);
    const derived = client.withOptions({ accountId: 7 });
    const resources = [client.campaigns, client.sending, client.emailLogs, client.templates, client.accounts];
    const seen = [client, derived, ...resources, throttle, ...calls, client.campaigns.list(), events];
    for (const each of seen) expect(shows(everythingOf(each), TOKEN)).toBe(false);
  });

  test('after it was aborted or timed out', async () => {
    for (const end of ['abort', 'timeout', 'deadline'] as const) {
      const { fetch, sent } = scriptedFetch(silence);
      const { events, settings } = watched({
        fetch,
        timeoutMs: 50,
        retry: false,
        ...(end === 'deadline' && { deadlineMs: 20 }),
      });
      const { client, time } = virtualClient(settings);
      const controller = new AbortController();
      const failed = client.campaigns
        .create(draft, { headers: { 'x-mine': HEADER }, signal: controller.signal })
        .catch((error: unknown) => error);
      await until(() => sent.length === 1);
      if (end === 'abort') controller.abort();
      await time.advance(50);
      expectNothing([await failed, events]);
    }
  });

  test('from failures of the real network', async () => {
    const addresses = [
      `http://127.0.0.1:${await closedPort()}`,
      `https://localhost:${await selfSignedPort(() => undefined)}`,
      `http://127.0.0.1:${await portWith((socket) => void socket.once('data', () => socket.destroy()))}`,
      `http://127.0.0.1:${await portWith((socket) => void socket.once('data', (data) => socket.end(data)))}`,
    ];
    for (const api of addresses) {
      const { events, settings } = watched({ hosts: { api }, retry: false });
      const client = new EmailPlatform(settings);
      const error: unknown = await client.campaigns
        .create(draft, { headers: { 'x-mine': HEADER } })
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'ConnectionError' });
      expectNothing([error, events]);
    }
  });

  test('from arguments that are refused', async () => {
    const { settings } = watched({});
    const { client } = virtualClient(settings);
    const wrong = { ...draft, domain_id: BODY as unknown as number, template_attributes: { subject: BODY } };
    const calls = [
      client.campaigns.create(wrong, { headers: { 'x-mine': `${HEADER}\r\n` } }),
      client.campaigns.update(1, wrong, { headers: { authorization: HEADER } }),
    ];
    for (const call of calls) {
      const error: unknown = await call.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'InvalidRequestError' });
      expectNothing(error);
    }
  });

  test('that a token function returned before the current one', async () => {
    const tokens = ['first-'.repeat(5), 'second-'.repeat(5)];
    const turn: Turn = () => Response.json({ error: `${tokens[0]} ${tokens[1]}` }, { status: 503 });
    let asked = 0;
    const token = () => tokens[Math.min(asked++, 1)] ?? '';
    const { client, time } = virtualClient({
      fetch: scriptedFetch(turn).fetch,
      token,
      retry: { maxRetries: 1 },
    });
    const error = await rejection(throughItsWaits(time, client.campaigns.get(1)), ServerError);
    expect(error.messages).toEqual(['[redacted] [redacted]']);
  });

  test.each<[string, (own: string) => Response]>([
    ['an error', (own) => Response.json({ error: own }, { status: 403, headers: { 'x-echo': own } })],
    ['a broken connection', (own) => expect.unreachable(own)],
    [
      'a result that quotes it where there are ids',
      (own) => Response.json({ success: true, message_ids: [own] }),
    ],
  ])(
    'of one of thirty calls at once, whose token function returns another each time: %s',
    async (_, turn) => {
      const echo: Turn = ({ headers }) => turn(headers.get('authorization')?.replace('Bearer ', '') ?? '');
      const { fetch, sent } = scriptedFetch(together(30, echo));
      const { events, settings } = watched({ fetch, hosts: { send: 'https://send.test' } });
      let made = 0;
      const token = () => `tk-${(made += 1)}-${'x'.repeat(20)}`;
      const { client } = virtualClient({ ...settings, token, retry: false, throttle: false });
      const mail = { from: 'a@mail.example.com', to: 'b@example.org', subject: 'S', text: 'T' };
      const calls = Array.from({ length: 30 }, () =>
        client.sending.send(mail).catch((error: unknown) => error),
      );
      const outcomes = (await Promise.all(calls)).filter((outcome) => outcome instanceof Error);
      expect(sent).toHaveLength(30);
      expect(everythingOf([outcomes, events])).not.toMatch(/tk-\d/);
    },
  );
});
