/** The ends of `doctor`: its exit code, the next step, and the test email. */
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from './in-process.ts';

type ClientOptions = ConstructorParameters<typeof EmailPlatform>[0];

function setUp(
  options: ClientOptions = {},
  limits?: { readonly token: { requests: number; perMs: number } },
) {
  const emulator = createEmulator({ seed: 'empty', ...(limits && { limits }) });
  const client = new EmailPlatform({ ...emulator.clientOptions(), ...options });
  const doctor = (...args: readonly string[]) => cli(['doctor', ...args], { client: () => client });
  return { emulator, client, doctor };
}

/** A client whose test email gets this status. */
function refusing(status: number, body: unknown = { errors: ['Refused'] }) {
  const { emulator } = setUp();
  const options = emulator.clientOptions();
  const client = new EmailPlatform({
    ...options,
    fetch: async (input, init) => {
      const { url, headers } = new Request(input, init);
      return url.endsWith('/api/send') && headers.has('authorization')
        ? new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
        : options.fetch(input, init);
    },
  });
  return cli(['doctor', '--send', 'you@example.com'], { client: () => client });
}

test('a rate limit that is used up: nothing is checked, and no email is sent, exit 1', async () => {
  const { emulator, doctor } = setUp({ retry: false }, { token: { requests: 1, perMs: 60_000 } });
  await new EmailPlatform(emulator.clientOptions()).accounts.list();
  const { code, err } = await doctor('--send', 'you@example.com');
  expect([code, err]).toEqual([1, 'Not checked: the rate limit is used up. See the lines with ✗.\n']);
  expect(emulator.messages()).toEqual([]);
});

test('the next step is a test email from the domain of the default sender; after a failure there is none', async () => {
  const { doctor } = setUp({ defaults: { from: 'Shop <hello@mail.example.com>' } });
  expect((await doctor()).out).toContain('doctor --send you@mail.example.com ');
  expect((await doctor('--send', 'you@mail.example.com')).out).not.toContain('sends one test email');
  const { emulator, doctor: failing } = setUp();
  for (const { id } of emulator.domains.list()) emulator.domains.setVerified(id, false);
  expect((await failing()).out).not.toContain('sends one test email');
});

test('the next step reads the same files of variables', async () => {
  const { doctor } = setUp({ defaults: { from: 'hello@mail.example.com' } });
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  const files = ['one.env', 'two words.env'].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, '');
  const given = files.flatMap((file) => ['--env-file', file]);
  const again = `--env-file ${files[0]} --env-file "${files[1]}"`;
  const to = 'you@mail.example.com';
  expect((await doctor(...given)).out).toContain(` npx email-platform doctor ${again} --send ${to} `);
  expect((await doctor(...given, '--send', to)).out).toContain(
    ` npx email-platform why ${again} ${to} --from hello@mail.example.com`,
  );
  expect((await doctor()).out).toContain(` npx email-platform doctor --send ${to} `);
});

test('settings that keep customers from email are a verdict, and the test email proves nothing, exit 0', async () => {
  const { emulator, doctor } = setUp({ recipients: { allow: ['you@example.com'] } });
  const { code, out } = await doctor('--send', 'you@example.com');
  expect(code).toBe(0);
  expect(out).toContain('customers get no email with these settings: see the lines with !');
  expect(out).toContain('this proves nothing yet');
  expect(out).not.toContain('did it not arrive?');
  expect(emulator.messages().map(({ to }) => to)).toEqual(['you@example.com']);
  expect((await setUp().doctor()).out).not.toContain('customers get no email');
});

test('without a sender, no test email is sent, exit 1', async () => {
  const { emulator, doctor } = setUp();
  emulator.faults.next({ kind: 'status', status: 403, match: { path: /\/sending_domains$/ } });
  const { code, err } = await doctor('--send', 'you@example.com');
  expect([code, err]).toEqual([1, 'There is no sender: set EMAIL_PLATFORM_FROM.\n']);
  expect(emulator.messages()).toEqual([]);
});

test('with --json, the test email is a second line', async () => {
  const { emulator, doctor } = setUp();
  const { out } = await doctor('--send', 'you@example.com', '--json');
  const [first = '', second = '', ...others] = out.split('\n');
  expect(JSON.parse(first)).toMatchObject({ canSend: true });
  expect(JSON.parse(second)).toEqual({ message_ids: [expect.stringMatching(/^[\da-f-]{36}$/) as string] });
  expect([others, emulator.messages().length]).toEqual([[''], 1]);
});

test.each([
  [401, /\n→ check that the domain of doctor@mail\.example\.com is verified, and that the token has access/],
  [403, /\n→ give the token the right to send from the domain of doctor@mail\.example\.com/],
  [422, /^✗ The test email was refused: [^→]*$/],
])('a test email that is refused with %i has its remedy, exit 1', async (status, remedy) => {
  const { code, err } = await refusing(status);
  expect([code, err]).toEqual([1, expect.stringMatching(remedy)]);
});

test('a test email that a proxy refuses says nothing about the token', async () => {
  const { code, err } = await refusing(403, '<html>Sign in</html>');
  expect([code, err]).toEqual([1, expect.stringMatching(/\n→ the host answered 403 with a page, unlike/)]);
});
