import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmailPlatform } from 'email-platform';
import { connectEmulator, createEmulator } from 'email-platform/testing';
import { readWebhook, type WebhookEvent } from 'email-platform/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { cli } from './in-process.ts';
import { started, startedWith } from './started.ts';

/** A receiver that keeps the events that it can verify. */
async function receiver(secret: () => string) {
  const events: WebhookEvent[] = [];
  /** The names of headers that can have a signature, for each post. */
  const signed: string[][] = [];
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isSignature = (value: unknown) => /^[\da-f]{64}$/.test(String(value));
      signed.push(Object.keys(request.headers).filter((name) => isSignature(request.headers[name])));
      const post = { payload: Buffer.concat(chunks), headers: request.headers };
      readWebhook(post, { secret: secret() }).then(
        (read) => {
          events.push(...read);
          reply.end();
        },
        () => reply.writeHead(401).end(),
      );
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())));
  return { events, signed, to: `localhost:${(server.address() as AddressInfo).port}/hooks` };
}

const mail = { from: 'a@mail.example.com', to: 'ann@example.org', subject: 'Hello', text: 'Hello' };

test('emulator --forward-webhooks posts what happens, from the first send on, and after a reset', async () => {
  let secret = '';
  const { events, to } = await receiver(() => secret);
  const { value, out } = await started('--forward-webhooks', to, '--control');
  secret = value('WEBHOOK_SECRET');
  expect(out).toMatch(/^EMAIL_PLATFORM_WEBHOOK_SECRET=[\da-f]{32}$/m);
  const client = new EmailPlatform({
    token: value('TOKEN'),
    hosts: { api: value('API_URL'), send: value('SEND_URL'), bulk: value('BULK_URL') },
  });
  const { message_ids } = await client.sending.send(mail);
  await expect
    .poll(() => events, { timeout: 60_000 })
    .toContainEqual(expect.objectContaining({ event_type: 'delivery', message_id: message_ids[0] }));
  const control = connectEmulator(value('CONTROL_URL').replace(/\/_emulator$/, ''), {
    controlToken: value('CONTROL_TOKEN'),
  });
  const [post] = await control.webhooks.posts;
  const [event] = (JSON.parse(post?.body ?? '') as { events: readonly { timestamp: number }[] }).events;
  // The event has whole seconds.
  expect((post?.at ?? Infinity) - (event?.timestamp ?? 0) * 1000).toBeLessThan(2_000);
  await control.reset();
  events.length = 0;
  await client.sending.send(mail, { stream: 'bulk' });
  await expect.poll(() => events.length, { timeout: 60_000 }).toBeGreaterThan(0);
});

test('a post that the receiver refuses, or that does not reach it, is a line', async () => {
  const { to } = await receiver(() => 'another secret');
  const closed = createServer();
  await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
  const { port } = closed.address() as AddressInfo;
  await new Promise<void>((done) => closed.close(() => done()));
  for (const [address, line] of [
    [to, '401 POST http://localhost:[0-9]+/hooks {2}the receiver of webhooks must respond with 200'],
    [`localhost:${port}`, '— POST http://localhost:[0-9]+/ {2}the receiver of webhooks did not respond'],
  ] as const) {
    const { value, printed } = await started('--forward-webhooks', address);
    const client = new EmailPlatform({ token: value('TOKEN'), hosts: { send: value('SEND_URL') } });
    await client.sending.send(mail);
    await expect.poll(printed, { timeout: 60_000 }).toMatch(new RegExp(`^[0-9:]{8} {2}${line}$`, 'm'));
  }
});

test('the option forward posts events of every type at once', async () => {
  const secret = 'a'.repeat(32);
  const seen: (readonly [number, string])[] = [];
  const emulator = createEmulator({
    now: () => Date.parse('2026-11-12T10:31:00.000Z'),
    webhooks: {
      forward: { url: 'http://localhost:3000/hooks', secret },
      flushMs: 0,
      receive: async (request) => {
        for (const { event_type: type } of await readWebhook(request, { secret })) seen.push([now(), type]);
        return new Response();
      },
    },
  });
  const now = () => emulator.clock.now();
  for (const round of [1, 2]) {
    seen.length = 0;
    const client = new EmailPlatform(emulator.clientOptions());
    const { address } = emulator.inbound.add();
    emulator.inbound.receive({ to: address, from: 'ann@example.org' });
    emulator.webhooks.emit('audit_log', { event: 'activity_log.user.created' });
    await client.sending.send(mail);
    const begun = now();
    emulator.clock.advance(1);
    await emulator.webhooks.settled();
    expect(seen.map(([, type]) => type).sort(), `round ${round}`).toEqual([
      'activity_log.user.created',
      'inbound.message_received',
    ]);
    emulator.clock.advance(60_000);
    await emulator.webhooks.settled();
    expect(seen.map(([, type]) => type)).toContain('delivery');
    // Each within a second of what happened.
    for (const { at } of emulator.webhooks.posts) expect(at).toBeGreaterThanOrEqual(begun);
    const [delivery] = (await client.emailLogs.list()).items;
    const { events } = await client.emailLogs.get(delivery?.message_id ?? '');
    const posted = emulator.webhooks.posts.find(({ body }) => body.includes('"delivery"'));
    expect(posted?.at).toBe(Date.parse(events[0]?.created_at ?? ''));
    emulator.reset();
  }
});

const HEADER = 'EMAIL_PLATFORM_WEBHOOK_SIGNATURE_HEADER';

test.each([
  ['the option', {}, ['--signature-header', 'X-By-Option'], 'x-by-option'],
  ['the variable', { [HEADER]: 'x-by-variable' }, [], 'x-by-variable'],
  ['the option before the variable', { [HEADER]: 'x-by-variable' }, ['--signature-header', 'x-a'], 'x-a'],
  ['neither, as an empty variable', { [HEADER]: '' }, [], 'x-webhook-signature'],
])('the signature is in the header of %s', async (_, env, args, name) => {
  const secret = 'c'.repeat(32);
  const { events, signed, to } = await receiver(() => secret);
  const secrets = { EMAIL_PLATFORM_WEBHOOK_SECRET: secret };
  const { value } = await startedWith({ ...secrets, ...env }, '--forward-webhooks', to, ...args);
  const client = new EmailPlatform({ token: value('TOKEN'), hosts: { send: value('SEND_URL') } });
  await client.sending.send(mail);
  await expect.poll(() => events, { timeout: 60_000 }).not.toEqual([]);
  expect(signed[0]).toEqual([name]);
});

test.each([
  ['--signature-header must be the name of a header, not "a b"', {}, ['--signature-header', 'a b']],
  [`${HEADER} must be the name of a header, not "a b"`, { [HEADER]: 'a b' }, []],
])('%s: exit 2, of both commands', async (message, env, args) => {
  for (const command of [['emulator'], ['trigger', 'open', '--to', 'localhost:9']]) {
    const { code, err } = await cli([...command, ...args], { env: { ...env } });
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  }
});

test.each([
  ['https://shop.example.com/hooks', 'must be an address of this machine'],
  ['ftp://localhost', 'must be an address such as localhost:3000/hooks'],
])('%s is invalid: exit 2', async (to, message) => {
  const { code, err } = await cli(['emulator', '--forward-webhooks', to]);
  expect([code, err]).toEqual([2, expect.stringContaining(`--forward-webhooks ${message}`)]);
});

test('a secret of the environment is used, and not printed', async () => {
  const secret = 'b'.repeat(32);
  const env = { EMAIL_PLATFORM_WEBHOOK_SECRET: secret };
  const args = ['emulator', '--port', '0', '--forward-webhooks', 'localhost:3000'];
  const { out } = await cli(args, { env });
  expect(out).toContain('EMAIL_PLATFORM_TOKEN=');
  expect(out).not.toContain('WEBHOOK_SECRET');
});
