import { describe, expect, test } from 'vitest';
import { accountLogs, found, logs, page } from '../../../tools/logs.ts';
import { start, still, wire } from '../../../tools/wire.ts';

type Some = ReturnType<typeof still>;

/** Adds `count` messages, one for each second, the last of them now. `1@…` is the oldest. */
function fill(emulator: Some, count: number): void {
  emulator.logs.addMany(
    Array.from({ length: count }, (_, index) => ({
      to: `${index + 1}@example.org`,
      sent_at: start - (count - index - 1) * 1000,
    })),
  );
}

async function walk(emulator: Some, query = ''): Promise<string[]> {
  const all: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { messages, next_page_cursor } = await page(emulator, `search_after=${cursor}&${query}`);
    all.push(...messages.map(({ to }) => to));
    cursor = next_page_cursor;
  }
  return all;
}

describe('Email logs: GET /api/email_logs', () => {
  test('newest first, 100 on a page, total_count before pagination, next_page_cursor null at the end', async () => {
    const emulator = still();
    fill(emulator, 250);
    const first = await page(emulator);
    expect(first.messages).toHaveLength(100);
    expect(first.total_count).toBe(250);
    expect(first.next_page_cursor).toBe(first.messages.at(-1)?.message_id);
    const second = await page(emulator, `search_after=${first.next_page_cursor}`);
    expect(second.total_count).toBe(250);
    const third = await page(emulator, `search_after=${second.next_page_cursor}`);
    expect([third.messages.length, third.next_page_cursor]).toEqual([50, null]);
    const all = [...first.messages, ...second.messages, ...third.messages];
    expect(all.map(({ to }) => to)).toEqual(
      Array.from({ length: 250 }, (_, index) => `${250 - index}@example.org`),
    );
  });

  test('a token without any domain sees nothing, even right after another token listed messages', async () => {
    const emulator = still();
    fill(emulator, 3);
    const call = wire(emulator);
    const query = 'filters[status][operator]=not_equal&filters[status][value]=opted_out';
    const token = emulator.createToken({ domains: [] });
    const totals = [];
    for (const options of [{}, { token }, {}])
      totals.push((await call('GET', `/api/email_logs?${query}`, options)).value);
    expect(totals).toMatchObject([{ total_count: 3 }, { total_count: 0 }, { total_count: 3 }]);
  });

  test('the same moment as sent_after and as sent_before are two filters', async () => {
    const emulator = still();
    fill(emulator, 3);
    const moment = new Date(start - 2000).toISOString();
    expect((await page(emulator, `filters[sent_after]=${moment}`)).total_count).toBe(3);
    expect((await page(emulator, `filters[sent_before]=${moment}`)).total_count).toBe(1);
  });

  test('a last page that is full has no cursor', async () => {
    const emulator = still({ logs: { pageSize: 2 } });
    fill(emulator, 2);
    expect((await page(emulator)).next_page_cursor).toBeNull();
    expect(await page(still())).toEqual({ messages: [], total_count: 0, next_page_cursor: null });
  });

  test('messages sent at the same time: the one accepted last comes first, on every page', async () => {
    const emulator = still({ logs: { pageSize: 2 } });
    for (let index = 0; index < 5; index += 1) emulator.logs.add({ to: `${index}@example.org` });
    expect(await walk(emulator)).toEqual([4, 3, 2, 1, 0].map((index) => `${index}@example.org`));
  });

  test('messages added in any order are listed newest first', async () => {
    const emulator = still();
    for (const minutes of [3, 1, 2]) {
      emulator.logs.add({ to: `${minutes}@example.org`, sent_at: new Date(start - minutes * 60_000) });
    }
    expect(await walk(emulator)).toEqual(['1@example.org', '2@example.org', '3@example.org']);
  });

  test('emails sent while the list is read do not shift its pages', async () => {
    const emulator = still({ logs: { pageSize: 10 } });
    fill(emulator, 25);
    const first = await page(emulator);
    emulator.clock.advance(1000);
    fill(emulator, 25);
    emulator.logs.add({ to: 'new@example.org' });
    const second = await page(emulator, `search_after=${first.next_page_cursor}`);
    const seen = [...first.messages, ...second.messages].map(({ message_id }) => message_id);
    expect(new Set(seen).size).toBe(20);
    expect(await found(emulator, '')).toContain('new@example.org');
  });

  test('a cursor that is not a UUID or not a message → 400 with error; the first page as an option', async () => {
    for (const cursor of ['abc', crypto.randomUUID()]) {
      const path = `${logs}?search_after=${cursor}`;
      const { status, value } = await wire(still())('GET', path);
      expect([status, value]).toEqual([400, { error: expect.stringContaining('search_after') as unknown }]);
      const lenient = still({ logs: { unknownCursor: 'first-page' } });
      lenient.logs.add();
      expect((await page(lenient, `search_after=${cursor}`)).messages).toHaveLength(1);
    }
  });

  test('a token sees the messages of its domains only', async () => {
    const emulator = still();
    const other = emulator.domains.add({ name: 'other.example.com' });
    emulator.logs.add({ to: 'first@example.org' });
    emulator.logs.add({ to: 'second@example.org', domain_id: other });
    const token = emulator.createToken({ domains: [other] });
    expect(await page(emulator, '', { token })).toMatchObject({ total_count: 1 });
    expect(await found(emulator, '', { token })).toEqual(['second@example.org']);
    expect(await found(emulator, '', { token: emulator.createToken({ domains: [] }) })).toEqual([]);
    expect(await found(emulator, '', { token: emulator.createToken({ accountId: 77 }) })).toEqual([]);
  });

  test('both forms of the path work', async () => {
    const emulator = still();
    emulator.logs.add();
    expect((await page(emulator, '', { path: accountLogs })).total_count).toBe(1);
    expect((await wire(emulator)('GET', '/api/accounts/77/email_logs')).status).toBe(404);
  });

  test('the log keeps only the newest messages', async () => {
    const emulator = still({ logs: { keep: 100 } });
    fill(emulator, 1000);
    const { total_count, messages } = await page(emulator);
    expect(total_count).toBeGreaterThanOrEqual(100);
    expect(total_count).toBeLessThanOrEqual(110);
    expect(messages[0]?.to).toBe('1000@example.org');
  });

  test('a list contains messages added since it was first read', async () => {
    const emulator = still();
    const query = 'filters[to][operator]=ci_contain&filters[to][value]=example';
    fill(emulator, 3);
    expect(await found(emulator, query)).toHaveLength(3);
    emulator.logs.add({ to: 'new@example.org', sent_at: start - 1500 });
    expect(await found(emulator, query)).toEqual([
      '3@example.org',
      '2@example.org',
      'new@example.org',
      '1@example.org',
    ]);
  });
});

describe('shownWithinMs: the log has a message only some time after it was accepted', () => {
  const MINUTE = 60_000;
  const late = () => {
    const emulator = still({ logs: { shownWithinMs: 5 * MINUTE } });
    fill(emulator, 1);
    emulator.logs.addMany(Array.from({ length: 200 }, (_, index) => ({ to: `${index}@example.net` })));
    return emulator;
  };
  const total = async (emulator: Some, query = '') => (await page(emulator, query)).total_count;

  test('each message after a time of its own, at most the one given, spread over all of it', async () => {
    const emulator = late();
    const totals = [await total(emulator)];
    for (let minute = 1; minute <= 5; minute += 1) {
      emulator.clock.advance(MINUTE);
      totals.push(await total(emulator));
    }
    expect(totals[0]).toBeLessThan(10);
    expect(totals.at(-1)).toBe(201);
    const shownInEachMinute = totals.slice(1).map((count, index) => count - (totals[index] ?? 0));
    expect(Math.min(...shownInEachMinute)).toBeGreaterThan(20);
  });

  test('with filters too, also when the same list was read before', async () => {
    const emulator = late();
    const query = 'filters[to][operator]=ci_contain&filters[to][value]=example.net';
    const before = await total(emulator, query);
    emulator.clock.advance(5 * MINUTE);
    expect([before < 10, await total(emulator, query)]).toEqual([true, 200]);
  });

  test('until then its id is not found, and no page starts after it', async () => {
    const emulator = still({ logs: { shownWithinMs: MINUTE } });
    const id = 'ffffffff-0000-4000-8000-000000000000';
    emulator.logs.add({ message_id: id });
    const statuses = async () => [
      (await wire(emulator)('GET', `${logs}/${id}`)).status,
      (await wire(emulator)('GET', `${logs}?search_after=${id}`)).status,
    ];
    emulator.clock.advance(MINUTE - 1);
    expect(await statuses()).toEqual([404, 400]);
    emulator.clock.advance(1);
    expect(await statuses()).toEqual([200, 200]);
  });

  test('Infinity: never', async () => {
    const emulator = still({ logs: { shownWithinMs: Infinity } });
    emulator.logs.add({ message_id: '00000000-0000-4000-8000-000000000000' });
    emulator.clock.advance(1e12);
    expect(await total(emulator)).toBe(0);
  });

  test('the same emails, in the same order of requests, are shown at the same times', async () => {
    const shown = await Promise.all(
      [late(), late()].map((emulator) => {
        emulator.clock.advance(2 * MINUTE);
        return walk(emulator);
      }),
    );
    expect(shown[0]).toEqual(shown[1]);
  });

  test('the log shows restored messages at their original times', async () => {
    const emulator = late();
    const snapshot = emulator.snapshot();
    emulator.clock.advance(2 * MINUTE);
    const expected = await walk(emulator);
    emulator.restore(snapshot);
    emulator.clock.advance(2 * MINUTE);
    expect(await walk(emulator)).toEqual(expected);
  });
});

describe('Limits: email logs, per account', () => {
  test.each([
    ['list', 60, logs],
    ['by id', 1000, `${logs}/x`],
  ])('%s: %i in 60 seconds, whichever token and form → 429 with error', async (_, requests, path) => {
    const emulator = still({ limits: { token: false } });
    const call = wire(emulator);
    const token = emulator.createToken();
    const accountPath = path.replace('/api', '/api/accounts/1001');
    for (let index = 0; index < requests / 2; index += 1) {
      await call('GET', path);
      await call('GET', accountPath, { token });
    }
    const refused = await call('GET', path);
    expect([refused.status, refused.text]).toEqual([429, '{"error":"Rate limit exceeded"}']);
    expect(refused.headers.get('x-ratelimit-reset')).toBe(new Date(start + 60_000).toISOString());
    expect((await call('GET', '/api/email_campaigns')).status).toBe(200);
    emulator.clock.advance(60_000);
    expect((await call('GET', path)).status).not.toBe(429);
  });
});
