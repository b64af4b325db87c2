import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmailPlatform } from 'email-platform';
import { instrument } from 'email-platform/opentelemetry';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CollectedMetric, CollectedSpan } from './collect.mjs';

/** What is collected by the OpenTelemetry SDK. What needs it is no module of the project, which is compiled without it. */
interface Collector {
  /** The instrumentation of `fetch`, off at first. */
  readonly undici: { enable(): void; disable(): void };
  /** Runs something within an active span of an application. */
  within<T>(name: string, run: () => Promise<T>): Promise<T>;
  /** The spans that have ended since it was last asked. */
  spans(): CollectedSpan[];
  metrics(): Promise<CollectedMetric[]>;
}

const endings: (() => unknown)[] = [];
let sdk: Collector;
beforeAll(async () => {
  // Before the SDK: its tracers and meters must be found all the same.
  const stop = instrument();
  const before = await serve();
  await before.client.campaigns.get(7654321);
  const { collect } = (await import(`${import.meta.dirname}/collect.mjs`)) as { collect: () => Collector };
  sdk = collect();
  await before.client.campaigns.get(7654321);
  stop();
});
afterEach(async () => {
  sdk.undici.disable();
  for (const end of endings.splice(0)) await end();
});

/** A service on a port, with its client. Its first answer is a page with 502, and all others are a campaign. */
async function serve() {
  const traceparents: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    traceparents.push(headers.traceparent);
    if (traceparents.length === 1)
      response.writeHead(502, { 'content-type': 'text/html' }).end('Bad gateway');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"id":7654321}}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  endings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = new EmailPlatform({ token: 'token', hosts: { api: `http://127.0.0.1:${port}` } });
  return { client, traceparents };
}

/** Each span as `name < name of its parent`, in the order in which they ended. */
const family = (spans: readonly CollectedSpan[]) =>
  spans.map(({ name, parent }) => {
    const above = parent === undefined ? undefined : spans.find(({ id }) => id === parent);
    return parent === undefined ? name : `${name} < ${above?.name ?? 'unknown'}`;
  });

test('an SDK that is registered later, after the first calls, gets spans and metrics', async () => {
  expect(family(sdk.spans())).toEqual(['GET /api/email_campaigns/{id} < campaigns.get', 'campaigns.get']);
  const names = (await sdk.metrics()).map(({ name, unit }) => [name, unit]);
  expect(names).toEqual([
    ['email_platform.call.duration', 's'],
    ['email_platform.queue.duration', 's'],
    ['http.client.request.duration', 's'],
  ]);
});

describe('Within a span of the application', () => {
  test('calls are its children, and requests are theirs', async () => {
    endings.push(instrument());
    const { client, traceparents } = await serve();
    await sdk.within('POST /signup', async () => {
      await client.campaigns.get(7654321);
      await Promise.all([client.templates.get(7654321), client.templates.get(7654321)]);
    });
    const spans = sdk.spans();
    expect(family(spans).sort()).toEqual([
      'GET /api/email_campaigns/{id} < campaigns.get',
      'GET /api/email_campaigns/{id} < campaigns.get',
      'GET /api/email_templates/{id} < templates.get',
      'GET /api/email_templates/{id} < templates.get',
      'POST /signup',
      'campaigns.get < POST /signup',
      'templates.get < POST /signup',
      'templates.get < POST /signup',
    ]);
    expect(new Set(spans.map((span) => span.trace)).size).toBe(1);
    expect(JSON.stringify(spans)).not.toContain('7654321');
    expect(traceparents).toEqual(new Array(4).fill(undefined));
  });

  test('the spans of undici are children of the requests', async () => {
    endings.push(instrument());
    sdk.undici.enable();
    const { client } = await serve();
    await sdk.within('job', () => client.campaigns.get(7654321));
    expect(family(sdk.spans())).toEqual([
      'GET < GET /api/email_campaigns/{id}',
      'GET /api/email_campaigns/{id} < campaigns.get',
      'GET < GET /api/email_campaigns/{id}',
      'GET /api/email_campaigns/{id} < campaigns.get',
      'campaigns.get < job',
      'job',
    ]);
  });

  test('the spans of undici are children of the call with `http: false`, and `traceparent` is theirs', async () => {
    endings.push(instrument({ http: false }));
    sdk.undici.enable();
    const { client, traceparents } = await serve();
    await sdk.within('job', () => client.campaigns.get(7654321));
    const spans = sdk.spans();
    expect(family(spans)).toEqual([
      'GET < campaigns.get',
      'GET < campaigns.get',
      'campaigns.get < job',
      'job',
    ]);
    expect(traceparents).toEqual(spans.slice(0, 2).map((span) => `00-${span.trace}-${span.id}-01`));
  });
});
