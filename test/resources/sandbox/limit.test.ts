import { RateLimitError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { json, scriptedFetch } from '../../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient, WALL_START } from '../../support/virtual-client.ts';

const mail = {
  from: { email: 'me@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Hello',
  text: 'Hello',
};
const inSandbox = { stream: 'sandbox' } as const;

/** A plan that lets one request in ten seconds into a sandbox, and a client in the emulator's own time. */
function setUp() {
  let now = () => 0;
  const emulator = createEmulator({
    sandbox: { limit: { requests: 1, perMs: 10_000 } },
    now: () => WALL_START + now(),
  });
  const { client, time } = virtualClient({ ...emulator.clientOptions(), throttle: {} });
  now = time.now;
  return { emulator, client, time };
}

describe("The plan's limit of the sandbox", () => {
  test('a 429 of the sandbox stops nothing else', async () => {
    const { client, time } = setUp();
    await client.sending.send(mail, inSandbox);
    const refused = await rejection(
      client.sending.send(mail, { ...inSandbox, retry: false }),
      RateLimitError,
    );
    expect(refused.pool).toBe('sandbox');

    const { sandbox, token } = client.limits.snapshot();
    expect(sandbox?.blockedUntil).toEqual(new Date(WALL_START + 10_000));
    expect(token?.blockedUntil).toBeUndefined();
    await client.campaigns.list();
    await client.sending.send(mail);
    await client.sending.send(mail, { stream: 'bulk' });
    expect(time.now()).toBe(0);
  });

  test('emails to the sandbox wait until it opens, and all arrive', async () => {
    const { client, emulator, time } = setUp();
    const sent = Promise.all([1, 2, 3].map(() => client.sending.send(mail, inSandbox)));
    await throughItsWaits(time, sent);
    expect(emulator.sandbox.messages()).toHaveLength(3);
    expect(time.now()).toBeGreaterThanOrEqual(20_000);
  });

  test('requests of the sandbox count for the token as well; without a 429 nothing else holds them up', async () => {
    const { fetch } = scriptedFetch(json(200, { success: true, message_ids: ['1'] }));
    const hosts = { sandbox: 'https://sandbox.test' };
    const throttle = { limits: { token: { requests: 1_000, perMs: 10_000 } } };
    const { client, time } = virtualClient({ fetch, hosts, throttle, sandboxInboxId: 7, ...inSandbox });
    await Promise.all(Array.from({ length: 300 }, () => client.sending.send(mail)));
    expect(time.now()).toBe(0);
    const { sandbox, token } = client.limits.snapshot();
    expect([sandbox?.used, token?.used]).toEqual([300, 300]);
    expect(client.limits.estimate(100, 'sandbox')).toBe(0);
  });

  test("the token's own 429 closes the token, on the sandbox too", async () => {
    const throttled = json(429, { success: false, errors: ['Throttled'] });
    const { fetch } = scriptedFetch(throttled);
    const { client } = virtualClient({
      fetch,
      hosts: { sandbox: 'https://sandbox.test' },
      sandboxInboxId: 7,
      throttle: {},
      retry: false,
    });
    const { pool } = await rejection(client.sending.send(mail, inSandbox), RateLimitError);
    expect(pool).toBe('token');
    expect(client.limits.snapshot().token?.blockedUntil).toBeInstanceOf(Date);
  });

  test('a plan whose limit you know can be set', async () => {
    const { fetch, sent } = scriptedFetch(json(200, { success: true, message_ids: ['1'] }));
    const { client, time } = virtualClient({
      fetch,
      hosts: { sandbox: 'https://sandbox.test' },
      sandboxInboxId: 7,
      throttle: { limits: { sandbox: { requests: 1, perMs: 10_000 } } },
    });
    const both = Promise.all([client.sending.send(mail, inSandbox), client.sending.send(mail, inSandbox)]);
    await throughItsWaits(time, both);
    expect(sent).toHaveLength(2);
    expect(time.now()).toBe(10_000);
  });
});
