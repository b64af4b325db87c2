/** What the email log must show, so that the absence of an email proves that it was not sent. */
import { EmailPlatform, type SendParams } from 'email-platform';
import { createJournal } from 'email-platform/journal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../support/extent.ts';
import { json, lost, scriptedFetch } from '../../support/scripted-fetch.ts';
import { MemoryStore } from './memory-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const accepted = json(200, { success: true, message_ids: ['id'] });

interface Lost {
  readonly key?: string;
  readonly to?: string;
  /** Milliseconds between the two sends. */
  readonly waitMs?: number;
  /** Whether the key was used before, and forgotten. */
  readonly wasForgotten?: boolean;
}

/** Sends an email whose response is lost, and sends it again with `'resend'` when this page of the log is trusted. */
async function sentAgain(
  page: unknown,
  { key = 'order/7', to = 'ann@example.org', waitMs = HOUR_MS, wasForgotten = false }: Lost,
) {
  const clock = { now: Date.now() };
  const store = new MemoryStore(() => clock.now);
  const turns = [lost, json(200, page), accepted] as const;
  const { fetch, sent } = wasForgotten ? scriptedFetch(accepted, ...turns) : scriptedFetch(...turns);
  const client = new EmailPlatform({
    token: 'token',
    hosts: { api: 'https://api.test', send: 'https://send.test', bulk: 'https://bulk.test' },
    fetch,
    journal: createJournal(store, { onUnknown: 'resend' }),
  });
  const mail: SendParams = { from: 'me@example.com', to, subject: 'Hello', text: 'Hi.' };
  const send = () => client.sending.send(mail, { idempotencyKey: key });
  if (wasForgotten) {
    await send();
    await store.forget('default', Infinity);
  }
  const before = sent.length;
  await send().catch(() => undefined);
  clock.now += waitMs;
  const error: unknown = await send().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const since = sent.slice(before);
  return {
    error,
    posts: since.filter(({ method }) => method === 'POST').length,
    state: store.state(key),
    sent: since,
  };
}

const message = (fields: object = {}) => ({
  message_id: 'id',
  to: 'ann@example.org',
  sending_stream: 'transactional',
  sent_at: new Date().toISOString(),
  custom_variables: { idempotency_key: 'order/7' },
  ...fields,
});
const pageOf = (...messages: unknown[]) => ({
  messages,
  total_count: messages.length,
  next_page_cursor: null,
});
const showing = (key: unknown) => pageOf(message({ custom_variables: { idempotency_key: key } }));
const empty = pageOf();

const unreadable = 'a message whose custom variables cannot be read, and which may be this email';
const otherForm = 'a key that differs from this one only in its form';
const otherStream = 'the key in an email of another stream, or of none';

describe('An email is not sent again because the log', () => {
  test.each<[string, unknown, string, Lost?]>([
    ['shows null for custom variables', pageOf(message({ custom_variables: null })), unreadable],
    ['shows no custom variables', pageOf(message({ custom_variables: undefined })), unreadable],
    ['shows a list for custom variables', pageOf(message({ custom_variables: [] })), unreadable],
    ['shows null for the key', showing(null), unreadable],
    ['shows an object for the key', showing({ value: 'order/7' }), unreadable],
    ['shows a message of which nothing can be read', pageOf({}), unreadable],
    ['shows null for a message', pageOf(null), unreadable],
    ['shows a message without an id', pageOf(message({ message_id: undefined })), unreadable],
    ['shows the key without a stream', pageOf(message({ sending_stream: undefined })), otherStream],
    ['shows the key with null for the stream', pageOf(message({ sending_stream: null })), otherStream],
    ['shows the key on another stream', pageOf(message({ sending_stream: 'bulk' })), otherStream],
    [
      'shows the key with another recipient',
      pageOf(message({ to: 'bob@example.org' })),
      'the key in an email to another recipient',
    ],
    ['trims the key', showing('order/7'), otherForm, { key: ' order/7 ' }],
    ['shows the key in NFC', showing('\u00e9/7'), otherForm, { key: 'e\u0301/7' }],
    ['shows the key in another case', showing('ORDER/7'), otherForm],
    ['reports errors', { ...empty, errors: ['Throttled'] }, 'reports an error in a page'],
    ['reports an error', { ...empty, error: 'Throttled' }, 'reports an error in a page'],
    ['reports no success', { ...empty, success: false }, 'reports an error in a page'],
    ['has no count', { messages: [], next_page_cursor: null }, 'has a page without total_count'],
    ['has null for the count', { ...empty, total_count: null }, 'has a page without total_count'],
    [
      'may have forgotten it',
      empty,
      'may no longer show an email that is 3 days old',
      { waitMs: 3 * DAY_MS },
    ],
    [
      'shows the email of a forgotten use of the key',
      pageOf(message()),
      'shows an email of this key, which was forgotten since',
      { wasForgotten: true },
    ],
  ])('%s', async (_, page, reason, how = {}) => {
    const { error, posts, state } = await sentAgain(page, how);
    expect(error).toMatchObject({ code: 'unknown', isRetryable: false, cause: { code: 'response_format' } });
    expect(String((error as Error).cause)).toContain(reason);
    expect([posts, state]).toEqual([1, 'unknown']);
  });

  test.each<[string, string, string]>([
    ['encoded', 'ann@b\u00fccher.example', 'ann@xn--bcher-kva.example'],
    ['in letters', 'ann@xn--bcher-kva.example', 'Ann@B\u00fccher.example'],
  ])('shows it with the domain %s', async (_, to, shown) => {
    const { error, posts, state, sent } = await sentAgain(pageOf(message({ to: shown })), { to });
    expect([error, posts, state]).toEqual([undefined, 1, 'accepted']);
    const values = new URL(sent[1]?.url ?? '').searchParams.getAll('filters[to][value][]');
    expect(values).toEqual(expect.arrayContaining([to, shown.toLowerCase()]));
  });
});

describe('An email is sent again when the log', () => {
  test.each<[string, unknown, Lost?]>([
    ['is empty', empty],
    ['has empty errors', { ...empty, success: true, errors: [] }],
    ['shows another key', showing('order/8')],
    ['shows an email without the variable', pageOf(message({ custom_variables: {} }))],
    [
      'cannot show the variables of an email to another recipient',
      pageOf(message({ to: 'bob@example.org', custom_variables: null })),
    ],
    [
      'shows an email that is days older than the claim',
      pageOf(message({ sent_at: new Date(Date.now() - 2 * DAY_MS).toISOString() })),
    ],
    ['goes back to its claim', empty, { waitMs: 3 * DAY_MS - 1 }],
  ])('%s', async (_, page, how = {}) => {
    const claimedBy = Date.now() - (how.waitMs ?? HOUR_MS);
    const { error, posts, state, sent } = await sentAgain(page, how);
    expect([error, posts, state]).toEqual([undefined, 2, 'accepted']);
    const readSince = new URL(sent[1]?.url ?? '').searchParams.get('filters[sent_after]') ?? '';
    expect(Date.parse(readSince)).toBeLessThan(claimedBy);
  });
});

test('an email that the log shows is never sent again, whatever the log gets wrong about it', async () => {
  const wrong = fc.constantFrom(undefined, null, '', 0, true, [], {}, 'other');
  const fields = fc.record(
    {
      custom_variables: fc.oneof(
        fc.constantFrom(null, undefined, [], 'text'),
        fc.record({ idempotency_key: fc.constantFrom(' Order/7', 'order/7 ', null, true, ['order/7'], {}) }),
        fc.constant({ idempotency_key: 'order/7' }),
      ),
      sending_stream: wrong,
      sent_at: wrong,
      message_id: wrong,
    },
    { requiredKeys: [] },
  );
  const others = fc.array(
    fc.constantFrom(message({ custom_variables: {} }), showing('order/8').messages[0]),
    {
      maxLength: 3,
    },
  );
  await fc.assert(
    fc.asyncProperty(fields, others, async (fields, others) => {
      const { posts } = await sentAgain(pageOf(...others, message(fields)), {});
      expect(posts).toBe(1);
    }),
    { numRuns: runs(200) },
  );
});
