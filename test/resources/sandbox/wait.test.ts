import { AbortedError, TimeoutError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { emulated } from '../../support/contacts-service.ts';
import { json, scriptedFetch, type Turn } from '../../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../../support/virtual-client.ts';

const from = { email: 'hello@mail.example.com' };
const inbox = 2001;

/** A client of an emulator in the same virtual time; `arrive` sends to the test inbox. */
function world() {
  const { client, emulator, time } = emulated();
  const arrive = (to: string, subject: string) =>
    client.sending.send(
      { from, to: to.split(', ').map((email) => ({ email })), subject, text: 'Hello' },
      { stream: 'sandbox' },
    );
  const polls = () => emulator.requests.filter(({ method }) => method === 'GET').length;
  return { client, messages: client.sandbox.messages, emulator, time, arrive, polls };
}

/** A wait over scripted pages: each list of ids is a page; after the last page everything is empty. */
function paged(...pages: (readonly object[])[]) {
  const turns = [...pages.map((page) => json(200, page)), json(200, [])] as unknown as [Turn, ...Turn[]];
  const { fetch, sent } = scriptedFetch(...turns);
  return { ...virtualClient({ fetch }), sent };
}
const message = (id: number, subject = 'Other', created_at = '2026-03-01T12:00:00Z') => ({
  id,
  inbox_id: 1,
  subject,
  to_email: 'ann@example.org',
  created_at,
});

describe('messages.waitFor', () => {
  test('leaves no listener on its signal, however it is aborted', async () => {
    const { client, time } = paged();
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = new Set<unknown>();
    const add = signal.addEventListener.bind(signal) as (...args: unknown[]) => void;
    const remove = signal.removeEventListener.bind(signal) as (...args: unknown[]) => void;
    signal.addEventListener = (...args: unknown[]) => {
      listeners.add(args[1]);
      add(...args);
    };
    signal.removeEventListener = (...args: unknown[]) => {
      listeners.delete(args[1]);
      remove(...args);
    };
    const waited = rejection(client.sandbox.messages.waitFor({ inbox: 1 }, { signal }), AbortedError);
    await until(() => time.nextAt < 10_000);
    expect(listeners.size).toBe(1);
    controller.abort(new Error('enough'));
    expect((await waited).cause).toMatchObject({ message: 'enough' });
    expect(listeners.size).toBe(0);
    await rejection(client.sandbox.messages.waitFor({ inbox: 1 }, { signal }), AbortedError);
    expect(listeners.size).toBe(0);
  });

  test('returns a message that is there already, the newest that fits', async () => {
    const { messages, arrive, time } = world();
    await arrive('ann@example.org', 'Confirm: one');
    await arrive('ann@example.org', 'Confirm: two');
    await arrive('ben@example.org', 'Confirm: three');
    const found = await throughItsWaits(time, messages.waitFor({ inbox, to: 'ANN@example.org' }));
    expect(found).toMatchObject({ subject: 'Confirm: two', inbox_id: inbox });
    expect(time.now()).toBe(0);
  });

  test('returns one as soon as it is there, polling at low priority', async () => {
    const { messages, arrive, time, polls } = world();
    const found = messages.waitFor({ inbox, subject: 'Confirm' }, { pollMs: 500 });
    await until(() => polls() === 1);
    await arrive('ben@example.org', 'Hello');
    await time.advance(500);
    await until(() => polls() >= 2);
    await arrive('cy@example.org', 'Please Confirm: it is you');
    expect(await throughItsWaits(time, found)).toMatchObject({ to_email: 'cy@example.org' });
    expect(time.now()).toBe(1_000);
  });

  test.each([
    ['any of several recipients', { to: 'ben@example.org' }, 'ann@example.org, ben@example.org', true],
    ['a part of an address', { to: 'nn@example.org' }, 'ann@example.org', false],
    ['the subject in other letters', { subject: 'confirm' }, 'ann@example.org', false],
    ['both', { to: 'ann@example.org', subject: 'Confirm' }, 'ann@example.org', true],
  ])('%s', async (_, filter, to, isFound) => {
    const { messages, arrive, time } = world();
    await arrive(to, 'Confirm');
    const outcome = throughItsWaits(time, messages.waitFor({ inbox, ...filter }, { deadlineMs: 100 }));
    expect(await outcome.then(Boolean, () => false)).toBe(isFound);
  });

  test('after: only messages that arrive later count', async () => {
    const { messages, arrive, time, emulator } = world();
    await arrive('ann@example.org', 'Old');
    await time.advance(1_000);
    const after = new Date(emulator.clock.now());
    await arrive('ann@example.org', 'New');
    await arrive('ben@example.org', 'Newer');
    const found = messages.waitFor({ inbox, to: 'ann@example.org', after });
    expect(await throughItsWaits(time, found)).toMatchObject({ subject: 'New' });
    const none = messages.waitFor({ inbox, subject: 'Old', after: after.toISOString() }, { deadlineMs: 50 });
    await rejection(throughItsWaits(time, none), TimeoutError);
  });

  test('no message is missed, however many come between two polls; no page is read needlessly', async () => {
    const pages = [
      [message(3), message(2)],
      [],
      [message(9), message(8)],
      [message(7, 'Confirm'), message(3)],
    ];
    const { client, sent, time } = paged(...pages);
    const found = client.sandbox.messages.waitFor({ inbox: 1, subject: 'Confirm' });
    expect(await throughItsWaits(time, found)).toMatchObject({ id: 7 });
    const queries = sent.map(({ url }) => new URL(url).search);
    expect(queries).toEqual(['', '?last_id=2', '', '?last_id=8']);
  });

  test('a page with a message that was read before is the last of a poll', async () => {
    const { client, sent, time } = paged([message(2)], [], [message(3), message(2)], [message(4, 'Confirm')]);
    const found = client.sandbox.messages.waitFor({ inbox: 1, subject: 'Confirm' });
    expect(await throughItsWaits(time, found)).toMatchObject({ id: 4 });
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['', '?last_id=2', '', '']);
    expect(time.now()).toBe(4_000);
  });

  test('older pages are not read beyond `after`', async () => {
    const { client, sent, time } = paged([message(5), message(4, 'Confirm', '2026-02-01T00:00:00Z')]);
    const found = client.sandbox.messages.waitFor(
      { inbox: 1, subject: 'Confirm', after: '2026-03-01T00:00:00Z' },
      { deadlineMs: 1_000 },
    );
    await rejection(throughItsWaits(time, found), TimeoutError);
    expect(sent).toHaveLength(1);
  });

  test('the error says what came meanwhile, and what else is there', async () => {
    const { messages, arrive, time, polls } = world();
    await arrive('ann@example.org', 'Old');
    const failed = rejection(
      messages.waitFor({ inbox, to: 'cy@example.org' }, { deadlineMs: 5_000, pollMs: 1_000 }),
      TimeoutError,
    );
    await until(() => polls() === 2);
    await arrive('ben@example.org', 'Hello');
    const error = await throughItsWaits(time, failed);
    expect(error.message).toBe(
      'sandbox.messages.waitFor: no matching message arrived within 5000 ms; ' +
        'the newest in the inbox: "Hello" to ben@example.org, "Old" to ann@example.org',
    );
    expect(error).toMatchObject({ kind: 'deadline', effect: 'none' });
    const empty = messages.waitFor(
      { inbox, subject: 'x', after: '2030-01-01T00:00:00Z' },
      { deadlineMs: 10 },
    );
    const { message } = await rejection(throughItsWaits(time, empty), TimeoutError);
    expect(message).toContain('the newest in the inbox: ');
  });

  test('waits an hour by default, whatever the deadline of the client', async () => {
    const { fetch } = scriptedFetch(json(200, []));
    const { client, time } = virtualClient({ fetch, deadlineMs: 60_000 });
    const failed = client.sandbox.messages.waitFor({ inbox: 1 }, { pollMs: 60_000 });
    await rejection(throughItsWaits(time, failed), TimeoutError);
    expect(time.now()).toBeGreaterThan(3_500_000);
  });

  test('a signal ends it, between two polls and during one', async () => {
    for (const isDuring of [false, true]) {
      const { fetch, sent } = scriptedFetch(isDuring ? () => new Promise(() => undefined) : json(200, []));
      const { client, time } = virtualClient({ fetch });
      const controller = new AbortController();
      const failed = rejection(
        client.sandbox.messages.waitFor({ inbox: 1 }, { signal: controller.signal }),
        AbortedError,
      );
      await until(() => sent.length === 1 && (isDuring || time.nextAt === 2_000));
      controller.abort('enough');
      expect((await failed).cause).toBe('enough');
      expect([sent.length, time.pending]).toEqual([1, 0]);
    }
  });

  test('keeps within the rate limits, after calls of higher priority', async () => {
    const { fetch, sent } = scriptedFetch(json(200, []));
    const { client, time } = virtualClient({
      fetch,
      throttle: { limits: { token: { requests: 1, perMs: 10_000 } } },
    });
    const waiting = client.sandbox.messages.waitFor({ inbox: 1 }, { deadlineMs: 35_000, pollMs: 1 });
    waiting.catch(() => undefined);
    await until(() => sent.length === 1);
    await time.advance(1);
    const other = client.sandbox.projects.list().then(() => undefined);
    await throughItsWaits(time, rejection(waiting, TimeoutError));
    await other;
    expect(sent.slice(0, 3).map(({ url }) => new URL(url).pathname)).toEqual([
      '/api/sandboxes/1/messages',
      '/api/projects',
      '/api/sandboxes/1/messages',
    ]);
    expect(sent.length).toBeLessThanOrEqual(5);
  });

  test('each request of a poll has what is left of the deadline', async () => {
    const slow: Turn = async (request) => {
      await world.time.advance(400);
      const last = Number(new URL(request.url).searchParams.get('last_id') ?? 1_000);
      return Response.json([message(last - 1)]);
    };
    const { fetch, sent } = scriptedFetch(slow);
    const world = virtualClient({ fetch });
    const failed = world.client.sandbox.messages.waitFor(
      { inbox: 1, subject: 'Confirm' },
      { deadlineMs: 1_000 },
    );
    await rejection(failed, TimeoutError);
    expect(sent.length).toBeLessThanOrEqual(3);
    expect(world.time.now()).toBeLessThanOrEqual(1_200);
  });

  test('fields of another type fit nothing, and break nothing', async () => {
    const odd = { toString: 1 };
    const { client, time } = paged([null as never, { id: 1, subject: odd, to_email: odd, created_at: odd }]);
    const failed = client.sandbox.messages.waitFor(
      { inbox: 1, to: 'ann@example.org', after: '2026-03-01T00:00:00Z' },
      { deadlineMs: 1_000 },
    );
    const { message: text } = await rejection(throughItsWaits(time, failed), TimeoutError);
    expect(text).toContain('the newest in the inbox: "" to ');
  });

  test('does not read the filter later', async () => {
    const { client } = paged([message(1, 'Confirm')]);
    const filter = { inbox: 1, subject: 'Confirm' };
    const found = client.sandbox.messages.waitFor(filter);
    filter.subject = 'Other';
    expect(await found).toMatchObject({ subject: 'Confirm' });
  });
});
