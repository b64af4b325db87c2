import { describe, expect, test } from 'vitest';
import { idsOf, post } from '../../../tools/mail.ts';
import { message } from '../../../tools/logs.ts';
import { still } from '../../../tools/wire.ts';

async function sent(fields: Record<string, unknown> = {}, options: Parameters<typeof still>[0] = {}) {
  const emulator = still(options);
  const [id = ''] = idsOf(await post(emulator, fields));
  return { emulator, id, url: (await message(emulator, id)).raw_message_url };
}

describe('raw_message_url: a temporary signed link', () => {
  test('returns message/rfc822 without a token, outside the account host', async () => {
    const { emulator, id, url } = await sent({ headers: { 'X-A': 'b' }, html: '<p>Hi</p>' });
    expect(url.startsWith(`${new URL(emulator.clientOptions().hosts.api).origin}/storage/`)).toBe(true);
    const response = await emulator.fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('message/rfc822');
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
    const text = await response.text();
    expect(text).toContain('From: Hello <hello@mail.example.com>\r\n');
    expect(text).toContain(`Message-ID: <${id}@mail.example.com>\r\n`);
    expect(text).toContain('X-A: b\r\n');
    expect(text).toContain('Good morning');
    expect(text).toContain('<p>Hi</p>');
  });

  test('contains attachments and encodes what is not ASCII', async () => {
    const { emulator, url } = await sent({
      subject: 'Grüße',
      attachments: [{ content: 'AAEC/w==', filename: 'a.bin', content_id: 'one', disposition: 'inline' }],
    });
    const text = await (await emulator.fetch(url)).text();
    expect(text).toContain('Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n');
    expect(text).toContain('Content-Disposition: inline; filename="a.bin"\r\nContent-ID: <one>');
    expect(text).toContain('AAEC/w==');
  });

  test('a given raw message is returned byte for byte', async () => {
    const emulator = still();
    const raw = Uint8Array.from({ length: 256 }, (_, index) => index);
    const { raw_message_url: url } = await message(emulator, emulator.logs.add({ raw }));
    expect(new Uint8Array(await (await emulator.fetch(url)).arrayBuffer())).toEqual(raw);
  });

  test('expires', async () => {
    const { emulator, url } = await sent({}, { logs: { rawUrlMs: 60_000 } });
    emulator.clock.advance(59_999);
    expect((await emulator.fetch(url)).status).toBe(200);
    emulator.clock.advance(1);
    const late = await emulator.fetch(url);
    expect(late.status).toBe(403);
    expect(await late.text()).toContain('Request has expired');
  });

  test.each([
    ['a later end', (url: URL) => url.searchParams.set('expires', '9999999999')],
    ['another signature', (url: URL) => url.searchParams.set('signature', '0'.repeat(32))],
    ['no signature', (url: URL) => url.searchParams.delete('signature')],
    ['another message', (url: URL) => (url.pathname = url.pathname.replace(/[^/]+$/, 'x.eml'))],
  ])('refuses %s', async (_, change) => {
    const { emulator, url } = await sent();
    const changed = new URL(url);
    change(changed);
    const response = await emulator.fetch(changed);
    expect([response.status, response.headers.get('content-type')]).toEqual([403, 'application/xml']);
  });

  test('refuses the link of an emulator with another token, even to a message with the same id', async () => {
    const usual = await sent();
    const own = await sent({}, { token: 'my-own-token' });
    expect(new URL(usual.url).pathname).toBe(new URL(own.url).pathname);
    expect((await own.emulator.fetch(usual.url)).status).toBe(403);
    expect((await usual.emulator.fetch(own.url)).status).toBe(403);
    expect((await own.emulator.fetch(own.url)).status).toBe(200);
  });

  test.each(['authorization', 'api-token'])(
    'refuses a request with %s, because the link must not be sent a token',
    async (name) => {
      const { emulator, url } = await sent();
      const response = await emulator.fetch(url, { headers: { [name]: 'secret' } });
      expect(response.status).toBe(400);
    },
  );

  test('counts as a host of its own for faults and in the request log', async () => {
    const { emulator, url } = await sent();
    emulator.faults.next({ kind: 'status', status: 503, match: { host: 'storage', path: '/messages/*' } });
    expect((await emulator.fetch(url)).status).toBe(503);
    expect(emulator.requests.at(-1)).toMatchObject({ host: 'storage', method: 'GET', status: 503 });
  });

  test('works over the network', async () => {
    const emulator = still();
    const server = await emulator.listen();
    const id = emulator.logs.add();
    const { hosts, token } = server.clientOptions();
    const headers = { authorization: `Bearer ${token}` };
    const detail = await fetch(`${hosts.api}/api/email_logs/${id}`, { headers });
    const { raw_message_url: url } = (await detail.json()) as { raw_message_url: string };
    expect(url.startsWith(`${server.url}/storage/`)).toBe(true);
    expect(await (await fetch(url)).text()).toContain('To: reader@example.com\r\n');
    await server.close();
  });
});
