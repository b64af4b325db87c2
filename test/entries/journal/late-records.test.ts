/** Outcomes that the store has not confirmed: what the call says meanwhile, and when they are recorded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EmailPlatform, JournalError, type SendOptions } from 'email-platform';
import { createJournal, type JournalClaim } from 'email-platform/journal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRuntime } from '../../../src/core/runtime.ts';
import { runs } from '../../support/extent.ts';
import { json, lost, scriptedFetch, silence, type Turn } from '../../support/scripted-fetch.ts';
import { MemoryStore } from './memory-store.ts';

const HOUR_MS = 3_600_000;
const mail = { from: 'me@example.com', to: 'ann@example.org', subject: 'Hello', text: 'Hi.' } as const;
const accepted = json(200, { success: true, message_ids: ['id'] });
const refused = json(400, { errors: ['no'] });

class Unreachable extends Error {}

/** A store that can commit a change and lose the response, and that can be away. */
class FailingStore extends MemoryStore {
  isAway = false;
  /** After how many further changes the store goes away: it commits the last one, and the response is lost. */
  changesLeft = Infinity;

  override async claim(claims: readonly JournalClaim[]) {
    this.#reach();
    const entries = await super.claim(claims);
    this.#answer();
    return entries;
  }

  override async record(...args: Parameters<MemoryStore['record']>) {
    this.#reach();
    await super.record(...args);
    this.#answer();
  }

  #reach() {
    if (this.isAway) throw new Unreachable('the database is away');
  }

  #answer() {
    this.changesLeft -= 1;
    if (this.changesLeft > 0) return;
    this.changesLeft = Infinity;
    this.isAway = true;
    this.#reach();
  }
}

function setUp<Store extends MemoryStore>(store: Store, turns: [Turn, ...Turn[]], timeoutMs = 60_000) {
  const { fetch, sent } = scriptedFetch(...turns);
  let now = 0;
  /** The timers that wait, each with its time. */
  const timers = new Map<() => void, number>();
  const setTimer = (ms: number, callback: () => void) => {
    timers.set(callback, now + ms);
    return () => void timers.delete(callback);
  };
  const advance = (ms: number) => {
    now += ms;
    for (const [callback, time] of timers) {
      if (time > now) continue;
      timers.delete(callback);
      callback();
    }
  };
  const options = {
    token: 'token',
    hosts: { send: 'https://send.test', bulk: 'https://bulk.test', api: 'https://api.test' },
    fetch,
    timeoutMs,
    logger: false,
    retry: false,
    journal: createJournal(store),
  } as const;
  const client = new EmailPlatform(options, createRuntime({ setTimer, now: () => now }));
  const send = (idempotencyKey: string, more: SendOptions = {}) =>
    client.sending.send(mail, { idempotencyKey, ...more });
  return { client, store, sent, send, timers, advance };
}

describe('A claim whose response was lost', () => {
  test('is released before the next claim of its key: the email is sent', async () => {
    const { store, send, sent } = setUp(new FailingStore(), [accepted]);
    store.changesLeft = 1;
    await expect(send('a')).rejects.toMatchObject({ code: 'journal_failed', effect: 'none' });
    expect([store.state('a'), sent.length]).toEqual(['claimed', 0]);
    await expect(send('a')).rejects.toBeInstanceOf(JournalError);
    store.isAway = false;
    expect(await send('a')).toEqual({ success: true, message_ids: ['id'] });
    expect([store.state('a'), sent.length]).toEqual(['accepted', 1]);
  });

  test('is released when the database responds to another call', async () => {
    const { client, store, send } = setUp(new FailingStore(), [accepted]);
    store.changesLeft = 1;
    const keys = Array.from({ length: 700 }, (_, index) => `key ${index}`);
    const mails = keys.map((key) => ({ to: `${key.replace(' ', '-')}@example.org` }));
    const base = { from: mail.from, subject: 'News', text: 'News.' };
    const idempotencyKey = (_: unknown, index: number) => keys[index] ?? '';
    const { not_sent } = await client.sending.batchAll(mails, { base, idempotencyKey });
    expect(not_sent).toBe(700);
    const claimed = keys.filter((key) => store.state(key) === 'claimed');
    expect(claimed.length).toBeGreaterThan(0);
    store.isAway = false;
    await send('another');
    while (claimed.some((key) => store.state(key) !== 'released')) await sleep(1);
  });

  test('is released at once if only its response is lost', async () => {
    class LosingStore extends MemoryStore {
      override async claim(claims: readonly JournalClaim[]): Promise<never> {
        await super.claim(claims);
        throw new Unreachable();
      }
    }
    const { store, send } = setUp(new LosingStore(), [accepted]);
    await expect(send('a')).rejects.toBeInstanceOf(JournalError);
    while (store.state('a') !== 'released') await sleep(1);
  });

  test('is not released if the store has it from another attempt', async () => {
    const { store, send } = setUp(new FailingStore(), [accepted]);
    store.isAway = true;
    await expect(send('a')).rejects.toBeInstanceOf(JournalError);
    store.isAway = false;
    const other = { namespace: 'default', key: 'a', hash: '1:hash', stream: 'transactional' } as const;
    await store.claim([{ ...other, attempt: 'other', leaseMs: HOUR_MS }]);
    await expect(send('a')).rejects.toMatchObject({ code: 'key_reused' });
    expect(store.state('a')).toBe('claimed');
  });
});

describe('An outcome that could not be recorded', () => {
  test.each<[string, Turn, string]>([
    ['accepted', accepted, 'accepted'],
    ['a refusal', refused, 'released'],
    ['no response', lost, 'unknown'],
  ])('%s is recorded when the database responds again', async (_, turn, state) => {
    const { store, send, sent } = setUp(new FailingStore(), [turn, accepted]);
    store.before = (method) => void (method === 'claim' && (store.isAway = true));
    await send('a').catch(() => undefined);
    expect([store.state('a'), sent.length]).toEqual(['claimed', 1]);
    store.before = () => undefined;
    store.isAway = false;
    await send('b');
    while (store.state('a') !== state) await sleep(1);
  });

  test('does not let another attempt take the key over', async () => {
    const clock = { now: Date.now() };
    class OnlyClaims extends MemoryStore {
      override record(): Promise<void> {
        return Promise.reject(new Unreachable());
      }
    }
    const store = new OnlyClaims(() => clock.now);
    const empty = json(200, { messages: [], total_count: 0, next_page_cursor: null });
    const { fetch, sent } = scriptedFetch(accepted, empty, accepted);
    const journal = createJournal(store, { onUnknown: 'resend' });
    const hosts = { api: 'https://api.test', send: 'https://send.test' };
    const client = new EmailPlatform({ token: 'token', hosts, fetch, logger: false, journal });
    const send = () => client.sending.send(mail, { idempotencyKey: 'a' });
    await send();
    clock.now += HOUR_MS;
    await expect(send()).rejects.toMatchObject({ code: 'unknown' });
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('A record that hangs', () => {
  const hanging = () => {
    const store = new MemoryStore();
    let proceed!: () => void;
    const isDone = new Promise<void>((resolve) => (proceed = resolve));
    store.before = (method) => (method === 'record' ? isDone : undefined);
    return { store, proceed };
  };

  const MS = 40_000;
  test.each<[string, Turn, SendOptions, object, string]>([
    ['the deadline of an accepted email', accepted, { deadlineMs: MS }, { success: true }, 'accepted'],
    ['the timeout of an accepted email', accepted, { timeoutMs: MS }, { success: true }, 'accepted'],
    ['the deadline', silence, { deadlineMs: MS }, { code: 'timeout', effect: 'unknown' }, 'unknown'],
    ['the timeout', silence, { timeoutMs: MS }, { code: 'timeout', effect: 'unknown' }, 'unknown'],
  ])('does not hold up %s, and keeps the key in flight', async (_, turn, options, end, recorded) => {
    const { store, proceed } = hanging();
    const { send, sent, timers, advance } = setUp(store, [turn, accepted]);
    const ended = { isOver: false };
    const call = send('a', options)
      .catch((error: unknown) => error)
      .finally(() => (ended.isOver = true));
    while (turn === silence ? sent.length === 0 : store.calls.length < 2) await sleep(1);
    await sleep(1);
    advance(MS);
    while (!ended.isOver) {
      await sleep(1);
      advance(0);
    }
    expect(await call).toMatchObject(end);
    await expect(send('a')).rejects.toMatchObject({ code: 'in_progress', retryAfterMs: 1_000 });
    expect(store.state('a')).toBe('claimed');
    proceed();
    while (store.state('a') !== recorded) await sleep(1);
    while (timers.size > 0) await sleep(1);
  });

  test('does not hold up an abort, and keeps the process alive as long as an attempt may take', async () => {
    const { store, proceed } = hanging();
    const { send, sent, timers, advance } = setUp(store, [silence]);
    const controller = new AbortController();
    const call = send('a', { signal: controller.signal }).catch((error: unknown) => error);
    while (sent.length === 0) await sleep(1);
    controller.abort();
    expect(await call).toMatchObject({ code: 'aborted', effect: 'unknown' });
    expect([...timers.values()]).toEqual([60_000]);
    advance(60_000);
    expect(timers.size).toBe(0);
    proceed();
    while (store.state('a') !== 'unknown') await sleep(1);
  });
});

test('with any responses of the store lost, a key is sent once, and in the end is sent', async () => {
  // In each step, a send of one of two keys; its store goes away after some changes, and is back before the next step.
  const steps = fc.array(
    fc.record({ key: fc.constantFrom('a', 'b'), changes: fc.constantFrom(1, 2, 3, Infinity) }),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { store, send, sent } = setUp(new FailingStore(), [accepted]);
      const keysSent = () => sent.map(({ body }) => /"idempotency_key":"(\w)"/.exec(body)?.[1]);
      for (const { key, changes } of steps) {
        store.changesLeft = changes;
        await send(key).catch(() => undefined);
        store.isAway = false;
      }
      store.changesLeft = Infinity;
      for (const key of ['a', 'b']) expect(await send(key)).toMatchObject({ success: true });
      expect(keysSent().sort()).toEqual(['a', 'b']);
    }),
    { numRuns: runs(200) },
  );
});
