import { ConnectionError, EmailPlatform, TimeoutError } from 'email-platform';
import type { Emulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { until, virtualClient } from '../support/virtual-client.ts';
import { now, serve } from './service.ts';

const send = (client: EmailPlatform, emulator: Emulator) =>
  client.sending.send({
    from: { email: `news@${emulator.domains.list()[0]?.name ?? ''}` },
    to: [{ email: 'jo@example.com' }],
    subject: 'Hello',
    text: 'Hello Jo',
  });

describe('An email', () => {
  test('whose connection is cut after the service accepted it exists once, with effect unknown', async (context) => {
    const { emulator, connection } = await serve(context);
    const client = new EmailPlatform(connection);
    emulator.faults.next({ kind: 'reset-after', match: { host: 'send' } });

    const error = await rejection(send(client, emulator), ConnectionError);

    expect(error).toMatchObject({ effect: 'unknown', phase: 'exchange', request: { attempts: 1 } });
    expect(emulator.messages()).toHaveLength(1);
    expect(emulator.requests).toHaveLength(1);
  });

  test('whose response breaks off halfway exists once, with effect unknown', async (context) => {
    const { emulator, connection } = await serve(context);
    emulator.faults.next({ kind: 'truncate', match: { host: 'send' } });

    const error = await rejection(send(new EmailPlatform(connection), emulator), ConnectionError);

    expect(error).toMatchObject({ effect: 'unknown', phase: 'exchange', request: { attempts: 1 } });
    expect(emulator.messages()).toHaveLength(1);
    expect(emulator.requests).toHaveLength(1);
  });

  test('whose response never comes exists once, with effect unknown', async (context) => {
    const { emulator, connection } = await serve(context);
    const { client, time } = virtualClient({ ...connection, timeoutMs: 500 });
    emulator.faults.next({ kind: 'stall', acts: true, match: { host: 'send' } });

    const failed = rejection(send(client, emulator), TimeoutError);
    // However long the request takes to arrive: the timeout passes only then.
    await until(() => emulator.requests.length === 1);
    await time.advance(500);
    const error = await failed;

    expect(error).toMatchObject({ effect: 'unknown', kind: 'attempt' });
    expect(emulator.messages()).toHaveLength(1);
    expect(emulator.requests).toHaveLength(1);
  });

  test('to a service that is not running yet is sent once it is, and only once', async (context) => {
    const { emulator, connection, stop, start } = await serve(context);
    await stop();
    const reasons: string[] = [];
    const client = new EmailPlatform({
      ...connection,
      // As often as it takes, because the waits are random.
      retry: { maxRetries: 100 },
      hooks: {
        onRetry: ({ reason }) => {
          if (reasons.push(reason) === 1) void start();
        },
      },
    });

    await send(client, emulator);

    expect(new Set(reasons)).toEqual(new Set(['never_sent']));
    expect(emulator.messages()).toHaveLength(1);
    expect(emulator.requests.map(({ status }) => status)).toEqual([200]);
  });

  test('refused with 429 is sent after the reset, once', async (context) => {
    const perMs = 1_000;
    // The clock of the service stands still until it has refused the email.
    let at = now();
    const { emulator, connection } = await serve(context, {
      now: () => at,
      limits: { token: { requests: 1, perMs } },
    });
    const hooks = { onRetry: () => void (at += perMs) };
    const client = new EmailPlatform({ ...connection, throttle: false, hooks });

    await client.request({ method: 'GET', path: '/api/email_campaigns' });
    await send(client, emulator);

    expect(emulator.requests.map(({ status }) => status)).toEqual([200, 429, 200]);
    expect(emulator.messages()).toHaveLength(1);
  });
});

describe('A campaign', () => {
  test('whose start was carried out but got no response is started once, and returned', async (context) => {
    const { emulator, connection } = await serve(context);
    const id = emulator.campaigns.add({ name: 'Weekly digest' });
    const client = new EmailPlatform(connection);
    emulator.faults.next({ kind: 'reset-after', match: { path: '*/start' } });

    const campaign = await client.campaigns.start(id);

    expect(campaign).toMatchObject({ id, current_state: 'started' });
    const actions = emulator.requests.filter(({ path }) => path.endsWith('/start'));
    // Carried out without a response; then refused, because it had been carried out.
    expect(actions.map(({ status }) => status)).toEqual([null, 422]);
  });

  test('whose start was not carried out is started by the retry', async (context) => {
    const { emulator, connection } = await serve(context);
    const id = emulator.campaigns.add();
    emulator.faults.next({ kind: 'reset-before', match: { path: '*/start' } });

    const campaign = await new EmailPlatform(connection).campaigns.start(id);

    expect(campaign.current_state).toBe('started');
    expect(emulator.requests.map(({ status }) => status)).toEqual([null, 200]);
  });

  test('whose creation was carried out but got no response exists once', async (context) => {
    const { emulator, connection } = await serve(context);
    const client = new EmailPlatform(connection);
    emulator.faults.next({ kind: 'reset-after' });

    const creation = client.campaigns.create({
      name: 'Weekly digest',
      domain_id: emulator.domains.list()[0]?.id ?? 0,
      from_local_part: 'news',
      template_attributes: { subject: 'This week' },
    });

    expect(await rejection(creation, ConnectionError)).toMatchObject({ effect: 'unknown' });
    expect((await client.campaigns.list()).items).toHaveLength(1);
  });
});
