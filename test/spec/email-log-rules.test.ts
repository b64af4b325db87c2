import {
  AuthenticationError,
  BadRequestError,
  EmailPlatform,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
} from 'email-platform';
import { type Emulator, createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';

const account = createEmulator().clientOptions().accountId;
const UUID = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';

function service(options: Emulator.Options = {}) {
  const emulator = createEmulator(options);
  return { emulator, client: new EmailPlatform(emulator.clientOptions()) };
}

describe('Email logs: the query of GET /api/email_logs', () => {
  const hour = 3_600_000;

  /** Three messages: of two domains, to two people, an hour apart; the newest last. */
  function logged() {
    const made = service();
    const { logs, domains, clock } = made.emulator;
    const other = domains.add({ name: 'second.example.com' });
    const now = clock.now();
    const ids = logs.addMany([
      { to: 'ann@example.org', sent_at: now - 2 * hour },
      { to: 'bob@example.org', sent_at: now - hour, domain_id: other },
      { to: 'ann@example.org', sent_at: now },
    ]);
    return { ...made, other, now, ids };
  }

  test.each<
    [string, (made: ReturnType<typeof logged>) => EmailPlatform.EmailLogListParams, readonly number[]]
  >([
    ['none: ordered by sent_at descending', () => ({}), [2, 1, 0]],
    [
      'filters[sent_after] (ISO 8601 date-time)',
      ({ now }) => ({ filters: { sent_after: new Date(now - hour) } }),
      [2, 1],
    ],
    [
      'filters[sent_before] (ISO 8601 date-time)',
      ({ now }) => ({ filters: { sent_before: new Date(now - hour).toISOString() } }),
      [1, 0],
    ],
    [
      'filters[to][operator] with filters[to][value]; ci_equal (case-insensitive equality)',
      () => ({ filters: { to: { operator: 'ci_equal', value: 'ANN@example.org' } } }),
      [2, 0],
    ],
    [
      'filters[domain_id][operator] with repeatable filters[domain_id][value][]; equal',
      ({ other }) => ({ filters: { domain_id: { operator: 'equal', value: [other, 999] } } }),
      [1],
    ],
    [
      'search_after (message UUID taken from the previous next_page_cursor)',
      ({ ids }) => ({ search_after: ids[2] }),
      [1, 0],
    ],
  ])('%s', async (_row, params, expected) => {
    const made = logged();
    for (const options of [{}, { accountId: account }]) {
      const found = await made.client.emailLogs.list(params(made), options).toArray();
      expect(found.map(({ message_id }) => made.ids.indexOf(message_id))).toEqual(expected);
    }
  });

  test('200 with messages, total_count (matches before pagination), next_page_cursor (null when no more pages)', async () => {
    const { client, emulator } = service({ logs: { pageSize: 2 } });
    const ids = emulator.logs.addMany([{}, {}, {}]);
    const first = await client.emailLogs.list();
    expect(first).toMatchObject({ total_count: 3, next_page_cursor: ids[1] });
    expect(first.messages).toHaveLength(2);
    expect(await first.nextPage()).toMatchObject({ total_count: 3, next_page_cursor: null });
  });

  test('2. Results are limited to domains the token can access', async () => {
    const { client, emulator, other, ids } = logged();
    const limited = client.withOptions({ token: emulator.createToken({ domains: [other] }) });
    expect((await limited.emailLogs.list()).items.map(({ message_id }) => message_id)).toEqual([ids[1]]);
    await rejection(limited.emailLogs.get(ids[0] ?? ''), NotFoundError);
  });

  test('3. Invalid or unknown filters are ignored by the service, so the client refuses them', async () => {
    const { client } = logged();
    const query = { filters: { too: { operator: 'ci_equal', value: 'ann@example.org' } } };
    const raw = await client.request<{ messages: unknown[] }>({
      method: 'GET',
      path: '/api/email_logs',
      query,
    });
    expect(raw.messages).toHaveLength(3);
    await rejection(client.emailLogs.list(query as never), InvalidRequestError);
  });

  test('6. Statuses: 200, 400 (invalid parameters), 401, 404, 429', async () => {
    const { client, emulator } = service({
      window: 'fixed',
      limits: { emailLogsList: { requests: 2, perMs: 60_000 } },
    });
    const { emailLogs } = client.withOptions({ retry: false, throttle: false });
    await emailLogs.list();
    await rejection(emailLogs.list({ search_after: UUID }), BadRequestError);
    await rejection(emailLogs.list(), RateLimitError);
    await rejection(client.withOptions({ token: 'invalid' }).emailLogs.list(), AuthenticationError);
    await rejection(emailLogs.get(UUID), NotFoundError);
    expect(emulator.requests.map(({ status }) => status)).toEqual([200, 400, 429, 401, 404]);
  });
});
