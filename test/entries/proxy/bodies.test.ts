import type { EmailPlatformOptions } from 'email-platform';
import type { ProxyOptions } from 'email-platform/proxy';
import { describe, expect, test, vi } from 'vitest';
import { json, scriptedFetch } from '../../support/scripted-fetch.ts';
import { until, virtualClient } from '../../support/virtual-client.ts';
import { fromPage, proxyOf } from './harness.ts';

const CAMPAIGN = '/api/api/email_campaigns/7';
const JSON_TYPE = { 'content-type': 'application/json' };

function setUp(options: EmailPlatformOptions = {}, more: Partial<ProxyOptions> = {}) {
  const { fetch, sent } = scriptedFetch(json(200, { data: { id: 7 } }));
  const { client, time } = virtualClient({ fetch, timeoutMs: 5_000, ...options });
  const authorize = vi.fn<ProxyOptions['authorize']>(() => ({ visitor: 'ann' }));
  return { time, sent, authorize, ...proxyOf(client, { authorize, maxBodyBytes: 1_000, ...more }) };
}

/** A page's request with a body that arrives piece by piece, and what has become of it. */
function slow(...pieces: readonly string[]) {
  const state = { isCancelled: false };
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = left.shift();
      // A stream without an end stays open.
      if (piece === undefined) return new Promise<void>(() => undefined);
      controller.enqueue(new TextEncoder().encode(piece));
      return undefined;
    },
    cancel: () => void (state.isCancelled = true),
  });
  const init = { method: 'PATCH', headers: JSON_TYPE, body, duplex: 'half' } as RequestInit;
  const request = new Request(fromPage(CAMPAIGN).url, {
    ...init,
    headers: { ...JSON_TYPE, 'sec-fetch-site': 'same-origin' },
  });
  return { request, state };
}

const patch = (body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
  fromPage(CAMPAIGN, { method: 'PATCH', headers, body });

describe('Before authorize sees a byte', () => {
  test('a body that does not end is given up at the deadline', async () => {
    const { proxy, time, authorize, refusals } = setUp({ deadlineMs: 2_000 });
    const { request, state } = slow('{"name":');
    const answered = proxy(request);
    await time.advance(1_999);
    expect(refusals).toEqual([]);
    await time.advance(1);
    expect((await answered).status).toBe(408);
    expect(refusals).toMatchObject([{ reason: 'body', status: 408, operation: 'campaigns.update' }]);
    expect(authorize).not.toHaveBeenCalled();
    expect(state.isCancelled).toBe(true);
  });

  test('or after the timeout of an attempt, where there is no deadline', async () => {
    const { proxy, time, authorize } = setUp();
    const answered = proxy(slow().request);
    await time.advance(5_000);
    expect((await answered).status).toBe(408);
    expect(authorize).not.toHaveBeenCalled();
  });

  test.each([
    ['at once', ['{"name":"', 'x'.repeat(1_000), '"}']],
    ['in many pieces', Array<string>(2_000).fill('[')],
  ])('a body that is too large is given up, %s', async (_, pieces) => {
    const { proxy, authorize, refusals } = setUp();
    const { request, state } = slow(...pieces);
    expect((await proxy(request)).status).toBe(413);
    expect(refusals).toMatchObject([{ reason: 'body', status: 413 }]);
    expect(authorize).not.toHaveBeenCalled();
    expect(state.isCancelled).toBe(true);
  });

  test('a body whose length is said to be too large is not awaited', async () => {
    const { proxy, time, authorize } = setUp();
    const { request } = slow();
    request.headers.set('content-length', '1001');
    const answered = proxy(request);
    await time.advance(5_000);
    expect((await answered).status).toBe(413);
    expect(authorize).not.toHaveBeenCalled();
  });

  // A browser sends a form or a text to another site without asking that site first.
  test.each(['text/plain', 'text/plain; application/json', 'application/jsonp', 'application/x-json'])(
    'a body of the type %s is refused',
    async (type) => {
      const { proxy, authorize } = setUp();
      expect((await proxy(patch('{"name":"x"}', { 'content-type': type }))).status).toBe(415);
      expect(authorize).not.toHaveBeenCalled();
    },
  );

  test('a body that breaks off is refused, and no failure is reported', async () => {
    const { proxy, authorize, failures, refusals } = setUp();
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
    const request = new Request(fromPage(CAMPAIGN).url, {
      method: 'PATCH',
      headers: { ...JSON_TYPE, 'sec-fetch-site': 'same-origin' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect((await proxy(request)).status).toBe(400);
    expect([refusals.length, failures]).toEqual([1, []]);
    expect(authorize).not.toHaveBeenCalled();
  });

  test('50 slow bodies of a visitor do not hold up another request of theirs', async () => {
    const { proxy, time, refusals } = setUp();
    const answered = Array.from({ length: 50 }, () => proxy(slow('{').request));
    expect((await proxy(fromPage(CAMPAIGN))).status).toBe(200);
    await time.advance(5_000);
    expect((await Promise.all(answered)).map(({ status }) => status)).toEqual(Array(50).fill(408));
    expect(refusals).toHaveLength(50);
    expect((await proxy(fromPage(CAMPAIGN))).status).toBe(200);
  });

  test('no timer is left of a body that has arrived', async () => {
    const { proxy, time } = setUp({ deadlineMs: 2_000 });
    expect((await proxy(patch('{"name":"x"}'))).status).toBe(200);
    expect(time.pending).toBe(0);
  });
});

describe('All bodies together that wait for authorize', () => {
  const max = 1_000;
  const piece = '['.repeat(350);

  test('take no more than maxPendingBytes: the next is a 503, and a later one is read', async () => {
    const { proxy, time, authorize, refusals } = setUp({}, { maxPendingBytes: max });
    const first = [slow(piece), slow(piece)].map(({ request }) => proxy(request));
    await time.advance(0);
    const { request, state } = slow(piece, piece);
    const answer = await proxy(request);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refusals).toMatchObject([{ reason: 'body', status: 503, operation: 'campaigns.update' }]);
    expect(state.isCancelled).toBe(true);
    expect(authorize).not.toHaveBeenCalled();
    // A request without a body needs no room, and nor does what is small enough.
    expect((await proxy(fromPage(CAMPAIGN))).status).toBe(200);
    expect((await proxy(patch('{"name":"x"}'))).status).toBe(200);
    await time.advance(5_000);
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([408, 408]);
    expect((await proxy(patch(JSON.stringify({ name: 'x'.repeat(900) })))).status).toBe(200);
  });

  test('count until authorize has let their visitor in, and no longer', async () => {
    const waiting: (() => void)[] = [];
    const authorize = () =>
      new Promise<{ visitor: string }>((resolve) => waiting.push(() => resolve({ visitor: 'ann' })));
    const { proxy, time } = setUp({}, { maxPendingBytes: max, authorize });
    const body = JSON.stringify({ name: 'x'.repeat(600) });
    const first = proxy(patch(body));
    await until(() => waiting.length === 1);
    expect((await proxy(patch(body))).status).toBe(503);
    waiting.forEach((go) => go());
    expect((await first).status).toBe(200);
    const third = proxy(patch(body));
    await until(() => waiting.length === 2);
    waiting.forEach((go) => go());
    expect((await third).status).toBe(200);
    expect(time.pending).toBe(0);
  });

  test('count a piece of one byte as what it takes', async () => {
    const { proxy } = setUp({}, { maxPendingBytes: max });
    expect((await proxy(slow('[', '[', '[', '[').request)).status).toBe(503);
    expect((await proxy(slow(...Array<string>(5).fill('['.repeat(150))).request)).status).toBe(503);
  });

  test('by default have room for 64 MB, and for one of the largest', async () => {
    const body = `"${'x'.repeat(65 * 2 ** 20 - 2)}"`;
    const { proxy } = setUp({}, { maxBodyBytes: 65 * 2 ** 20 });
    expect((await proxy(patch(body))).status).toBe(200);
    const other = setUp({}, { maxBodyBytes: undefined });
    const large = '['.repeat(1_000_000);
    const arriving = Array.from({ length: 67 }, () => other.proxy(slow(large).request));
    await until(() => other.time.pending === 67);
    expect((await other.proxy(slow(large).request)).status).toBe(503);
    expect(other.refusals).toHaveLength(1);
    await other.time.advance(5_000);
    expect((await Promise.all(arriving)).every(({ status }) => status === 408)).toBe(true);
  });
});

test('authorize may read the body, itself or of a clone; the service gets it all the same', async () => {
  for (const read of [(request: Request) => request.json(), (request: Request) => request.clone().json()]) {
    const seen: unknown[] = [];
    const authorize = async (request: Request) => {
      seen.push(await read(request));
      return { visitor: 'ann' };
    };
    const { proxy, sent } = setUp({}, { authorize });
    expect((await proxy(patch('{ "name": "x" }'))).status).toBe(200);
    expect(seen).toEqual([{ name: 'x' }]);
    expect(sent[0]?.body).toBe('{"name":"x"}');
  }
});

test('authorize is given the page’s request itself', async () => {
  const { proxy, authorize } = setUp();
  const request = patch('{"name":"x"}');
  await proxy(request);
  expect(authorize.mock.calls[0]?.[0]).toBe(request);
});

describe('A body that is nested', () => {
  test.each([
    ['9 000 lists deep', '['.repeat(9_000) + ']'.repeat(9_000)],
    ['9 000 objects deep', '{"a":'.repeat(9_000) + '1' + '}'.repeat(9_000)],
    ['1 001 lists deep, after text with brackets', `["]]]]\\"]]",${'['.repeat(1_000) + ']'.repeat(1_000)}]`],
  ])('%s is a 400, and no failure is reported', async (_, body) => {
    const { proxy, failures, refusals, sent } = setUp({}, { maxBodyBytes: 1_000_000 });
    expect((await proxy(patch(body))).status).toBe(400);
    expect(refusals).toMatchObject([{ reason: 'body', status: 400 }]);
    expect([failures, sent]).toEqual([[], []]);
  });

  test('1 000 lists deep is passed on; brackets in a text do not count', async () => {
    const { proxy, sent } = setUp({}, { maxBodyBytes: 1_000_000 });
    for (const body of [
      '['.repeat(1_000) + ']'.repeat(1_000),
      JSON.stringify({ name: '["{\\'.repeat(5_000) }),
    ]) {
      expect((await proxy(patch(body))).status).toBe(200);
      expect(sent.at(-1)?.body).toBe(body);
    }
  });
});

test('an id that a number cannot hold does not become another one', async () => {
  const { proxy, sent } = setUp();
  await proxy(patch('{"id":12345678901234567890}'));
  expect(sent[0]?.body).toBe('{"id":"12345678901234567890"}');
});

test('a visitor who leaves while their body arrives holds nothing up, and no failure is reported', async () => {
  const { proxy, failures, sent, time, authorize } = setUp();
  const left = new AbortController();
  const { request, state } = slow('{');
  const answered = proxy(new Request(request, { signal: left.signal }));
  left.abort();
  expect((await answered).status).toBe(400);
  expect([state.isCancelled, time.pending, failures, sent]).toEqual([true, 0, [], []]);
  expect(authorize).not.toHaveBeenCalled();
});
