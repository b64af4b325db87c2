/** The limits that the guide states: what happens there. */
import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { createJournal, type JournalClaim, type JournalOptions } from 'email-platform/journal';
import { expect, test } from 'vitest';
import { json, lost, scriptedFetch, type Turn } from '../../support/scripted-fetch.ts';
import { MemoryStore } from './memory-store.ts';

const HOUR_MS = 3_600_000;
const mail = { from: 'me@example.com', to: 'ann@example.org', subject: 'Hello', text: 'Hi.' } as const;
const key = { idempotencyKey: 'order/7' };
const accepted = json(200, { success: true, message_ids: ['id'] });

const log = (customVariables: object): Turn =>
  json(200, {
    messages: [
      {
        message_id: 'id of another email',
        to: mail.to,
        sending_stream: 'transactional',
        custom_variables: customVariables,
      },
    ],
    total_count: 1,
    next_page_cursor: null,
  });

function setUp(turns: [Turn, ...Turn[]]) {
  const clock = { now: Date.now() };
  const store = new MemoryStore(() => clock.now);
  const { fetch, sent } = scriptedFetch(...turns);
  const hosts = { api: 'https://api.test', send: 'https://send.test' };
  const clientWith = (options: JournalOptions = {}, more: EmailPlatformOptions = {}) =>
    new EmailPlatform({
      token: 'token',
      hosts,
      fetch,
      logger: false,
      journal: createJournal(store, options),
      ...more,
    });
  return { store, clock, clientWith, posts: () => sent.filter(({ method }) => method === 'POST').length };
}

test('with another `variable`, the email of before is not found, and is sent twice', async () => {
  const { clock, clientWith, posts } = setUp([lost, log({ idempotency_key: 'order/7' }), accepted]);
  await clientWith()
    .sending.send(mail, key)
    .catch(() => undefined);
  clock.now += HOUR_MS;
  await clientWith({ variable: 'order', onUnknown: 'resend' }).sending.send(mail, key);
  expect(posts()).toBe(2);
});

test('an email of another sender with the key is taken for its email', async () => {
  const { clientWith, posts } = setUp([lost, log({ idempotency_key: 'order/7' })]);
  const { sending } = clientWith();
  await sending.send(mail, key).catch(() => undefined);
  expect(await sending.send(mail, key)).toMatchObject({
    replayed: true,
    message_ids: ['id of another email'],
  });
  expect(posts()).toBe(1);
});

test('a client of another account has the same keys, unless its journal has another namespace', async () => {
  const { store, clientWith, posts } = setUp([accepted]);
  const client = clientWith();
  await client.sending.send(mail, key);
  const other = client.withOptions({ token: 'token-of-another-account' });
  expect(await other.sending.send(mail, key)).toMatchObject({ replayed: true });
  const apart = other.withOptions({ journal: createJournal(store, { namespace: 'other' }) });
  expect(await apart.sending.send(mail, key)).not.toHaveProperty('replayed');
  expect(posts()).toBe(2);
});

test('a claim whose response was lost stays, if its process ends before the database responds', async () => {
  const clock = { now: Date.now() };
  class LosingStore extends MemoryStore {
    isAway = false;

    override async claim(claims: readonly JournalClaim[]) {
      const entries = await super.claim(claims);
      this.before = () => {
        if (this.isAway) throw new Error('away');
      };
      if (entries[0] !== undefined) return entries;
      this.isAway = true;
      throw new Error('the response is lost');
    }
  }
  const store = new LosingStore(() => clock.now);
  const empty = json(200, { messages: [], total_count: 0, next_page_cursor: null });
  const { fetch, sent } = scriptedFetch(empty);
  // Each process has a journal of its own.
  const processOf = () =>
    new EmailPlatform({
      token: 'token',
      hosts: { api: 'https://api.test', send: 'https://send.test' },
      fetch,
      logger: false,
      journal: createJournal(store),
    });
  await expect(processOf().sending.send(mail, key)).rejects.toMatchObject({ code: 'journal_failed' });
  store.isAway = false;
  clock.now += HOUR_MS;
  await expect(processOf().sending.send(mail, key)).rejects.toMatchObject({ code: 'unknown' });
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
});
