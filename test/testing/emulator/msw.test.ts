import { setupServer } from 'msw/node';
import { afterEach, describe, expect, test } from 'vitest';
import { handlers, type EmulatorHandlerOptions } from 'email-platform/testing/msw';
import { mail } from '../tools/mail.ts';
import { campaigns, minimal, start, still, wire } from '../tools/wire.ts';

const running: { close(): void }[] = [];

afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

function setUp(options?: EmulatorHandlerOptions) {
  const emulator = still();
  const server = setupServer(...handlers(emulator, options));
  server.listen({ onUnhandledRequest: 'error' });
  running.push(server);
  return { emulator, token: emulator.clientOptions().token };
}

describe('handlers(emulator) for MSW', () => {
  test('the global fetch reaches the emulator at its own addresses, with bodies and headers', async () => {
    const { emulator } = setUp();
    const call = wire(emulator, { fetch: globalThis.fetch });
    const created = await call('POST', campaigns, { body: { ...minimal(emulator), name: 'Später' } });
    expect([created.status, created.json.data.name]).toEqual([201, 'Später']);
    expect(created.headers.get('x-ratelimit-remaining')).toBe('149');
    expect((await call('DELETE', `${campaigns}/${created.json.data.id}`)).status).toBe(204);
    expect((await call('POST', '/api/send', { host: 'send', body: mail })).status).toBe(200);
    expect(emulator.messages()).toHaveLength(1);
  });

  test("an application's own addresses reach it too, including path prefixes", async () => {
    const hosts = { api: 'https://api.example.com/v1/', send: 'http://localhost:9999' };
    const { emulator, token } = setUp({ hosts });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const listed = await fetch('https://api.example.com/v1/api/email_campaigns?per_page=2', { headers });
    expect(listed.status).toBe(200);
    const body = JSON.stringify(mail);
    const sent = await fetch('http://localhost:9999/api/send', { method: 'POST', headers, body });
    expect(sent.status).toBe(200);
    expect(emulator.requests).toEqual([
      { method: 'GET', host: 'api', path: campaigns, query: '?per_page=2', at: start, status: 200 },
      { method: 'POST', host: 'send', path: '/api/send', query: '', at: start, status: 200 },
    ]);
  });

  test('signed links reach it', async () => {
    const { emulator } = setUp();
    const id = emulator.logs.add();
    const call = wire(emulator, { fetch: globalThis.fetch });
    const { value } = await call('GET', `/api/email_logs/${id}`);
    const raw = await fetch((value as { raw_message_url: string }).raw_message_url);
    expect(raw.headers.get('content-type')).toBe('message/rfc822');
  });

  test('a reset connection rejects as fetch does; a stalled one ends with its signal', async () => {
    const { emulator } = setUp();
    const url = emulator.clientOptions().hosts.api + campaigns;
    emulator.faults.next({ kind: 'reset-before' });
    await expect(fetch(url)).rejects.toThrow(TypeError);
    emulator.faults.next({ kind: 'stall' });
    const gone = new AbortController();
    const stalled = fetch(url, { signal: gone.signal });
    gone.abort();
    await expect(stalled).rejects.toMatchObject({ name: 'AbortError' });
  });
});
