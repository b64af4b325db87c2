import {
  BadRequestError,
  InvalidRequestError,
  LifecycleError,
  RateLimitError,
  ValidationError,
  type EmailPlatform,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { virtualClient } from '../support/virtual-client.ts';

/** A service and a client whose clocks stand still, so that no window ends during the test. */
function service({ isTokenLimited = false } = {}) {
  const start = Date.now();
  const emulator = createEmulator({
    seed: 'demo',
    now: () => start,
    ...(!isTokenLimited && { limits: { token: false } }),
  });
  const throttle = { limits: isTokenLimited ? {} : { token: false as const } };
  const { client } = virtualClient({ ...emulator.clientOptions(), throttle });
  return { emulator, client, unpaced: client.withOptions({ throttle: false, retry: false }) };
}

/** A call that counts against a pool; `messageId` is that of a message in the log. */
type Call = (client: EmailPlatform, messageId: string) => PromiseLike<unknown>;

const day = { start_date: '2026-01-01', end_date: '2026-01-02' };

describe('Limits', () => {
  test.each<[string, EmailPlatform.PoolName, number, number, Call]>([
    [
      'General rate limit | 150 requests per 10 seconds | Per API token, all endpoints',
      'token',
      150,
      10_000,
      (client) => client.templates.list(),
    ],
    [
      'Contacts API | 200 requests per 60 seconds | Per account, all contacts endpoints',
      'contacts',
      200,
      60_000,
      (client) => client.request({ method: 'GET', path: '/api/contacts/lists' }),
    ],
    [
      'Stats API | 10 requests per 60 seconds | Per account, shared pool',
      'stats',
      10,
      60_000,
      (client) => client.request({ method: 'GET', path: '/api/stats', query: day }),
    ],
    [
      'Suppressions API | 10 requests per 60 seconds | Per account, shared pool',
      'suppressions',
      10,
      60_000,
      (client) => client.request({ method: 'GET', path: '/api/suppressions' }),
    ],
    [
      'Email logs list | 60 requests per 60 seconds | Per account',
      'emailLogsList',
      60,
      60_000,
      (client) => client.emailLogs.list(),
    ],
    [
      'Email log message by id | 1000 requests per 60 seconds | Per account',
      'emailLogsGet',
      1000,
      60_000,
      (client, messageId) => client.emailLogs.get(messageId),
    ],
  ])('%s', async (_row, pool, requests, perMs, call) => {
    const { client, unpaced, emulator } = service({ isTokenLimited: pool === 'token' });
    const messageId = emulator.logs.add();
    expect(client.limits.snapshot()[pool]).toMatchObject({ requests, perMs, used: 0 });
    // As many as the limit are sent at once, and none is refused.
    for (let count = 0; count < requests; count += 1) await call(client, messageId);
    expect(emulator.requests).toHaveLength(requests);
    // One more would have to wait, and is refused if it does not.
    expect(client.limits.snapshot()[pool]?.used).toBe(requests);
    expect(client.limits.estimate(1, pool)).toBe(perMs);
    const error = await rejection(call(unpaced, messageId), RateLimitError);
    expect(error.pool).toBe(pool);
  });

  test('Campaign list per_page | 1 to 100, default 50 | GET /api/email_campaigns', async () => {
    const { client } = service();
    expect((await client.campaigns.list()).items).toHaveLength(50);
    expect((await client.campaigns.list({ per_page: 1 })).items).toHaveLength(1);
    expect((await client.campaigns.list({ per_page: 100 })).items).toHaveLength(100);
    for (const per_page of [0, 101, 1.5]) {
      await rejection(client.campaigns.list({ per_page }), InvalidRequestError);
    }
  });

  test('Campaign list token | minimum 1, default 1 | GET /api/email_campaigns', async () => {
    const { client } = service();
    expect((await client.campaigns.list()).pagination.token).toBe(1);
    expect(await client.campaigns.list({ token: 1 })).toMatchObject({ pagination: { token: 1 } });
    for (const token of [0, -1, 1.5]) await rejection(client.campaigns.list({ token }), InvalidRequestError);
  });

  test.each([
    ['Template subject | 255 characters | template_attributes.subject', 'subject', 255],
    ['Template body_html | 10000000 characters | template_attributes', 'body_html', 10_000_000],
    ['Template body_text | 10000000 characters | template_attributes', 'body_text', 10_000_000],
  ])('%s', async (_row, field, max) => {
    const { client, emulator } = service();
    const id = emulator.campaigns.add();
    const update = (value: string) =>
      client.campaigns.update(id, { template_attributes: { [field]: value } });
    // Characters, not JavaScript's UTF-16 code units.
    const longest = '🎉' + 'x'.repeat(max - 1);
    expect((await update(longest)).template).toMatchObject({ [field]: longest });
    const { issues } = await rejection(update(`${longest}x`), InvalidRequestError);
    expect(issues.map(({ path }) => path)).toEqual([`template_attributes.${field}`]);
    // The service refuses it too.
    const body = { template_attributes: { [field]: `${longest}x` } };
    const request = { method: 'PATCH', path: `/api/email_campaigns/${id}`, body } as const;
    const { fieldErrors } = await rejection(client.request(request), ValidationError);
    expect(Object.keys(fieldErrors)).toEqual([`template.${field}`]);
  });

  test('Schedule datetime | in the future, at most 1 month ahead | schedule', async () => {
    const { client, emulator } = service();
    const schedule = (ahead: number) => {
      const datetime = new Date(emulator.clock.now() + ahead);
      return client.campaigns.schedule(emulator.campaigns.add(), { datetime });
    };
    const dayMs = 86_400_000;
    for (const ahead of [1, 28 * dayMs]) expect((await schedule(ahead)).current_state).toBe('scheduled');
    for (const ahead of [0, -1, 31 * dayMs + 1]) await rejection(schedule(ahead), LifecycleError);
  });

  test('Batch size | 500 emails per call | batch send', async () => {
    const { client, emulator } = service();
    const [domain] = emulator.domains.list();
    const mail = {
      from: { email: `hello@${domain?.name ?? ''}` },
      to: [{ email: 'ann@example.org' }],
      subject: 'Hi',
      text: 'Hello',
    };
    const mails = (count: number) => ({ requests: Array.from({ length: count }, () => mail) });
    expect((await client.sending.batch(mails(500))).responses).toHaveLength(500);
    await rejection(client.sending.batch(mails(501)), InvalidRequestError);
    // The service refuses it too.
    const request = { method: 'POST', host: 'send', path: '/api/batch', body: mails(501) } as const;
    await rejection(client.request(request), BadRequestError);
  });
});
