import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { cli } from './in-process.ts';

/** What a terminal obeys: a title, another direction, a cleared screen. */
const ESCAPES = '\u001b]0;title\u0007\u202e\u009b2J';

function setUp() {
  const emulator = createEmulator({ seed: 'empty' });
  const { token, ...connection } = emulator.clientOptions();
  const client = new EmailPlatform({ token, ...connection });
  const doctor = (...args: readonly string[]) => cli(['doctor', ...args], { client: () => client });
  return { emulator, client, token, doctor };
}

describe('email-platform doctor', () => {
  test('a line for each finding, and what to do next; no secret', async () => {
    const { emulator, doctor, token } = setUp();
    emulator.domains.add({ name: 'shop.example.com', verified: false });
    const { code, out, err } = await doctor();
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^ {2}token {5}valid, of account 1001$/m);
    expect(out).toMatch(/^ {2}hosts {5}api, send, bulk, sandbox answer$/m);
    expect(out).toMatch(
      /^! domains {3}unverified\.example\.com, shop\.example\.com: not verified\n {12}→ for the DNS records, set EMAIL_PLATFORM_FROM to an address of the domain\n {2}\w/m,
    );
    expect(out).toMatch(
      /^ {2}next .*doctor --send you@[\w.]+ {3}sends one test email: the proof that the token may send$/m,
    );
    expect(out).not.toContain(token);
    expect(emulator.messages()).toEqual([]);
  });

  test('exit 1 if nothing can be sent, and then no test email is', async () => {
    const { emulator, doctor } = setUp();
    for (const { id } of emulator.domains.list()) emulator.domains.setVerified(id, false);
    const { code, out, err } = await doctor('--send', 'you@example.com');
    expect(code).toBe(1);
    expect(out).toMatch(/^✗ domains {3}none is verified$/m);
    expect(out).toMatch(/^! domains {3}mail\.example\.com: not verified, \d of \d records missing$/m);
    expect(out).toMatch(
      /^ {12}→ add these DNS records .*:\n {12}CNAME ep1\._domainkey = dkim1\.emulator\.test$/m,
    );
    expect(err).toBe('No email can be sent: see the lines with ✗.\n');
    expect(emulator.messages()).toEqual([]);
  });

  test('a sender of a domain that is not verified stops only its own email, and the verdict says so', async () => {
    const { emulator, client } = setUp();
    const mail = { to: 'ann@example.org', subject: 'Hi', text: 'Hi.' };
    const own = client.withOptions({ defaults: { from: 'hello@unverified.example.com' } });
    const { code, out, err } = await cli(['doctor'], { client: () => own });
    expect([code, err]).toEqual([1, 'No email from the default sender can be sent: see the lines with ✗.\n']);
    expect(out).toMatch(/^✗ sender .*not verified$/m);
    await own.sending.send({ ...mail, from: 'hello@mail.example.com' });
    expect(emulator.messages()).toHaveLength(1);
    const token = emulator.createToken({ domains: [] });
    const none = await cli(['doctor'], { client: () => own.withOptions({ token }) });
    expect([none.out.match(/^✗ \w+/gm), none.err]).toEqual([
      ['✗ sender', '✗ domains'],
      'No email can be sent: see the lines with ✗.\n',
    ]);
  });

  test('a DNS record is shown whole', async () => {
    const { emulator, client } = setUp();
    const value = `v=DKIM1; k=rsa; p=${'Ab9+'.repeat(98)}`;
    emulator.on('GET /api/accounts/{account_id}/sending_domains', async ({ next }) =>
      Response.json(JSON.parse((await (await next()).text()).replace(/dkim1\.emulator\.test/g, value))),
    );
    const own = client.withOptions({ defaults: { from: 'hello@unverified.example.com' } });
    expect((await cli(['doctor'], { client: () => own })).out).toContain(` = ${value}\n`);
  });

  test('--send sends one test email', async () => {
    const { emulator, doctor } = setUp();
    const { code, out } = await doctor('--send', 'you@example.com');
    expect(code).toBe(0);
    expect(emulator.messages()).toHaveLength(1);
    expect(out).toContain('did it not arrive? npx email-platform why');
  });

  test('--send prints no escape sequence that the service wrote', async () => {
    const { emulator } = setUp();
    const { token, ...connection } = emulator.clientOptions();
    const ids = [`1${ESCAPES}`];
    const client = new EmailPlatform({
      token,
      ...connection,
      fetch: async (input, init) =>
        new Request(input, init).url.endsWith('/api/send') &&
        new Request(input, init).headers.has('authorization')
          ? Response.json({ success: true, message_ids: ids })
          : emulator.fetch(input, init),
    });
    const { code, out, err } = await cli(['doctor', '--send', 'you@example.com'], { client: () => client });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^ {2}sent +1 ?\]0;title/m);
    for (const hidden of ESCAPES.match(/[^ -~]/g) ?? []) expect(out).not.toContain(hidden);
  });

  test('--json prints the findings', async () => {
    const { doctor } = setUp();
    expect(JSON.parse((await doctor('--json')).out)).toMatchObject({ canSend: true });
  });
});
