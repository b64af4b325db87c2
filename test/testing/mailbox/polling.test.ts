import { EmailPlatform } from 'email-platform';
import { createEmulator, mailbox, type MailboxClient, type MailboxMessage } from 'email-platform/testing';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { nextEmailsOf } from '../../../src/testing/service/state/emails/emulator-mail.ts';
import { emulatorSource } from '../../../src/testing/mailbox/sources/emulator-source.ts';
import { InboxPoller, pollerOf } from '../../../src/testing/mailbox/sources/inbox-poller.ts';
import { inboxSource } from '../../../src/testing/mailbox/sources/inbox-source.ts';
import { mailboxOf } from '../../../src/testing/mailbox/mailbox.ts';
import type { RealTime } from '../../../src/kit/real-time.ts';
import { isFull, sized } from '../../support/extent.ts';
import { until, virtualRuntime, WALL_START } from '../../support/virtual-client.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const INBOX = 2001;

/** An emulator and clients in virtual time, and mailboxes that each have a poller of their own, as in other processes. */
function inVirtualTime(options: Parameters<typeof createEmulator>[0] = {}) {
  const time = new VirtualTime();
  const emulator = createEmulator({ ...options, now: () => WALL_START + time.now() });
  const real: RealTime = {
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const cancel = time.setTimer(ms, resolve);
        signal?.addEventListener('abort', () => {
          cancel();
          resolve();
        });
      }),
    keepAlive: () => () => undefined,
  };
  const client = () =>
    new EmailPlatform({ ...emulator.clientOptions(), timeoutMs: 2_147_483_647 }, virtualRuntime(time));
  const poller = () => new InboxPoller(INBOX, real);
  const box = (own = client(), shared = poller()) =>
    mailboxOf(inboxSource(own, INBOX, shared), 'example.org', real);
  const polls = () => emulator.requests.filter(({ path }) => path.endsWith('/messages'));
  const times = () => polls().map(({ at }) => at - WALL_START);
  /** Lets time go by, from timer to timer. */
  const pass = async (ms: number) => {
    const end = time.now() + ms;
    for (;;) {
      for (let turn = 0; turn < 30; turn += 1) await new Promise(setImmediate);
      if (time.nextAt > end) break;
      time.fireNext();
    }
    await time.advance(end - time.now());
  };
  return { time, real, emulator, client, poller, box, polls, times, pass };
}

// Loads the modules of the first request before the measurement.
beforeAll(async () => {
  await new EmailPlatform(createEmulator().clientOptions()).sandbox.inboxes.list();
});

const mail = { from: 'hello@mail.example.com', subject: 'Hello', text: 'Code 123456' };

describe('An inbox', () => {
  test('with a message that cannot be read: the next one is returned, or the error names it', async () => {
    const { box, client, pass } = inVirtualTime();
    const own = client();
    const eml = own.sandbox.messages.eml.bind(own.sandbox.messages);
    const raw = Array.from(
      { length: 300 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    ).join('');
    const send = () => own.sending.send({ ...mail, to: 'ann@example.org' }, { stream: 'sandbox' });
    await send();
    const [first] = await own.sandbox.messages.list(INBOX).toArray({ limit: 10 });
    const id = first?.id ?? 0;
    own.sandbox.messages.eml = ((inbox: number, other: number, options: object) =>
      other === id
        ? Promise.resolve(new TextEncoder().encode(raw))
        : eml(inbox, other, options)) as typeof eml;
    const one = box(own);
    const failed = one.waitFor({ to: 'ann@example.org' }).catch(String);
    await pass(5_000);
    expect(await failed).toMatch(new RegExp(`Message ${id} cannot be read: .*level`));
    await send();
    const found = one.waitFor({ to: 'ann@example.org' });
    await pass(5_000);
    expect((await found).code()).toBe('123456');
  });

  test('is read every two seconds, once for all waiting calls, and never without one', async () => {
    const { box, client, poller, times, pass } = inVirtualTime();
    const [own, shared] = [client(), poller()];
    const boxes = Array.from({ length: 20 }, () => box(own, shared));
    const waiting = Promise.allSettled(boxes.map((one) => one.waitFor({ to: 'ann@example.org' })));
    await pass(4_999);
    expect(times()).toEqual([0, 2_000, 4_000]);
    await pass(1);
    await waiting;
    await pass(60_000);
    expect(times()).toEqual([0, 2_000, 4_000]);
    // Waits one after the other do not make it more.
    for (let count = 0; count < 3; count += 1) {
      const one = box(own, shared).none({ withinMs: 0 });
      await pass(2_000);
      await one;
    }
    // The first began while the inbox was being read, and so needs another look.
    expect(times().slice(3)).toEqual([65_000, 67_000, 69_000, 71_000]);
  });

  test('is read once more after the time in which none may come', async () => {
    const { box, client, emulator, times, pass } = inVirtualTime();
    const app = new EmailPlatform({ ...emulator.clientOptions(), stream: 'sandbox' });
    const none = box(client()).none({ withinMs: 3_000 });
    const outcome = none.catch(String);
    await pass(2_900);
    await app.sending.send({ ...mail, to: 'ann@example.org' });
    await pass(5_000);
    expect(await outcome).toContain('An email came to the test inbox 2001: "Hello" to ann@example.org');
    expect(times()).toEqual([0, 2_000, 4_000]);
  });

  test('is read more slowly after failures', async () => {
    const { box, client, emulator, times, pass } = inVirtualTime();
    emulator.faults.next({ kind: 'status', status: 503, times: 4 });
    const own = client().withOptions({ retry: false });
    const waiting = box(own).waitFor({ timeoutMs: 200_000 }).catch(String);
    await pass(61_999);
    expect(times()).toEqual([0, 4_000, 12_000, 28_000, 58_000, 60_000]);
    await pass(200_000);
    expect(await waiting).toContain('within 200000 ms. It has no email at all');
  });

  test('is read more slowly when less than two thirds of the limit are left', async () => {
    const { box, client, times, emulator, pass } = inVirtualTime({
      limits: { token: { requests: 6, perMs: 10_000 } },
    });
    const waiting = box(client()).waitFor({ timeoutMs: 60_000 }).catch(String);
    await pass(60_000);
    // The third leaves three of six, the fourth two; the window begins anew every ten seconds.
    expect(times().slice(0, 6)).toEqual([0, 2_000, 4_000, 8_000, 16_000, 18_000]);
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(await waiting).toContain('No email');
  });

  test('is given up after 5 seconds, and an emulator after 4: before a test of Vitest or Jest ends', async () => {
    const { box, real, emulator, pass } = inVirtualTime();
    const source = emulatorSource(emulator, nextEmailsOf(emulator) ?? (() => Promise.resolve([])));
    for (const [one, ms] of [
      [box(), 5_000],
      [mailboxOf(source, 'example.org', real), 4_000],
    ] as const) {
      let said = '';
      void one.waitFor().catch((error: unknown) => (said = String(error)));
      await pass(ms - 1);
      expect(said).toBe('');
      await pass(1);
      expect(said).toContain(`within ${ms} ms`);
    }
  });

  test('that is being read is read again before it is said that none came', async () => {
    const answers: (() => void)[] = [];
    const { real, time } = inVirtualTime();
    let items: MailboxMessage[] = [];
    const client: MailboxClient = {
      sandboxInboxId: INBOX,
      sandbox: {
        messages: {
          list: () => {
            // The service answers later what it saw when it was asked.
            const data = { items, nextPage: () => Promise.resolve(undefined) };
            return {
              withResponse: () =>
                new Promise((resolve) => {
                  answers.push(() => resolve({ data, response: { rateLimit: {} } }));
                }),
            };
          },
          eml: () => Promise.reject(new Error('never')),
        },
        inboxes: { get: () => Promise.reject(new Error('never')) },
      },
    };
    const source = inboxSource(client, INBOX, new InboxPoller(INBOX, real));
    const outcome = mailboxOf(source, 'example.org', real).none({ withinMs: 1_000 }).catch(String);
    await until(() => answers.length === 1);
    const late = { subject: 'Late', from_email: 'a@b.test', to_email: 'c@d.test' };
    items = [{ id: 1, created_at: '2026-03-01T12:00:00Z', ...late }];
    await time.advance(1_000);
    answers[0]?.();
    await new Promise(setImmediate);
    await time.advance(2_000);
    await until(() => answers.length === 2);
    answers[1]?.();
    expect(await outcome).toContain('"Late" to c@d.test');
  });

  test('that cannot be read is the cause of the error', async () => {
    const { box, client, emulator, pass } = inVirtualTime();
    emulator.faults.next({ kind: 'status', status: 503, always: true });
    const own = client().withOptions({ retry: false });
    const waiting = box(own)
      .waitFor({ timeoutMs: 3_000 })
      .catch((error: unknown) => error);
    const none = box(own)
      .none({ withinMs: 3_000 })
      .catch((error: unknown) => error);
    await pass(30_000);
    expect(await waiting).toMatchObject({ cause: { status: 503 } });
    expect(await none).toMatchObject({
      message: 'The test inbox 2001 cannot be read',
      cause: { status: 503 },
    });
  });

  test('is read as far as it is new: none is missed, however many come', async () => {
    const { box, client, emulator, polls, pass } = inVirtualTime({ limits: false });
    const app = new EmailPlatform({ ...emulator.clientOptions(), stream: 'sandbox' });
    const own = box(client());
    const send = async (from: number, to: number) => {
      for (let index = from; index < to; index += 1)
        await app.sending.send({ ...mail, to: `user${index}@example.org` });
    };
    await send(0, 10);
    const waits = Array.from({ length: 110 }, (_, index) =>
      own.waitFor({ to: `user${index}@example.org`, timeoutMs: 60_000 }),
    );
    await pass(500);
    await send(10, 110);
    await pass(5_000);
    expect((await Promise.all(waits)).map(({ to }) => to[0])).toEqual(
      Array.from({ length: 110 }, (_, index) => `user${index}@example.org`),
    );
    expect(polls().length).toBeLessThan(12);
  });
});

// Twenty-eight would ask 140 times in ten seconds, if they did not see how little of 150 is left.
test.each(isFull ? [20, 28] : [28])('%i processes with one token and one inbox get no 429', async (count) => {
  const { box, emulator, pass } = inVirtualTime();
  const app = new EmailPlatform({ ...emulator.clientOptions(), stream: 'sandbox' });
  const boxes = Array.from({ length: count }, () => box());
  for (let round = 0; round < sized(4, 2); round += 1) {
    const addresses = boxes.map((one) => one.address('ann'));
    const waits = boxes.map((one, index) => one.waitFor({ to: addresses[index] ?? '', timeoutMs: 60_000 }));
    await pass(7_000);
    for (const to of addresses) await app.sending.send({ ...mail, to });
    const all = Promise.all(waits);
    await pass(20_000);
    expect((await all).map((one) => one.code())).toEqual(Array(count).fill('123456'));
  }
  const api = emulator.requests.filter(({ host }) => host === 'api');
  expect(api.length).toBeGreaterThan(sized(16, 8) * count);
  expect(api.filter(({ status }) => status === 429)).toEqual([]);
});

describe('The pollers of a process', () => {
  test('are one for each inbox of a service, whichever client asks', async () => {
    const emulator = createEmulator();
    const server = await emulator.listen();
    onTestFinished(() => server.close());
    const client = () => new EmailPlatform(server.clientOptions());
    const first = pollerOf(client(), INBOX);
    expect(pollerOf(client(), INBOX)).toBe(first);
    expect(pollerOf(client(), 2002)).not.toBe(first);
  });

  test('are the own of a client in memory, where every emulator has one address', () => {
    const [one, other] = [createEmulator(), createEmulator()].map(
      (made) => new EmailPlatform(made.clientOptions()),
    );
    if (one === undefined || other === undefined) throw new Error('never');
    expect(pollerOf(one, INBOX)).toBe(pollerOf(one, INBOX));
    expect(pollerOf(one, INBOX)).not.toBe(pollerOf(other, INBOX));
  });

  test('two mailboxes of two clients read an inbox once', async () => {
    const emulator = createEmulator();
    const server = await emulator.listen();
    onTestFinished(() => server.close());
    const boxes = [1, 2].map(() => mailbox(new EmailPlatform(server.clientOptions())));
    const waiting = boxes.map((box) => box.waitFor({ timeoutMs: 60_000 }));
    await until(() => emulator.requests.length > 0);
    await new EmailPlatform({ ...server.clientOptions(), stream: 'sandbox' }).sending.send({
      ...mail,
      to: 'ann@example.org',
    });
    expect((await Promise.all(waiting)).map(({ subject }) => subject)).toEqual(['Hello', 'Hello']);
    expect(emulator.requests.filter(({ path }) => path.endsWith('/messages'))).toHaveLength(2);
  });
});
