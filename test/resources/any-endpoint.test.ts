import { InvalidRequestError, NotFoundError, ResponseFormatError, ServerError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { EmailPlatform } from 'email-platform';
import { rejection } from '../support/expect-error.ts';
import { empty, json, lost, scriptedFetch, text } from '../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';

describe('any endpoint', () => {
  test('is called with query and body, and its response returned as it is', async () => {
    const emulator = createEmulator();
    const client = new EmailPlatform(emulator.clientOptions());
    const made = await client.request<{ data: { id: string } }>({
      method: 'POST',
      path: '/api/contacts',
      body: { contact: { email: 'a@example.com' } },
    });
    const read = await client.request<{ data: { email: string } }>({
      method: 'GET',
      path: `/api/contacts/${made.data.id}`,
    });
    expect(read.data.email).toBe('a@example.com');
  });

  test('Dates in the query are sent as the service reads them', async () => {
    const { fetch, sent } = scriptedFetch(json(200, {}));
    const query = { since: new Date(0), until: undefined };
    await virtualClient({ fetch }).client.request({ method: 'GET', path: '/api/x', query });
    expect(sent[0]?.url).toMatch(/\/api\/x\?since=1970-01-01T00%3A00%3A00\.000Z$/);
  });

  test('counts against the pool of its path', async () => {
    const client = new EmailPlatform(createEmulator().clientOptions());
    const query = { start_date: '2026-01-01', end_date: '2026-01-02' };
    await client.request({ method: 'GET', path: '/api/stats', query });
    expect(client.limits.snapshot()).toMatchObject({
      token: { used: 1 },
      stats: { used: 1 },
      contacts: { used: 0 },
    });
  });

  test('an empty response is undefined; one that is not JSON is an error', async () => {
    const { client } = virtualClient({ fetch: scriptedFetch(empty(204), text(200, 'hello')).fetch });
    expect(await client.request({ method: 'GET', path: '/api/x' })).toBeUndefined();
    const error = await rejection(client.request({ method: 'GET', path: '/api/x' }), ResponseFormatError);
    expect(error.effect).toBe('none');
  });

  test('a schema produces the result, or the error lists what does not match', async () => {
    const schema = z.array(z.object({ id: z.pipe(z.number(), z.transform(String)) }));
    const { client } = virtualClient({
      fetch: scriptedFetch(json(200, [{ id: 1 }]), json(200, [{ id: 'x' }])).fetch,
    });
    const result: { id: string }[] = await client.request({ method: 'GET', path: '/api/x', schema });
    expect(result).toEqual([{ id: '1' }]);
    const error = await rejection(
      client.request({ method: 'POST', path: '/api/x', schema }),
      ResponseFormatError,
    );
    expect(error.issues.map(({ path }) => path)).toEqual(['[0].id']);
    expect(error.effect).toBe('unknown');
  });

  test.each([
    ['GET', undefined, 2],
    ['PUT', undefined, 2],
    ['DELETE', undefined, 2],
    ['POST', undefined, 1],
    ['PATCH', undefined, 1],
    ['POST', true, 2],
  ] as const)(
    '%s with repeatable %s is sent %i times if its response is lost',
    async (method, repeatable, times) => {
      const { fetch, sent } = scriptedFetch(lost, json(200, {}));
      const { client, time } = virtualClient({ fetch });
      await throughItsWaits(
        time,
        client.request({ method, path: '/api/x', repeatable }).catch(() => undefined),
      );
      expect(sent).toHaveLength(times);
    },
  );

  test('a DELETE whose retry returns 404 succeeds', async () => {
    const { client, time } = virtualClient({ fetch: scriptedFetch(lost, json(404, {})).fetch });
    expect(await throughItsWaits(time, client.request({ method: 'DELETE', path: '/api/x' }))).toBeUndefined();
  });

  test('an error names the method and the path', async () => {
    const { client } = virtualClient({ fetch: scriptedFetch(json(404, { error: 'Not Found' })).fetch });
    const error = await rejection(client.request({ method: 'GET', path: '/api/x' }), NotFoundError);
    expect(error.message).toBe('GET /api/x failed with 404: Not Found');
  });

  test.each<[string, object]>([
    ['path', { path: 'api/x' }],
    ['path', { path: '/api/../x' }],
    ['path', { path: '/api/%2e%2e/x' }],
    ['path', { path: '//evil.example/x' }],
    ['path', { path: '/api/x?y=1' }],
    ['path', { path: '/api/x#y' }],
    ['path', { path: '/api/ü' }],
    ['path', { path: '/api/a b' }],
    ['path', { path: '/api\\x' }],
    ['path', { path: 'https://evil.example/x' }],
    ['method', { method: 'get' }],
    ['host', { host: 'evil' }],
    ['body', { body: {} }],
    ['quary', { quary: {} }],
    ['query', { query: 'a=1' }],
    ['query.since', { query: { since: new Date(NaN) } }],
    ['query.since', { query: { since: null } }],
    ['query.n', { query: { n: NaN } }],
    ['query.filters.to', { query: { filters: { to: () => 1 } } }],
    ['query.ids.1', { query: { ids: [1, Symbol('two')] } }],
    ['schema', { schema: { type: 'object' } }],
    ['repeatable', { repeatable: 'yes' }],
    ['path', { path: undefined }],
  ])('a wrong %s is refused before anything is sent: %j', async (field, wrong) => {
    const { fetch, sent } = scriptedFetch(json(200, {}));
    const { client } = virtualClient({ fetch });
    const request = { method: 'GET', path: '/api/x', ...wrong } as EmailPlatform.AnyRequest;
    const error = await rejection(client.request(request), InvalidRequestError);
    expect(error.issues.map(({ path }) => path)).toEqual([field]);
    expect(sent).toEqual([]);
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'that does not exist is refused with a 501: %s has no effect, and is not retried',
    async (method) => {
      const emulator = createEmulator();
      const { client } = virtualClient(emulator.clientOptions());
      const error = await rejection(
        client.request({ method, path: '/api/nowhere', repeatable: true }),
        ServerError,
      );
      expect(error).toMatchObject({ status: 501, effect: 'none', request: { attempts: 1 } });
      expect(emulator.requests).toHaveLength(1);
    },
  );

  test('a 501 after a response that was lost leaves open what the request did', async () => {
    const { fetch, sent } = scriptedFetch(lost, json(501, {}));
    const { client, time } = virtualClient({ fetch });
    const call = client.request({ method: 'PUT', path: '/api/x' });
    const error = await rejection(throughItsWaits(time, call), ServerError);
    expect([error.status, error.effect, sent.length]).toEqual([501, 'unknown', 2]);
  });

  test('anything but a request object is refused', async () => {
    const { client } = virtualClient({ fetch: scriptedFetch(json(200, {})).fetch });
    const error = await rejection(client.request(null as never), InvalidRequestError);
    expect(error.issues.map(({ path }) => path)).toEqual(['request']);
  });
});
