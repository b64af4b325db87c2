import { AsyncLocalStorage } from 'node:async_hooks';
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, ContextManager, Meter, Span, SpanOptions, Tracer } from '@opentelemetry/api';
import { ConfigurationError, type EmailPlatformOptions } from 'email-platform';
import { instrument, type InstrumentOptions } from 'email-platform/opentelemetry';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { json, lost, scriptedFetch, silence, type Turn } from '../../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../../support/virtual-client.ts';

const found = json(200, { data: { id: 1 } });
const accepted = json(200, { success: true, message_ids: ['1'] });
const busy = json(429, { error: 'Throttled' }, { 'retry-after': '2' });
const mail = { from: 'a@example.org', to: 'ann@example.org', subject: 'Secret offer', text: 'Hello' };

/** A span that notes what is done to it. */
interface Noted {
  readonly name: string;
  readonly kind: string;
  readonly parent: string | undefined;
  readonly attributes: Record<string, unknown>;
  status: string;
  ended: number;
}

/** A tracer and a meter that note what they are given. */
function noting() {
  const spans: Noted[] = [];
  const names = new Map<Span, string>();
  const startSpan = (name: string, { kind = 0, attributes }: SpanOptions = {}, active?: Context): Span => {
    const parent = active && trace.getSpan(active);
    const noted: Noted = {
      name,
      kind: SpanKind[kind],
      parent: parent && names.get(parent),
      attributes: { ...attributes },
      status: 'UNSET',
      ended: 0,
    };
    spans.push(noted);
    const span = {
      setAttributes: (more: object) => Object.assign(noted.attributes, more),
      setStatus: ({ code }: { code: SpanStatusCode }) => (noted.status = SpanStatusCode[code]),
      end: () => (noted.ended += 1),
    } as unknown as Span;
    names.set(span, name);
    return span;
  };
  const points: [name: string, value: number, attributes: object][] = [];
  const make = (name: string) => {
    const note = (value: number, attributes: object) => void points.push([name, value, attributes]);
    return { record: note, add: note };
  };
  const tracer = { startSpan } as Tracer;
  const meter = { createHistogram: make, createCounter: make } as unknown as Meter;
  return { tracer, meter, spans, points };
}

const store = new AsyncLocalStorage<Context>();
const manager = {
  active: () => store.getStore() ?? ROOT_CONTEXT,
  with: (active: Context, run: () => unknown) => store.run(active, run),
  disable: () => manager,
} as unknown as ContextManager;
const endings: (() => void)[] = [];
beforeEach(() => {
  context.setGlobalContextManager(manager);
});
afterEach(() => {
  for (const end of endings.splice(0)) end();
  context.disable();
  vi.restoreAllMocks();
});

function setUp(
  turns: [Turn, ...Turn[]],
  { http, ...options }: EmailPlatformOptions & Pick<InstrumentOptions, 'http'> = {},
) {
  const { tracer, meter, spans, points } = noting();
  const stop = instrument({ tracer, meter, http });
  endings.push(stop);
  const { fetch, sent } = scriptedFetch(...turns);
  const hosts = { api: 'https://api.test', bulk: 'https://bulk.test' };
  const { client, time } = virtualClient({ fetch, hosts, ...options });
  return { client, time, sent, spans, points, stop };
}

const api = { 'server.address': 'api.test', 'server.port': 443 };
const get = { 'http.request.method': 'GET', 'url.template': '/api/email_campaigns/{id}', ...api };

describe('A call', () => {
  test('has a span, and one in it for each request', async () => {
    const { client, time, spans } = setUp([busy, lost, found]);
    await throughItsWaits(time, client.campaigns.get(1));
    const request = {
      name: 'GET /api/email_campaigns/{id}',
      kind: 'CLIENT',
      parent: 'campaigns.get',
      ended: 1,
    };
    expect(spans).toEqual([
      {
        name: 'campaigns.get',
        kind: 'INTERNAL',
        parent: undefined,
        attributes: {
          'email_platform.operation': 'campaigns.get',
          ...api,
          'http.response.status_code': 200,
          'email_platform.attempts': 3,
          'email_platform.queue.duration': 0,
        },
        status: 'UNSET',
        ended: 1,
      },
      {
        ...request,
        attributes: { ...get, 'http.response.status_code': 429, 'error.type': '429' },
        status: 'ERROR',
      },
      {
        ...request,
        attributes: { ...get, 'http.request.resend_count': 1, 'error.type': 'connection_failed' },
        status: 'ERROR',
      },
      {
        ...request,
        attributes: { ...get, 'http.request.resend_count': 2, 'http.response.status_code': 200 },
        status: 'UNSET',
      },
    ]);
  });

  test('that sends has the attributes of messaging, and nothing of the email', async () => {
    const { client, spans, points } = setUp([json(400, { errors: ['ann@example.org is blocked'] })]);
    await client.sending.send(mail, { stream: 'bulk' }).catch(() => undefined);
    expect(spans[0]).toMatchObject({ name: 'sending.send bulk', kind: 'CLIENT', status: 'ERROR' });
    expect(spans[0]?.attributes).toMatchObject({
      'messaging.system': 'email_platform',
      'messaging.operation.name': 'sending.send',
      'messaging.operation.type': 'send',
      'messaging.destination.name': 'bulk',
      'server.address': 'bulk.test',
      'error.type': 'bad_request',
      'email_platform.effect': 'none',
    });
    expect(points.map(([name]) => name)).toContain('messaging.client.operation.duration');
    expect(JSON.stringify([spans, points])).not.toMatch(/example\.org|Secret|Hello|token/);
  });

  test('adds no header to its requests', async () => {
    const { client, sent } = setUp([found]);
    await client.campaigns.get(1);
    expect([...(sent[0]?.headers.keys() ?? [])].sort()).toEqual(['accept', 'authorization', 'user-agent']);
  });

  test('has no spans of requests where another instrumentation makes them, but is the active one', async () => {
    const active: (Span | undefined)[] = [];
    const hooks = { onRequest: () => active.push(trace.getActiveSpan()) };
    const { client, time, spans, points } = setUp([lost, found], { http: false, hooks });
    await throughItsWaits(time, client.campaigns.get(1));
    expect(spans.map(({ name }) => name)).toEqual(['campaigns.get']);
    expect(active).toHaveLength(2);
    expect(active[0]).toBeDefined();
    expect(new Set(active).size).toBe(1);
    expect(trace.getActiveSpan()).toBeUndefined();
    expect(points.map(([name]) => name)).not.toContain('http.client.request.duration');
  });

  test('of a tracer that throws goes on', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    endings.push(instrument({ tracer: { startSpan: broken } as unknown as Tracer }));
    const { client } = setUp([found]);
    await expect(client.campaigns.get(1)).resolves.toEqual({ id: 1 });
  });
});

describe('Metrics', () => {
  test('have calls, waits, refusals, sends and requests', async () => {
    const limits = { token: { requests: 1, perMs: 10_000 } };
    const { client, time, points } = setUp([accepted, busy, accepted], { throttle: { limits } });
    const sends = [1, 2].map(() => client.sending.send(mail, { stream: 'bulk' }));
    await Promise.all(sends.map((send) => throughItsWaits(time, send)));
    const of = (wanted: string) => points.filter(([name]) => name === wanted);
    const server = { 'server.address': 'bulk.test', 'server.port': 443 };
    const operation = { 'email_platform.operation': 'sending.send', ...server };
    expect(of('email_platform.call.duration').map(([, , attributes]) => attributes)).toEqual([
      operation,
      operation,
    ]);
    const waits = of('email_platform.queue.duration').map(([, value]) => value);
    expect(waits[0]).toBe(0);
    expect(waits[1]).toBeGreaterThanOrEqual(10);
    expect(of('email_platform.refusals')).toEqual([['email_platform.refusals', 1, operation]]);
    expect(of('messaging.client.operation.duration')).toHaveLength(2);
    const statuses = of('http.client.request.duration').map(
      ([, , attributes]) => (attributes as Record<string, unknown>)['http.response.status_code'],
    );
    expect(statuses).toEqual([200, 429, 200]);
  });
});

describe('instrument', () => {
  test('returns what switches it off, and ends the spans of calls that still run', async () => {
    const { client, sent, spans, stop } = setUp([silence, found]);
    const aborting = new AbortController();
    const running = client.campaigns.get(1, { signal: aborting.signal });
    await until(() => sent.length === 1);
    stop();
    stop();
    expect(spans.map(({ ended }) => ended)).toEqual([1, 1]);
    aborting.abort();
    await running.catch(() => undefined);
    await client.campaigns.get(2);
    expect(spans.map(({ ended }) => ended)).toEqual([1, 1]);
  });

  test.each<[string, object, RegExp]>([
    ['tracer', { tracer: 'mail' }, /^tracer must be a tracer/],
    ['meter', { meter: {} }, /^meter must be a meter/],
    ['http', { http: 'no' }, /^http must be true or false/],
    ['tracers', { tracers: [] }, /tracers is not a known field; did you mean/],
  ])('refuses a wrong option: %s', (option, options, message) => {
    const start = () => instrument(options);
    expect(start).toThrow(ConfigurationError);
    expect(start).toThrow(
      expect.objectContaining({ option, message: expect.stringMatching(message) as unknown }),
    );
  });

  test('refuses a runtime that has no channels', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    expect(() => instrument()).toThrow(ConfigurationError);
    expect(() => instrument()).toThrow(/^instrument\(\) needs node:diagnostics_channel.*nodejs_compat/);
  });
});
