import { connect } from 'node:net';
import { EmailPlatform } from 'email-platform';
import { afterEach, describe, expect, test } from 'vitest';
import type { Emulator } from 'email-platform/testing';
import { campaigns, sendable, start, still, wire } from '../../tools/wire.ts';

const servers: Emulator.Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function setUp(options: Parameters<typeof still>[0] = {}) {
  const emulator = still(options);
  const server = await emulator.listen();
  servers.push(server);
  return { emulator, server, call: wire(emulator, { fetch, origin: server.url }) };
}

describe('emulator.listen', () => {
  test('one port on 127.0.0.1 with a prefix for each host; the options contain them', async () => {
    const { emulator, server } = await setUp();
    const options = server.clientOptions();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(new Set(Object.values(options.hosts)).size).toBe(4);
    expect(
      Object.values<string>({ ...options.hosts }).every((host) => host.startsWith(`${server.url}/`)),
    ).toBe(true);
    const { fetch: _, dangerouslyAllowBrowser: __, ...inMemory } = emulator.clientOptions();
    expect(options).toEqual({ ...inMemory, hosts: server.hosts });
    expect(options).not.toHaveProperty('fetch');
  });

  test('the life of a campaign, over the socket', async () => {
    const { emulator, call } = await setUp();
    const created = await call('POST', campaigns, { body: sendable(emulator) });
    expect(created.status).toBe(201);
    const one = `${campaigns}/${created.json.data.id}`;
    expect((await call('PATCH', one, { body: { name: 'Renamed – später' } })).json.data.name).toBe(
      'Renamed – später',
    );
    const datetime = new Date(start + 60_000).toISOString();
    expect((await call('POST', `${one}/schedule`, { body: { datetime } })).json.data.current_state).toBe(
      'scheduled',
    );
    expect((await call('POST', `${one}/cancel`)).json.data.current_state).toBe('draft');
    expect((await call('POST', `${one}/start`)).json.data.current_state).toBe('started');
    expect((await call('DELETE', one)).json.errors).toHaveProperty('base');
    emulator.clock.advance(60_000);
    const { json, list } = await call('GET', `${campaigns}?search=renamed`);
    expect(list[0]?.current_state).toBe('finished');
    expect(json.pagination.first_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/account\/api\/email_campaigns\?/);
  });

  test('a connection stays open for a minute, also where the process was busy for seconds', async () => {
    const { call } = await setUp();
    expect((await call('GET', campaigns)).headers.get('keep-alive')).toBe('timeout=60');
  });

  test('a 204 has neither body, type nor length; other responses have a length', async () => {
    const { emulator, call } = await setUp();
    const id = emulator.campaigns.add();
    const { status, text, headers } = await call('DELETE', `${campaigns}/${id}`);
    expect([status, text, headers.get('content-type'), headers.get('content-length')]).toEqual([
      204,
      '',
      null,
      null,
    ]);
    const missing = await call('GET', `${campaigns}/${id}`);
    expect(missing.headers.get('content-length')).toBe(String(missing.text.length));
  });

  test('the Date header follows the clock of the emulator', async () => {
    const { emulator, call } = await setUp();
    emulator.clock.advance(86_400_000);
    expect((await call('GET', campaigns)).headers.get('date')).toBe('Sun, 01 Feb 2026 12:00:00 GMT');
  });

  test.each([campaigns, '/accounts', '/'])('%s has no prefix → 501 that names the prefixes', async (path) => {
    const { emulator, server } = await setUp();
    const response = await fetch(server.url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      501,
      'application/json; charset=utf-8',
    ]);
    expect(response.headers.get('date')).toBe(new Date(start).toUTCString());
    expect(await response.json()).toEqual({
      error:
        `The emulator does not have GET ${path}: it does not begin with the prefix of a host. The prefixes are ` +
        '/account (api), /send (send), /bulk (bulk), /sandbox (sandbox), /storage (storage), /reader (reader). Use the ' +
        'addresses in `hosts` of the server or of clientOptions(), not the origin alone.',
    });
    expect(emulator.requests).toEqual([]);
  });

  test('a client whose hosts are the origin alone gets an error that names the prefixes', async () => {
    const { emulator, server } = await setUp();
    const hosts = { api: server.url };
    const client = new EmailPlatform({ token: emulator.clientOptions().token, hosts, retry: false });
    await expect(client.campaigns.get(1).withResponse()).rejects.toThrow('The prefixes are /account (api), ');
  });

  test('close ends idle and busy connections at once, and can be called again', async () => {
    const { emulator, server, call } = await setUp();
    await call('GET', campaigns);
    emulator.faults.next({ kind: 'stall' });
    const stalled = call('GET', campaigns);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const ended = new Promise((resolve) => socket.on('close', resolve));
    await new Promise((resolve) => socket.on('connect', resolve));
    await Promise.all([server.close(), expect(stalled).rejects.toThrow(TypeError), ended]);
    await server.close();
  });

  test('a port in use is an error', async () => {
    const { emulator, server } = await setUp();
    const port = Number(new URL(server.url).port);
    await expect(emulator.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
