import { describe, expect, test } from 'vitest';
import { campaigns, minimal, still, wire } from '../../tools/wire.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('Authentication', () => {
  test('the token is taken from Authorization: Bearer and from Api-Token', async () => {
    const emulator = still();
    const call = wire(emulator);
    const { token } = emulator.clientOptions();
    expect((await call('GET', campaigns)).status).toBe(200);
    expect((await call('GET', campaigns, { token: null, headers: { 'api-token': token } })).status).toBe(200);
  });

  test.each([
    ['no token', {}],
    ['an unknown one', { authorization: 'Bearer nope' }],
    ['an unknown Api-Token', { 'api-token': 'nope' }],
    ['another scheme', { authorization: 'Basic bm9wZQ==' }],
  ])('%s → 401', async (_, headers) => {
    const answer = await wire(still())('GET', campaigns, { token: null, headers });
    expect([answer.status, answer.text]).toEqual([401, '{"error":"Incorrect API token"}']);
    expect(answer.headers.get('www-authenticate')).toBe('Token realm="Application"');
  });

  test('the option token replaces the usual token, and createToken depends on it', async () => {
    const usual = still();
    const own = still({ token: 'my-own-token' });
    const call = wire(own);
    expect(own.clientOptions().token).toBe('my-own-token');
    expect((await call('GET', campaigns)).status).toBe(200);
    const guesses = [usual.clientOptions().token, usual.createToken(), usual.createToken()];
    const [first, second] = [own.createToken(), own.createToken()];
    for (const token of [...guesses, 'MY-OWN-TOKEN', 'my-own-token2']) {
      expect((await call('GET', campaigns, { token })).status).toBe(401);
    }
    expect(first).not.toBe(second);
    for (const token of [first, second]) expect((await call('GET', campaigns, { token })).status).toBe(200);
    expect(still({ token: 'my-own-token' }).createToken()).toBe(first);
    own.reset();
    expect((await call('GET', campaigns)).status).toBe(200);
  });

  test('a token without permission → 403 with errors as a string', async () => {
    const emulator = still();
    const token = emulator.createToken({ permissions: { campaigns: 'none' } });
    const id = emulator.campaigns.add();
    for (const [method, path] of [
      ['GET', campaigns],
      ['POST', campaigns],
      ['GET', `${campaigns}/${id}`],
      ['PATCH', `${campaigns}/${id}`],
      ['DELETE', `${campaigns}/${id}`],
      ['POST', `${campaigns}/${id}/start`],
    ] as const) {
      const { status, json } = await wire(emulator)(method, path, { token });
      expect([status, json]).toEqual([403, { errors: expect.any(String) as unknown }]);
    }
  });

  test('a viewer reads and changes nothing', async () => {
    const emulator = still();
    const token = emulator.createToken({ permissions: { campaigns: 'viewer' } });
    const call = wire(emulator);
    expect((await call('GET', campaigns, { token })).status).toBe(200);
    expect((await call('POST', campaigns, { token, body: minimal(emulator) })).status).toBe(403);
  });

  test("another account's campaigns are not found", async () => {
    const emulator = still();
    const token = emulator.createToken({ accountId: 77 });
    const id = emulator.campaigns.add();
    const call = wire(emulator);
    expect((await call('GET', `${campaigns}/${id}`, { token })).status).toBe(404);
    expect((await call('GET', campaigns, { token })).list).toEqual([]);
  });
});

describe('Errors', () => {
  test.each([
    ['GET', '/api/nothing'],
    ['PUT', campaigns],
    ['POST', `${campaigns}/1/launch`],
    ['GET', '/api/accounts/1001/nothing'],
    ['GET', '/'],
    ['PROPFIND', campaigns],
    ['OPTIONS', campaigns],
  ])('%s %s, which the emulator does not have → 501 that says so', async (method, path) => {
    const emulator = still();
    const { status, json } = await wire(emulator)(method, path);
    expect(status).toBe(501);
    expect(json).toEqual({
      error: `The emulator does not have the endpoint ${method} ${path} on the host 'api'`,
    });
    expect(emulator.requests).toMatchObject([{ method, path, status: 501 }]);
  });

  test('an endpoint that a sending host does not have → 501 in the shape of that host', async () => {
    const { status, json } = await wire(still())('POST', '/api/nothing', { host: 'bulk', body: {} });
    expect([status, json]).toEqual([
      501,
      {
        success: false,
        errors: ["The emulator does not have the endpoint POST /api/nothing on the host 'bulk'"],
      },
    ]);
  });

  test('a missing object is still a 404, and a missing endpoint without a valid token still a 401', async () => {
    const call = wire(still());
    for (const path of [`${campaigns}/7`, `${campaigns}/none`, '/api/accounts/77/email_logs']) {
      const { status, text } = await call('GET', path);
      expect([path, status, text]).toEqual([path, 404, '{"error":"Not Found"}']);
    }
    expect((await call('GET', '/api/nothing', { token: 'nope' })).status).toBe(401);
  });

  test.each([`${campaigns}/%E0%A4%A`, `${campaigns}/100%`, `${campaigns}?search=%FF`, `${campaigns}?a=%zz`])(
    'an invalid percent-encoding in %s → 400',
    async (path) => {
      const { status, text } = await wire(still())('GET', path);
      expect([status, text]).toEqual([400, '{"error":"The URL contains an invalid percent-encoding"}']);
      const sending = await wire(still())('GET', path, { host: 'send' });
      expect(sending.json).toEqual({
        success: false,
        errors: ['The URL contains an invalid percent-encoding'],
      });
    },
  );

  test.each(['specified', 'recorded'] as const)(
    'sending hosts, as %s: 401 with the text and a list of it, and no rate-limit header',
    async (answers) => {
      const call = wire(still({ answers }));
      for (const [host, path] of [
        ['send', '/api/send'],
        ['bulk', '/api/send'],
        ['sandbox', '/api/send/1'],
      ] as const) {
        const answer = await call('POST', path, { host, token: 'nope', body: {} });
        expect([answer.status, answer.json]).toEqual([
          401,
          { error: 'Unauthorized', errors: ['Unauthorized'] },
        ]);
        expect([...answer.headers.keys()].filter((name) => name.startsWith('x-'))).toEqual([]);
      }
    },
  );

  test('HEAD is answered like GET, without the body', async () => {
    const emulator = still();
    const call = wire(emulator);
    const got = await call('GET', campaigns);
    const head = await call('HEAD', campaigns);
    expect([head.status, head.text]).toEqual([got.status, '']);
    expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'));
    expect(head.headers.get('content-length')).toBe(String(new TextEncoder().encode(got.text).length));
    expect((await call('HEAD', `${campaigns}/1`)).status).toBe(404);
    expect((await call('HEAD', '/api/nothing')).status).toBe(501);
    expect(emulator.requests.map(({ method }) => method)).toEqual(['GET', 'HEAD', 'HEAD', 'HEAD']);
  });

  test('every response of the account host has its own request id, JSON with a charset, and the rate limit', async () => {
    const emulator = still();
    const call = wire(emulator);
    const id = emulator.campaigns.add();
    const answers = [
      await call('GET', campaigns),
      await call('POST', campaigns, { body: {} }),
      await call('POST', campaigns, { raw: '{' }),
      await call('GET', `${campaigns}/0`),
      await call('GET', campaigns, { token: 'nope' }),
    ];
    const last = await call('DELETE', `${campaigns}/${id}`);
    const ids = [...answers, last].map(({ headers }) => headers.get('x-request-id') ?? '');
    expect(ids.every((one) => uuid.test(one))).toBe(true);
    expect(new Set(ids).size).toBe(6);
    for (const { headers } of answers) {
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual([
      '149',
      '148',
      '147',
      '146',
      '149',
    ]);
    expect(last.headers.get('x-ratelimit-remaining')).toBe('145');
    expect(last.headers.get('x-ratelimit-reset')).toBeNull();
  });
});
