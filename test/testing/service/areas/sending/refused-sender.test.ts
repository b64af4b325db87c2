import { ApiError, EmailPlatform } from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { expect, onTestFinished, test } from 'vitest';
import { rejection } from '../../../../support/expect-error.ts';

const email = { to: 'ann@example.org', subject: 'Hi', text: 'Hi.' };

/** The client of an emulator, in the process or behind a port. */
async function clients(options: Emulator.Options = {}) {
  const emulator = createEmulator({ limits: false, ...options });
  const server = await emulator.listen();
  onTestFinished(() => server.close());
  const { hosts, token } = server.clientOptions();
  return {
    emulator,
    both: [new EmailPlatform(emulator.clientOptions()), new EmailPlatform({ hosts, token })],
  };
}

const refusedBy = async (
  client: EmailPlatform,
  from: string,
  stream: 'transactional' | 'bulk' = 'transactional',
) => (await rejection(client.sending.send({ ...email, from }, { stream }), ApiError)).message;

const byCall = (call: string) =>
  `to verify it, call emulator.domains.${call}. From another process, get emulator (started with --control or --open) from connectEmulator(EMAIL_PLATFORM_CONTROL_URL, { controlToken: EMAIL_PLATFORM_CONTROL_TOKEN }) of email-platform/testing`;

test.each(['transactional', 'bulk'] as const)(
  'A sender of another domain is told the cause alone (%s)',
  async (stream) => {
    const { both } = await clients();
    for (const client of both) {
      expect(await refusedBy(client, 'me@myshop.example', stream)).toBe(
        "sending.send failed with 401: Unauthorized; The sender's domain myshop.example is not a sending domain of the account; " +
          `the token may send from mail.example.com; ${byCall("add({ name: 'myshop.example' })")}`,
      );
      expect(await refusedBy(client, 'me@unverified.example.com', stream)).toBe(
        "sending.send failed with 401: Unauthorized; The sender's domain unverified.example.com is not verified; " +
          `the token may send from mail.example.com; ${byCall('setVerified(302, true)')}`,
      );
    }
  },
);

test('The call that is named verifies the domain', async () => {
  const { emulator, both } = await clients();
  emulator.domains.add({ name: 'myshop.example' });
  emulator.domains.setVerified(302, true);
  for (const client of both)
    for (const from of ['me@myshop.example', 'me@unverified.example.com'])
      await client.sending.send({ ...email, from });
  expect(emulator.messages()).toHaveLength(4);
  expect(await refusedBy(new EmailPlatform(emulator.clientOptions()), 'me@other.example')).toContain(
    'the token may send from mail.example.com, unverified.example.com, myshop.example;',
  );
});

test('A domain in other letters is readable, and at most five are listed', async () => {
  const { emulator, both } = await clients({ seed: 'demo' });
  for (const name of ['a.example', 'b.example', 'c.example']) emulator.domains.add({ name });
  for (const client of both) {
    const message = await refusedBy(client, 'me@bücher.example');
    expect(message).toMatch(/ of email-platform\/testing$/);
    expect(message).toMatch(/The sender's domain (bücher|xn--bcher-kva)\.example is not a sending domain/);
    expect(/may send from ([^;]*);/.exec(message)?.[1]?.split(', ')).toHaveLength(5);
  }
});

test('Without a verified domain, and with a forbidding service, the cause is named, too', async () => {
  const { emulator, both } = await clients({ sending: { unverifiedDomain: 'forbidden' } });
  emulator.domains.setVerified(301, false);
  for (const client of both)
    expect(await refusedBy(client, 'me@mail.example.com')).toMatch(
      /failed with 403: .*; The sender's domain mail\.example\.com is not verified; the token may send from no domain; to verify it, call emulator\.domains\.setVerified\(301, true\)/,
    );
});

test('A wrong token is the cause alone, and the body is the one of the service', async () => {
  const { emulator } = await clients();
  const { fetch, ...options } = emulator.clientOptions();
  const bodies: unknown[] = [];
  const client = new EmailPlatform({
    ...options,
    token: 'emu_of-another-emulator',
    fetch: async (input, init) => {
      const response = await fetch(new Request(input, init));
      bodies.push(await response.clone().json(), response.headers.get('email-platform-cause'));
      return response;
    },
  });
  expect(await refusedBy(client, 'me@mail.example.com')).toMatch(
    /^sending\.send failed with 401: Unauthorized; the token is of an emulator \(emu_…\): only that emulator takes it/,
  );
  const known = client.withOptions({ token: options.token });
  await refusedBy(known, 'me@myshop.example');
  const request = new Request(`${options.hosts.send}/api/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...email,
      from: { email: 'me@myshop.example' },
      to: [{ email: 'ann@example.org' }],
    }),
  });
  const raw = await fetch(request);
  expect([raw.status, raw.headers.get('email-platform-cause')]).toEqual([401, null]);
  const unauthorized = { error: 'Unauthorized', errors: ['Unauthorized'] };
  expect(bodies).toEqual([unauthorized, null, unauthorized, expect.stringContaining('myshop.example')]);
});
