import { createServer } from 'node:http';
import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { diagnose, type Finding } from 'email-platform/diagnose';
import { createEmulator } from 'email-platform/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listen } from '../../support/ports.ts';

const START = Date.parse('2026-11-12T10:31:00.000Z');

// Only the date stands still: an emulator's window ends at a multiple of ten seconds.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: START }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** An account, and a client whose requests can be changed on their way. */
function setUp(options: EmailPlatformOptions = {}) {
  const emulator = createEmulator({ seed: 'empty', now: () => Date.now() });
  const { fetch: send, ...connection } = emulator.clientOptions();
  const urls: string[] = [];
  const withToken: string[] = [];
  const on: Record<string, () => Promise<Response>> = {};
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    urls.push(url);
    if (new Request(input, init).headers.has('authorization')) withToken.push(url);
    const changed = Object.entries(on).find(([part]) => url.includes(part));
    return changed ? changed[1]() : send(input, init);
  };
  const client = new EmailPlatform({ ...connection, fetch, ...options });
  return { emulator, client, urls, withToken, on, hosts: connection.hosts };
}

const failing =
  (code: string, message = code) =>
  () =>
    Promise.reject(
      Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(message), { code }) }),
    );

const of = (findings: readonly Finding[], topic: Finding['topic']) =>
  findings.filter((finding) => finding.topic === topic).map(({ level, text }) => `${level}: ${text}`);

describe('diagnose()', () => {
  test('everything is well: seven requests, and the hosts of sending are asked without the token', async () => {
    const { client, urls, withToken, hosts } = setUp();
    const { canSend, reachesCustomers, findings, sender } = await diagnose(client);
    expect([canSend, reachesCustomers]).toEqual([true, true]);
    expect(of(findings, 'token')).toEqual(['ok: valid, of account 1001']);
    expect(of(findings, 'hosts')).toEqual(['ok: api, send, bulk, sandbox answer']);
    expect(of(findings, 'domains')[0]).toMatch(/^ok: .* verified$/);
    expect(of(findings, 'limits')).toEqual(['ok: 150/10 s, none used by another program']);
    expect(of(findings, 'clock')).toEqual(['ok: as the service']);
    expect(sender).toMatch(/^doctor@/);
    expect(urls).toHaveLength(7);
    expect(withToken).toHaveLength(4);
    for (const url of withToken) expect(url).toContain(hosts.api);
  });

  test.each([
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another name'],
    ['CERT_HAS_EXPIRED', 'the certificate is out of date'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate comes from an unknown authority'],
    ['ENOTFOUND', 'the name is unknown'],
    ['ECONNREFUSED', 'the connection was refused'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no answer in time'],
  ])('%s: %s, a failure on the host of the stream, and a warning on others', async (code, text) => {
    const { client, on, hosts } = setUp();
    on[hosts.sandbox] = failing(code);
    const other = await diagnose(client);
    expect([other.canSend, of(other.findings, 'hosts')]).toEqual([
      true,
      ['ok: api, send, bulk answer', `warning: sandbox: ${text} (emulator.test)`],
    ]);
    on[hosts.send] = failing(code);
    const { canSend, findings } = await diagnose(client);
    expect([canSend, of(findings, 'hosts')]).toEqual([
      false,
      [
        'ok: api, bulk answer',
        `failure: send: ${text} (emulator.test)`,
        `warning: sandbox: ${text} (emulator.test)`,
      ],
    ]);
    for (const { level, remedy } of findings) expect(level === 'ok').toBe(remedy === undefined);
  });

  test('a host that refuses the post without a token is the service’s; any other response is not', async () => {
    for (const status of [400, 401, 403, 422, 429]) {
      const { client, on, hosts } = setUp();
      on[hosts.send] = () => Promise.resolve(Response.json({ error: 'no' }, { status }));
      const { findings } = await diagnose(client);
      expect(of(findings, 'hosts')).toEqual(['ok: api, send, bulk, sandbox answer']);
    }
    for (const [status, body] of [
      [200, '{"success":true}'],
      [302, ''],
      [401, '<html>a login'],
      [403, 'error code: 1020'],
      [403, '{"message":"Forbidden"}'],
      [404, '{}'],
      [405, '{}'],
      [500, '{}'],
      [501, '{}'],
    ] as const) {
      const { client, on, hosts } = setUp();
      on[hosts.send] = () => Promise.resolve(new Response(body, { status }));
      const { canSend, findings } = await diagnose(client);
      expect([status, canSend, of(findings, 'hosts')[0]]).toEqual([
        status,
        false,
        'ok: api, bulk, sandbox answer',
      ]);
    }
  });

  test('a page in place of the api: no line says that it answers, nor what its clock is', async () => {
    for (const [status, body] of [
      [403, '<html>a login'],
      [401, '<html>a login'],
      [404, '{}'],
    ] as const) {
      const { client, on, hosts } = setUp();
      on[hosts.api] = () =>
        Promise.resolve(new Response(body, { status, headers: { date: new Date().toUTCString() } }));
      const { canSend, findings } = await diagnose(client);
      expect(of(findings, 'token')).toEqual([
        `failure: not checked: ${hosts.api} answered ${status}${body === '{}' ? '' : ' with a page'}`,
      ]);
      expect([canSend, of(findings, 'hosts'), of(findings, 'clock')]).toEqual([
        false,
        ['ok: send, bulk, sandbox answer'],
        [],
      ]);
    }
  });

  test('the remedy for a wrong sender names the newest domain first', async () => {
    const { client, emulator } = setUp({ defaults: { from: 'a@elsewhere.example' } });
    emulator.domains.add({ name: 'shop.example.com' });
    const { findings } = await diagnose(client);
    expect(findings.find(({ topic }) => topic === 'sender')?.remedy).toMatch(
      /to an address of shop\.example\.com, mail\.example\.com$/,
    );
  });

  test('the posts without a token are not emails, also with a guard', async () => {
    const { client, emulator } = setUp({ recipients: { allow: [] } });
    const { canSend, reachesCustomers, findings } = await diagnose(client);
    expect([canSend, reachesCustomers, emulator.messages()]).toEqual([true, false, []]);
    expect(findings.find(({ topic }) => topic === 'guard')?.remedy).toBe(
      'for production: leave out the option recipients',
    );
  });

  test('a host of the stream that has no address', async () => {
    const connection = setUp().emulator.clientOptions();
    const client = new EmailPlatform({ ...connection, hosts: { api: connection.hosts.api } });
    const { canSend, findings } = await diagnose(client);
    expect([canSend, of(findings, 'hosts')[0]]).toEqual([false, 'ok: api answer']);
    expect(findings).toContainEqual({
      topic: 'hosts',
      level: 'failure',
      text: 'send: there is no address',
      remedy: 'set EMAIL_PLATFORM_DOMAIN, EMAIL_PLATFORM_SEND_URL or EMAIL_PLATFORM_URL',
    });
  });

  test.each([
    ['http://127.0.0.1:9/api/send', '/api/send'],
    ['http://127.0.0.1:9/api/', '/api'],
  ])('a path of the API in the one address of all hosts: %s', async (base, path) => {
    vi.stubEnv('EMAIL_PLATFORM_URL', base);
    const fetch = () => Promise.resolve(Response.json({}, { status: 501 }));
    const { findings } = await diagnose(new EmailPlatform({ token: 't', fetch }));
    const address = base.replace(/\/$/, '');
    const remedy = `leave ${path}, which the client adds, out of the address ${address}: set EMAIL_PLATFORM_URL`;
    expect(findings[0]?.remedy).toContain(`; ${remedy}`);
    for (const host of ['send', 'bulk', 'sandbox'])
      expect(findings).toContainEqual({
        topic: 'hosts',
        level: host === 'send' ? 'failure' : 'warning',
        text: `${host}: the address has a path of the API (${address})`,
        remedy,
      });
  });

  test.each(['our shop', 'Shop <hello@not-there.example>', { email: 'hello@unverified.example.com' }])(
    'a default sender of the client, which goes before the variable: %j',
    async (from) => {
      vi.stubEnv('EMAIL_PLATFORM_FROM', 'hello@mail.example.com');
      const { client } = setUp({ defaults: { from } });
      const { findings } = await diagnose(client);
      expect(findings.find(({ topic }) => topic === 'sender')?.remedy).toMatch(
        /set `defaults\.from` of the client to an address/,
      );
      expect(JSON.stringify(findings)).not.toContain('EMAIL_PLATFORM_FROM');
    },
  );

  test('no host has an address', async () => {
    const connection = setUp().emulator.clientOptions();
    const { canSend, findings } = await diagnose(new EmailPlatform({ ...connection, hosts: {} }));
    expect(canSend).toBe(false);
    expect(findings[0]).toEqual({
      topic: 'token',
      level: 'failure',
      text: 'not checked: the host api has no address',
      remedy: 'set EMAIL_PLATFORM_DOMAIN, EMAIL_PLATFORM_API_URL or EMAIL_PLATFORM_URL',
    });
  });

  test('a wrong token, one of another account, and one that may not list accounts', async () => {
    const { emulator, client, urls } = setUp();
    const wrong = await diagnose(client.withOptions({ token: 'wrong-token-of-mine' }));
    expect([wrong.canSend, of(wrong.findings, 'token')]).toEqual([false, ['failure: refused (401)']]);
    expect(JSON.stringify(wrong)).not.toContain('wrong-token-of-mine');
    expect(urls).toHaveLength(4);
    const other = await diagnose(client.withOptions({ accountId: 77 }));
    expect([other.canSend, of(other.findings, 'token'), of(other.findings, 'sender')]).toEqual([
      true,
      [
        "warning: valid, but of account 1001, not 77: emails belong to the token's account, and calls with the other account fail",
      ],
      ['warning: not checked, nor are domains, plan: see token'],
    ]);
    const { emulator: own, client: sender } = setUp();
    await sender.withOptions({ accountId: 77 }).sending.send({
      from: 'hello@mail.example.com',
      to: 'ann@example.org',
      subject: 'Hi',
      text: 'Hi.',
    });
    expect(own.messages()).toHaveLength(1);
    const token = emulator.createToken({ permissions: { domains: 'none' } });
    const { findings } = await diagnose(client.withOptions({ token }));
    expect(of(findings, 'domains')).toEqual(['warning: not checked: the token may not read it']);
  });

  test('the host api leads to a web site, or nowhere', async () => {
    const { client, on, hosts } = setUp();
    on[hosts.api] = () => Promise.resolve(new Response('<!doctype html>', { status: 404 }));
    const page = await diagnose(client);
    expect(of(page.findings, 'token')).toEqual([
      'failure: not checked: https://emulator.test/account answered 404 with a page',
    ]);
    on[hosts.api] = failing('ENOTFOUND');
    const nowhere = await diagnose(client);
    expect([nowhere.canSend, of(nowhere.findings, 'token')]).toEqual([
      false,
      ['failure: not checked: on the host api, the name is unknown (emulator.test)'],
    ]);
    expect(of(nowhere.findings, 'hosts')).toEqual(['ok: send, bulk, sandbox answer']);
  });

  test('domains that are not verified are warnings; without any that is, nothing can be sent', async () => {
    const { emulator, client } = setUp();
    emulator.domains.add({ name: 'shop.example.com', verified: false });
    const some = await diagnose(client);
    expect(some.canSend).toBe(true);
    expect(of(some.findings, 'domains')).toEqual([
      'ok: mail.example.com verified',
      'warning: unverified.example.com, shop.example.com: not verified',
    ]);
    const own = client.withOptions({ defaults: { from: 'hello@shop.example.com' } });
    expect(of((await diagnose(own)).findings, 'domains')).toEqual([
      'ok: mail.example.com verified',
      expect.stringMatching(/^warning: shop\.example\.com: not verified, \d of \d records missing$/),
      'warning: unverified.example.com: not verified',
    ]);
    for (const name of ['a', 'b', 'c'])
      emulator.domains.add({ name: `${name}.example.com`, verified: false });
    expect(of((await diagnose(client)).findings, 'domains').at(-1)).toBe(
      'warning: unverified.example.com, shop.example.com, a.example.com and 2 more: not verified',
    );
    for (const { id } of emulator.domains.list()) emulator.domains.setVerified(id, false);
    const none = await diagnose(client);
    expect([none.canSend, of(none.findings, 'domains')[0]]).toEqual([false, 'failure: none is verified']);
  });

  test('requests of another program, and a clock that is off', async () => {
    const { emulator, client } = setUp();
    const another = new EmailPlatform(emulator.clientOptions());
    for (let count = 0; count < 12; count += 1) await another.accounts.list();
    const { findings } = await diagnose(client);
    expect(of(findings, 'limits')).toEqual([
      'ok: 150/10 s, 12 used by another program, or by an earlier run',
    ]);
    const late = createEmulator({ now: () => START - 3_600_000 });
    const off = await diagnose(new EmailPlatform(late.clientOptions()));
    expect(of(off.findings, 'clock')).toEqual(['warning: 3599 s ahead of the service']);
    expect(off.canSend).toBe(true);
    const early = createEmulator({ now: () => START + 3_600_000 });
    const behind = await diagnose(new EmailPlatform(early.clientOptions()));
    expect(of(behind.findings, 'clock')).toEqual(['warning: 3600 s behind the service']);
  });

  test('earlier requests of the same client are not those of another program', async () => {
    const { client } = setUp();
    for (let count = 0; count < 3; count += 1) await client.accounts.list();
    const { findings } = await diagnose(client);
    expect(of(findings, 'limits')).toEqual(['ok: 150/10 s, none used by another program']);
  });

  test('what could not be checked is named', async () => {
    const { client, on } = setUp({ defaults: { from: 'The Gardeners' } });
    on['/sending_domains'] = () => Promise.resolve(Response.json({}, { status: 500 }));
    on['/billing'] = failing('ECONNREFUSED');
    on['/accounts'] = () => Promise.resolve(Response.json([]));
    const { findings } = await diagnose(client);
    expect(findings.map(({ topic, level, text }) => `${topic} ${level}: ${text}`)).toEqual([
      'token warning: valid, but it sees no account',
      'hosts ok: api, send, bulk, sandbox answer',
      'stream ok: transactional',
      'sender failure: The Gardeners: is not an address',
      'domains warning: not checked: the service answered 500',
      'plan warning: not checked: the connection was refused',
      'limits warning: not checked: the response does not name them',
      'clock warning: not checked: the response has no date',
    ]);
  });

  test('after a token that was refused, the rest of the account is not checked, and neither is the inbox', async () => {
    const { client } = setUp({ stream: 'sandbox', sandboxInboxId: 2001 });
    const { findings } = await diagnose(client.withOptions({ token: 'wrong' }));
    expect(of(findings, 'sender')).toEqual(['warning: not checked, nor are domains, plan: see token']);
    expect(of(findings, 'stream')).toEqual([
      'warning: sandbox: every email is captured in inbox 2001, which is not checked; no customer gets any',
    ]);
  });

  test('anything but a client is refused', async () => {
    await expect(diagnose({} as never)).rejects.toThrow('client: must be an EmailPlatform');
  });
});

test.each([301, 308])('a host of sending that redirects (%i) is not the service', async (status) => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { location: 'https://www.example.com/' }).end();
  });
  const { port, close } = await listen(server);
  const address = `http://127.0.0.1:${port}`;
  const emulator = createEmulator();
  const { fetch: emulated, hosts, ...options } = emulator.clientOptions();
  const fetch: typeof globalThis.fetch = (input, init) =>
    new Request(input).url.startsWith(address) ? globalThis.fetch(input, init) : emulated(input, init);
  const client = new EmailPlatform({ ...options, fetch, hosts: { ...hosts, send: address } });
  const { findings } = await diagnose(client);
  expect(of(findings, 'hosts')).toContain(
    `failure: send: answered ${status} at ${address}/api/send, unlike the service`,
  );
  await close();
});
