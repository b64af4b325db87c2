import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { ConnectionError, EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { json, lost, scriptedFetch, silence, text, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../support/virtual-client.ts';

const found = json(200, { data: { id: 1 } });
const busy = json(429, { error: 'Throttled' }, { 'retry-after': '2' });
const PHASES = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
type Phase = (typeof PHASES)[number];

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

type Heard = EmailPlatform.CallTrace & EmailPlatform.AttemptTrace;
type Wrapper = Parameters<EmailPlatform.CallTrace['wrap']>[0];

/** Subscribes to all phases of a channel, or to some of them. */
function listen(
  name: 'call' | 'attempt',
  heard: (phase: Phase, message: Heard) => void,
  phases: readonly Phase[] = PHASES,
) {
  for (const phase of phases) {
    const listener = (message: unknown) => {
      heard(phase, message as Heard);
    };
    const channel = `tracing:email-platform:${name}:${phase}`;
    subscribe(channel, listener);
    endings.push(() => void unsubscribe(channel, listener));
  }
}

/** Notes what is published, with a copy of the message as it is then. */
function noted(name: 'call' | 'attempt', phases?: readonly Phase[]) {
  const log: Phase[] = [];
  const messages: Heard[] = [];
  const copies: Heard[] = [];
  const note = (phase: Phase, message: Heard) => {
    log.push(phase);
    messages.push(message);
    copies.push({ ...message });
  };
  listen(name, note, phases);
  return { log, messages, copies };
}

function setUp(turns: [Turn, ...Turn[]], options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(...turns);
  const { client, time } = virtualClient({ fetch, ...options });
  return { client, sent, time };
}

const SERVER = { address: 'api.test', port: 443 };

describe('email-platform:call', () => {
  test('has one message for each call, through all phases of it', async () => {
    const { log, messages, copies } = noted('call');
    const { client, time } = setUp([lost, found]);
    const meta = { trace: 7 };
    const call = client.campaigns.get(1, { meta });
    expect(log).toEqual(['start', 'end']);
    const started = {
      callId: expect.any(String) as unknown,
      operation: 'campaigns.get',
      method: 'GET',
      host: 'api',
      template: '/api/email_campaigns/{id}',
      server: SERVER,
      meta,
    };
    expect(copies[0]).toEqual(started);
    await throughItsWaits(time, call);
    expect(log).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
    expect(copies[2]).toEqual({ ...started, status: 200, attempts: 2, queuedMs: 0, durationMs: 250 });
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]?.meta).toBe(meta);
  });

  test("ends before the caller's code goes on", async () => {
    const { log } = noted('call');
    const { client } = setUp([found]);
    await client.campaigns.get(1);
    expect(log.at(-1)).toBe('asyncEnd');
    await client.campaigns.get(0).catch(() => log.push('error'));
    expect(log.slice(-2)).toEqual(['asyncEnd', 'error']);
  });

  test('says of a failure what it is, and not the error itself', async () => {
    const { log, copies } = noted('call');
    const { client } = setUp([json(422, { errors: { name: ['ann@example.org is taken'] } })]);
    await client.templates.get(5).catch(() => undefined);
    expect(log).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd']);
    expect(copies.at(-1)).toMatchObject({
      status: 422,
      attempts: 1,
      error: { name: 'ValidationError', code: 'validation_failed', effect: 'none', status: 422 },
    });
    expect(JSON.stringify(copies)).not.toContain('ann@');
  });

  test('has no status where the last request had no response', async () => {
    const { copies } = noted('call', ['asyncEnd']);
    const { client, time } = setUp([text(503, ''), lost], { retry: { maxRetries: 1 } });
    await rejection(throughItsWaits(time, client.campaigns.get(1)), ConnectionError);
    expect(copies).toEqual([
      expect.objectContaining({
        status: undefined,
        attempts: 2,
        error: { name: 'ConnectionError', code: 'connection_failed', effect: 'unknown', status: undefined },
      }),
    ]);
  });

  test('has a call that is refused before anything is sent', async () => {
    const { log, copies } = noted('call');
    const { client } = setUp([found]);
    await client.campaigns.get(0).catch(() => undefined);
    expect(log).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd']);
    expect(copies.at(-1)).toMatchObject({
      template: '/api/email_campaigns/{id}',
      status: undefined,
      attempts: 0,
      error: { name: 'InvalidRequestError', code: 'invalid_request', effect: 'none', status: undefined },
    });
  });

  test('says how long the call was queued', async () => {
    const { copies } = noted('call', ['asyncEnd']);
    const { client, time } = setUp([found], {
      throttle: { limits: { token: { requests: 1, perMs: 10_000 } } },
    });
    await Promise.all([1, 2].map((id) => throughItsWaits(time, client.campaigns.get(id))));
    expect(copies.map(({ queuedMs }) => queuedMs)).toEqual([0, 10_000]);
  });

  test('ends with the stream that a call returns', async () => {
    const { log, copies } = noted('call', ['asyncEnd']);
    const url = 'https://files.test:8443/export?signature=s3cr3t-s3cr3t';
    let source!: ReadableStreamDefaultController;
    const body = new ReadableStream({ start: (controller) => void (source = controller) });
    const { client } = setUp([json(200, { id: 1, status: 'finished', url }), () => new Response(body)]);
    source.enqueue(new TextEncoder().encode('email\n'));
    const read = new Response(await client.contacts.exports.download(1)).text();
    await until(() => log.length === 1);
    source.close();
    expect(await read).toBe('email\n');
    expect(copies.map(({ operation, template, server }) => ({ operation, template, server }))).toEqual([
      { operation: 'contacts.exports.get', template: '/api/contacts/exports/{id}', server: SERVER },
      {
        operation: 'contacts.exports.download',
        template: undefined,
        server: { address: 'files.test', port: 8443 },
      },
    ]);
  });

  test('is not published to anybody who starts to listen while a call runs', async () => {
    const { client, sent } = setUp([silence]);
    const controller = new AbortController();
    const call = client.campaigns.get(1, { signal: controller.signal }).catch(() => undefined);
    await until(() => sent.length === 1);
    const { log } = noted('call');
    controller.abort();
    await call;
    expect(log).toEqual([]);
  });

  test.each(PHASES)('is published to subscribers of %s only', async (phase) => {
    const { log } = noted('call', [phase]);
    const { client } = setUp([json(404, {})]);
    await client.campaigns.get(1).catch(() => undefined);
    expect(log).toEqual([phase]);
  });

  test('carries a store to what happens inside, through the queue, and not to the caller', async () => {
    const store = new AsyncLocalStorage<string>();
    const channel = tracingChannel('email-platform:call');
    channel.start.bindStore(store, (message) => (message as EmailPlatform.CallTrace).operation);
    endings.push(() => void channel.start.unbindStore(store));
    const seen: unknown[] = [];
    const note = () => void seen.push(store.getStore());
    const turn: Turn = (request) => {
      note();
      return found(request);
    };
    const { client, time } = setUp([turn], {
      throttle: { limits: { token: { requests: 1, perMs: 10_000 } } },
      hooks: { onStart: note, onRequest: note, onResponse: note, onEnd: note },
    });
    await Promise.all(
      ['first', 'second'].map((mine) =>
        store.run(mine, async () => {
          await throughItsWaits(time, client.campaigns.get(1));
          expect(store.getStore()).toBe(mine);
        }),
      ),
    );
    expect(seen).toEqual(Array.from({ length: 10 }, () => 'campaigns.get'));
  });

  test('runs a call once, within the wrappers of its listeners', async () => {
    const inside: string[] = [];
    const within =
      (name: string): Wrapper =>
      (run) => {
        inside.push(name);
        run();
        inside.pop();
      };
    const wrappers = [within('a'), within('b')];
    const wrap = (_: Phase, message: Heard) => {
      for (const wrapper of wrappers) message.wrap(wrapper);
    };
    listen('call', wrap, ['start']);
    const heard: string[][] = [];
    const { client, sent } = setUp([found], { hooks: { onStart: () => heard.push([...inside]) } });
    await client.campaigns.get(1);
    expect(heard).toEqual([['b', 'a']]);
    expect(inside).toEqual([]);
    expect(sent).toHaveLength(1);
  });

  const throwing: Wrapper = () => {
    throw new Error('a listener failed');
  };
  const twice: Wrapper = (run) => {
    run();
    run();
  };
  test.each<[string, Wrapper]>([
    ['runs nothing', () => undefined],
    ['throws before it runs the call', throwing],
    ['runs the call twice', twice],
    [
      'throws after it has run the call',
      (run) => {
        run();
        throwing(run);
      },
    ],
  ])('a wrapper that %s changes nothing', async (_, wrapper) => {
    for (const name of ['call', 'attempt'] as const) {
      const wrap = (_: Phase, message: Heard) => {
        message.wrap(wrapper);
      };
      listen(name, wrap, ['start']);
    }
    const { log } = noted('attempt');
    const { client, sent } = setUp([found]);
    await expect(client.campaigns.get(1)).resolves.toEqual({ id: 1 });
    expect(sent).toHaveLength(1);
    expect(log).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
  });

  test('has the declared path, in the form that is called, with names in place of ids', async () => {
    const { copies } = noted('call', ['start']);
    const { client } = setUp([found], { accountId: 7 });
    const calls = [
      client.contacts.get('ann@example.org'),
      client.sendingDomains.get(3),
      client.withOptions({ accountId: undefined }).accounts.get(3),
      client.emailLogs.get('6a1f6b0e-3f6f-4c36-9d4f-0f9f3a3f8a11'),
    ];
    await Promise.allSettled(calls);
    expect(copies.map(({ template }) => template)).toMatchInlineSnapshot(`
      [
        "/api/accounts/{account_id}/contacts/{contact}",
        "/api/accounts/{account_id}/sending_domains/{id}",
        "/api/accounts/{id}",
        "/api/email_logs/{messageId}",
      ]
    `);
  });

  test('does not call client.request by its path, which may have an address in it', async () => {
    const { copies } = noted('call', ['start']);
    const { client } = setUp([found]);
    await client.request({ method: 'PUT', path: '/api/contacts/ann@example.org' });
    expect(copies[0]).toMatchObject({ operation: 'request', method: 'PUT', template: undefined });
    expect(JSON.stringify(copies)).not.toContain('ann@');
  });

  test('a listener that changes or freezes the message changes nothing else', async () => {
    const { copies } = noted('call', ['asyncEnd']);
    listen('call', (_, message) => Object.freeze(Object.assign(message, { operation: 'mine' })), ['start']);
    const { client, sent } = setUp([found]);
    expect(await client.campaigns.get(1)).toEqual({ id: 1 });
    expect(sent).toHaveLength(1);
    expect(copies).toHaveLength(1);
  });
});

describe('email-platform:attempt', () => {
  test('has a message for each request', async () => {
    const { log, copies } = noted('attempt');
    const { client, time } = setUp([busy, lost, found]);
    await throughItsWaits(time, client.campaigns.get(1, { meta: 'mine' }));
    expect(log).toEqual([
      ...['start', 'end', 'error', 'asyncStart', 'asyncEnd'],
      ...['start', 'end', 'error', 'asyncStart', 'asyncEnd'],
      ...['start', 'end', 'asyncStart', 'asyncEnd'],
    ]);
    expect(copies[0]).toEqual({
      callId: copies[0]?.callId,
      operation: 'campaigns.get',
      method: 'GET',
      host: 'api',
      template: '/api/email_campaigns/{id}',
      server: SERVER,
      meta: 'mine',
      attempt: 1,
      headers: {},
    });
    const ends = copies.filter((_, index) => log[index] === 'asyncEnd');
    expect(ends.map(({ attempt, status, error }) => [attempt, status, error?.code])).toEqual([
      [1, 429, 'rate_limited'],
      [2, undefined, 'connection_failed'],
      [3, 200, undefined],
    ]);
    expect(new Set(copies.map(({ callId }) => callId)).size).toBe(1);
  });

  test('happens inside its call', async () => {
    const store = new AsyncLocalStorage<string[]>();
    const [calls, attempts] = ['call', 'attempt'].map((name) => tracingChannel(`email-platform:${name}`));
    const inside = (name: string) => () => [...(store.getStore() ?? []), name];
    calls?.start.bindStore(store, inside('call'));
    attempts?.start.bindStore(store, inside('attempt'));
    endings.push(() => {
      calls?.start.unbindStore(store);
      attempts?.start.unbindStore(store);
    });
    const seen: unknown[] = [];
    const turn: Turn = (request) => {
      seen.push(store.getStore());
      return seen.length === 1 ? lost(request) : found(request);
    };
    const { client, time } = setUp([turn]);
    await throughItsWaits(time, client.campaigns.get(1));
    expect(seen).toEqual([
      ['call', 'attempt'],
      ['call', 'attempt'],
    ]);
  });

  test('sends the headers that are put into its message', async () => {
    listen('attempt', (_, { headers, attempt }) => Object.assign(headers, { traceparent: `00-${attempt}` }), [
      'start',
    ]);
    const { client, sent, time } = setUp([lost, found]);
    await throughItsWaits(time, client.campaigns.get(1));
    expect(sent.map(({ headers }) => headers.get('traceparent'))).toEqual(['00-1', '00-2']);
    await client.campaigns.get(1, { headers: { TraceParent: 'mine' } });
    expect(sent.at(-1)?.headers.get('traceparent')).toBe('mine');
  });

  test('does not send headers that the client sets, or that cannot be sent', async () => {
    const wrong = {
      Authorization: 'Bearer other',
      'x-bad': 'a\r\nb: c',
      'x bad': '1',
      'x-number': 1,
      'x-good': 'yes',
    };
    listen('attempt', (_, { headers }) => Object.assign(headers, wrong), ['start']);
    const { client, sent } = setUp([found], { token: 's3cr3t' });
    await client.campaigns.get(1);
    const { authorization, ...others } = Object.fromEntries(sent[0]?.headers ?? []);
    expect(authorization).toBe('Bearer s3cr3t');
    expect(Object.keys(others).filter((name) => /^(x|b)/.test(name))).toEqual(['x-good']);
  });

  test('sends no header to a signed address', async () => {
    listen('attempt', (_, { headers }) => Object.assign(headers, { traceparent: '00-1' }), ['start']);
    const { client, sent } = setUp([text(200, 'raw')]);
    await client.emailLogs.downloadRaw('https://files.test/raw?X-Signature=abcdefgh');
    expect(sent[0]?.headers.has('traceparent')).toBe(false);
  });

  test('a listener that puts something else in place of the headers changes nothing', async () => {
    for (const headers of [
      undefined,
      null,
      'text',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no');
          },
        },
      ),
    ]) {
      listen('attempt', (_, message) => Object.assign(message, { headers }), ['start']);
      const { client } = setUp([found]);
      expect(await client.campaigns.get(1)).toEqual({ id: 1 });
    }
  });

  const get = () => {
    throw new Error('no');
  };
  test.each<[string, (message: object & { readonly headers: object }) => unknown]>([
    ['in place of the headers', (message) => Object.defineProperty(message, 'headers', { get })],
    [
      'in place of a header',
      ({ headers }) => Object.defineProperty(headers, 'traceparent', { get, enumerable: true }),
    ],
    [
      'in place of what is told',
      (message) =>
        ['status', 'durationMs', 'error', 'attempt', 'callId'].forEach((name) =>
          Object.defineProperty(message, name, { get, set: get, enumerable: true }),
        ),
    ],
  ])('a listener that puts a getter that throws %s changes nothing', async (_, change) => {
    listen('attempt', (__, message) => change(message), ['start']);
    const { client, sent } = setUp([found]);
    expect(await client.campaigns.get(1)).toEqual({ id: 1 });
    expect(sent).toHaveLength(1);
  });
});

describe('Without a diagnostics channel', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test.each([
    ['no process', undefined],
    ['an emulated one', { env: {} }],
    ['a module that is missing', { getBuiltinModule: () => undefined }],
    ['a module without tracing channels', { getBuiltinModule: () => ({}) }],
    [
      'a function that throws',
      {
        getBuiltinModule: () => {
          throw new Error('no');
        },
      },
    ],
  ])('nothing happens: %s', async (_, process) => {
    vi.stubGlobal('process', process);
    const { fetch } = scriptedFetch(found);
    const client = new EmailPlatform({
      token: 't',
      hosts: { api: 'https://api.test' },
      fetch,
      throttle: false,
    });
    const { log } = noted('call');
    expect(await client.campaigns.get(1)).toEqual({ id: 1 });
    expect(log).toEqual([]);
  });
});
