import { readFileSync } from 'node:fs';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runSnippet } from '../../docs/run-snippet.ts';
import { compile, extract, root, write } from '../../docs/snippets.ts';
import type { CollectedMetric, CollectedSpan } from './collect.mjs';

const file = 'docs/observability.md';
const snippets = write(
  extract(file, readFileSync(root + file, 'utf8')).filter(({ peer }) => peer === 'observability'),
  `${import.meta.dirname}/.tmp/`,
);
const snippetWith = (text: string) =>
  snippets.find(({ code }) => code.includes(text)) ?? expect.fail(`no snippet has ${text}`);

/** What is collected by the OpenTelemetry SDK. What needs it is no module of the project, which is compiled without it. */
interface Collector {
  spans(): CollectedSpan[];
  metrics(): Promise<CollectedMetric[]>;
}
let collector: Collector;
beforeAll(async () => {
  const { collect } = (await import(`${import.meta.dirname}/collect.mjs`)) as { collect: () => Collector };
  collector = collect();
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('the snippets compile', () => {
  expect(snippets).toHaveLength(4);
  expect(compile(snippets)).toEqual([]);
});

describe('A snippet prints what the guide shows:', () => {
  test.each(['pino', 'prom-client'])('%s', async (name) => {
    const snippet = snippetWith(`from '${name}'`);
    expect(snippet.prints).toBeDefined();
    const printed = await runSnippet(snippet);
    expect(printed.join('\n')).not.toMatch(/headers|"body"/);
  });
});

/** A client whose first request is answered with a page, and the headers that the emulator was sent. */
function setUp() {
  const emulator = createEmulator({ seed: 'demo' });
  const { fetch, ...options } = emulator.clientOptions();
  const sent: (string | null)[] = [];
  const client = new EmailPlatform({
    ...options,
    fetch: (input, init) => {
      const request = new Request(input, init);
      sent.push(request.headers.get('traceparent'));
      return fetch(request);
    },
  });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  emulator.faults.next({ kind: 'html' });
  return { client, sent, id: emulator.campaigns.add() };
}

describe('OpenTelemetry', () => {
  test('has a span for a call, inside that of its caller, and one in it for each request', async () => {
    await import(/* @vite-ignore */ snippetWith('AsyncLocalStorage').path);
    const { client, sent, id } = setUp();
    await client.campaigns.get(id);
    await client.campaigns.get(9_999_999).catch(() => undefined);
    const spans = collector.spans();
    const [first, second, call, third, failed] = spans;
    const http = {
      'http.request.method': 'GET',
      'url.template': '/api/email_campaigns/{id}',
      'server.address': expect.any(String) as unknown,
      'server.port': expect.any(Number) as unknown,
    };
    expect(spans).toHaveLength(5);
    expect(call).toMatchObject({
      name: 'campaigns.get',
      kind: 'INTERNAL',
      attributes: { ...http, 'http.response.status_code': 200 },
      status: 'UNSET',
      parent: undefined,
    });
    expect(first).toMatchObject({
      name: 'GET /api/email_campaigns/{id}',
      kind: 'CLIENT',
      status: 'ERROR',
      parent: call?.id,
    });
    expect(first?.attributes).toEqual({ ...http, 'http.response.status_code': 502, 'error.type': '502' });
    expect(second).toMatchObject({ status: 'UNSET', parent: call?.id });
    expect(second?.attributes).toEqual({
      ...http,
      'http.response.status_code': 200,
      'http.request.resend_count': 1,
    });
    expect(failed).toMatchObject({
      name: 'campaigns.get',
      status: 'ERROR',
      attributes: { 'error.type': '404' },
    });
    expect(third?.parent).toBe(failed?.id);
    expect(sent).toEqual([first, second, third].map((span) => `00-${span?.trace}-${span?.id}-01`));
    expect(new Set([first, second, call].map((span) => span?.trace)).size).toBe(1);
    expect(JSON.stringify(spans)).not.toContain(String(id));
  });

  test('has the stable metric of HTTP clients', async () => {
    await import(/* @vite-ignore */ snippetWith('getMeter').path);
    const { client, id } = setUp();
    await client.campaigns.get(id);
    const metrics = await collector.metrics();
    expect(metrics.map(({ name, unit }) => [name, unit])).toEqual([
      ['http.client.request.duration', 's'],
      ['email_platform.queue.duration', 's'],
    ]);
    const [duration, queue] = metrics;
    expect(
      duration?.points.map(({ attributes, count }) => [
        attributes['http.response.status_code'],
        attributes['error.type'],
        count,
      ]),
    ).toEqual([
      [502, '502', 1],
      [200, undefined, 1],
    ]);
    expect(queue?.points.map(({ count }) => count)).toEqual([1]);
  });
});
