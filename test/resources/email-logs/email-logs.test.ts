import {
  type EmailPlatform,
  ApiError,
  BadRequestError,
  InvalidRequestError,
  NotFoundError,
  ResponseFormatError,
} from 'email-platform';
import { EMAIL_LOG_EVENT_TYPES, isKnownEmailLogEvent } from 'email-platform';
import { describe, expect, test, vi } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { inMemoryAndOnAPort } from '../../support/in-memory-and-on-a-port.ts';
import { empty, json, scriptedFetch, text, type Turn } from '../../support/scripted-fetch.ts';
import { virtualClient } from '../../support/virtual-client.ts';

const UUID = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';

describe.each(inMemoryAndOnAPort)('Email logs: endpoints, %s', (_, connect) => {
  test('GET /api/email_logs: 200 with messages, total_count and next_page_cursor, newest first', async () => {
    const { emulator, client } = await connect({ logs: { pageSize: 2 } });
    const [, second, third] = emulator.logs.addMany([1, 2, 3].map((n) => ({ subject: `Mail ${n}` })));
    const page = await client.emailLogs.list();
    expect(page.messages).toBe(page.items);
    expect(page.items.map(({ message_id }) => message_id)).toEqual([third, second]);
    expect(page).toMatchObject({ total_count: 3, next_page_cursor: second, hasNextPage: true });
    const last = await page.nextPage();
    expect(last).toMatchObject({ next_page_cursor: null, hasNextPage: false });
    expect(last?.items).toHaveLength(1);
    expect(await last?.nextPage()).toBeUndefined();
  });

  test('GET /api/email_logs: every page, no message twice, while emails are sent', async () => {
    const { emulator, client } = await connect({ logs: { pageSize: 3 } });
    const ids = emulator.logs.addMany(Array.from({ length: 10 }, () => ({}))).reverse();
    const seen: string[] = [];
    for await (const { message_id } of client.emailLogs.list()) {
      seen.push(message_id);
      emulator.logs.add({ subject: 'Later' });
    }
    expect(seen).toEqual(ids);
  });

  test('GET /api/email_logs: search_after resumes the list in another process', async () => {
    const { emulator, client, connect: again } = await connect({ logs: { pageSize: 4 } });
    const ids = emulator.logs.addMany(Array.from({ length: 10 }, () => ({}))).reverse();
    const first = await client.emailLogs.list();
    const elsewhere = again({});
    emulator.logs.add({ subject: 'Later' });
    const rest = await elsewhere.emailLogs.list({ search_after: first.next_page_cursor ?? '' }).toArray();
    expect([...first.items, ...rest].map(({ message_id }) => message_id)).toEqual(ids);
  });

  test('GET /api/email_logs/{sending_message_id}: the detail form with events and raw_message_url', async () => {
    const { emulator, client } = await connect();
    const id = emulator.logs.add({ subject: 'Hello' });
    const message = await client.emailLogs.get(id);
    expect(message).toMatchObject({ message_id: id, subject: 'Hello', events: expect.any(Array) as unknown });
    expect(message.raw_message_url).toMatch(/^http/);
  });

  test('404 for a message that does not exist, or is not visible to the token', async () => {
    const { emulator, client, connect: again } = await connect();
    const [mine, other] = emulator.domains.list();
    const id = emulator.logs.add({ domain_id: other?.id ?? 0 });
    const limited = again({ token: emulator.createToken({ domains: [mine?.id ?? 0] }) });
    await rejection(client.emailLogs.get(UUID), NotFoundError);
    await rejection(limited.emailLogs.get(id), NotFoundError);
    expect(await limited.emailLogs.list().toArray()).toEqual([]);
  });

  test('400 for parameters the service cannot read', async () => {
    const { client } = await connect();
    await rejection(client.emailLogs.list({ search_after: UUID }), BadRequestError);
  });

  test('the raw message is fetched from its signed URL, without the token and our headers', async () => {
    const { emulator, client, connect: again } = await connect();
    const message = await client.emailLogs.get(emulator.logs.add({ subject: 'Raw' }));
    const sent: Request[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      const request = new Request(input, init);
      sent.push(request.clone());
      return message.raw_message_url.startsWith('https://emulator')
        ? emulator.fetch(request)
        : globalThis.fetch(request);
    };
    const watched = again({ fetch });
    const bytes = await watched.emailLogs.downloadRaw(message);
    expect(new TextDecoder().decode(bytes)).toContain('Subject: Raw');
    const stream = await watched.emailLogs.downloadRaw(message.raw_message_url, { as: 'stream' });
    expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(bytes);
    for (const { url, headers } of sent) {
      expect(url).toBe(message.raw_message_url);
      expect([...headers]).toEqual([['accept-encoding', 'identity']]);
    }
    expect(watched.limits.snapshot().token?.used ?? 0).toBe(0);
  });

  test('an expired signed URL is an error that says so', async () => {
    const { emulator, client } = await connect({ logs: { rawUrlMs: 1_000 } });
    const message = await client.emailLogs.get(emulator.logs.add());
    emulator.clock.advance(2_000);
    const error = await client.emailLogs.downloadRaw(message).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'PermissionDeniedError', status: 403 });
  });
});

describe('A raw message behind a redirect', () => {
  const bytes = 'Subject: Raw\r\n';
  const to = (location: string, status = 302) => empty(status, { location });
  const download = (...turns: [Turn, ...Turn[]]) => {
    const { fetch, sent } = scriptedFetch(...turns);
    const { client } = virtualClient({ fetch });
    const done = client.emailLogs.downloadRaw('https://a.example/raw/1?sig=x');
    return { done, sent, urls: () => sent.map(({ url }) => url) };
  };

  test('is followed, up to five times, without the token or our headers', async () => {
    const { done, sent, urls } = download(
      to('https://b.example/1'),
      to('/2', 301),
      to('//c.example/3', 307),
      to('http://127.0.0.1:9/4', 308),
      to('https://d.example/5', 303),
      text(200, bytes),
    );
    expect(new TextDecoder().decode(await done)).toBe(bytes);
    expect(urls().slice(1)).toEqual([
      'https://b.example/1',
      'https://b.example/2',
      'https://c.example/3',
      'http://127.0.0.1:9/4',
      'https://d.example/5',
    ]);
    for (const { method, headers } of sent)
      expect([method, ...headers]).toEqual(['GET', ['accept-encoding', 'identity']]);
  });

  test.each<[string, [Turn, ...Turn[]], number]>([
    ['a sixth time', [to('https://b.example/')], 6],
    ['to plain http', [to('http://b.example/')], 1],
    ['to another scheme', [to('file:///etc/passwd')], 1],
    ['to what is no address', [to('https://')], 1],
    ['without an address', [empty(302)], 1],
  ])('is not followed %s', async (_, turns, requests) => {
    const { done, sent } = download(...turns);
    expect(await rejection(done, ApiError)).toMatchObject({ code: 'redirect_refused', status: 302 });
    expect(sent).toHaveLength(requests);
  });

  test('is left to fetch in a browser, which does not show where it leads', async () => {
    vi.stubGlobal('window', { document: {} });
    vi.stubGlobal('document', {});
    try {
      const { fetch, sent } = scriptedFetch(text(200, bytes));
      const { client } = virtualClient({ fetch, dangerouslyAllowBrowser: true });
      await client.emailLogs.downloadRaw('https://a.example/raw');
      await client.request({ method: 'GET', path: '/api/x' }).catch(() => undefined);
      expect(sent.map(({ redirect }) => redirect)).toEqual(['follow', 'manual']);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('filters', () => {
  const queryOf = async (filters: EmailPlatform.EmailLogFilters, accountId?: number) => {
    const { fetch, sent } = scriptedFetch(
      json(200, { messages: [], total_count: 0, next_page_cursor: null }),
    );
    const { client } = virtualClient({ fetch, accountId: 9 });
    await client.emailLogs.list({ filters }, accountId === undefined ? undefined : { accountId });
    const url = new URL(sent[0]?.url ?? '');
    return { path: url.pathname, raw: url.search, query: [...url.searchParams] };
  };

  test('are written in brackets, percent-encoded, lists with []', async () => {
    const { raw, query } = await queryOf({
      sent_after: new Date('2026-03-01T00:00:00Z'),
      to: { operator: 'ci_equal', value: ['a@x.example', 'b@x.example'] },
      subject: { operator: 'empty' },
    });
    expect(query).toEqual([
      ['filters[sent_after]', '2026-03-01T00:00:00.000Z'],
      ['filters[to][operator]', 'ci_equal'],
      ['filters[to][value][]', 'a@x.example'],
      ['filters[to][value][]', 'b@x.example'],
      ['filters[subject][operator]', 'empty'],
    ]);
    expect(raw).not.toMatch(/[[\]@:]/);
  });

  test('by domain: under one name in the path without an account, even if the client has one', async () => {
    const { path, query } = await queryOf({ domain_id: { operator: 'equal', value: 5 } });
    expect(path).toBe('/api/email_logs');
    expect(query.map(([name]) => name)).toEqual([
      'filters[domain_id][operator]',
      'filters[domain_id][value]',
    ]);
  });

  test('by domain: under both published names with an account, since the service ignores one of them', async () => {
    const { path, query } = await queryOf({ domain_id: { operator: 'equal', value: [5] } }, 9);
    expect(path).toBe('/api/accounts/9/email_logs');
    expect(query.map(([name]) => name).sort()).toEqual([
      'filters[domain_id][operator]',
      'filters[domain_id][value][]',
      'filters[sending_domain_id][operator]',
      'filters[sending_domain_id][value][]',
    ]);
  });

  test.each<[string, unknown]>([
    ['filters.too', { too: { operator: 'equal', value: 'x' } }],
    ['filters.sending_domain_id', { sending_domain_id: { operator: 'equal', value: 1 } }],
    ['filters.to', { to: 'a@x.example' }],
    ['filters.to.operator', { to: { operator: 'equal', value: 'a' } }],
    ['filters.to.operator', { to: { value: 'a' } }],
    ['filters.to.operator', { to: { operator: 'toString', value: 'a' } }],
    ['filters.to.value', { to: { operator: 'ci_contain', value: ['a'] } }],
    ['filters.to.value', { to: { operator: 'ci_equal', value: [] } }],
    ['filters.to.value', { to: { operator: 'ci_equal' } }],
    ['filters.to.values', { to: { operator: 'ci_equal', value: 'a', values: ['b'] } }],
    ['filters.subject.value', { subject: { operator: 'empty', value: 'x' } }],
    ['filters.status.value', { status: { operator: 'equal', value: 7 } }],
    ['filters.events.value[1]', { events: { operator: 'include_event', value: ['open', null] } }],
    ['filters.status.operator', { status: { operator: 'is', value: 'delivered' } }],
    ['filters.status.value', { status: { operator: 'equal', value: 'bounced' } }],
    ['filters.status.value[1]', { status: { operator: 'not_equal', value: ['delivered', 'postponed'] } }],
    ['filters.events.value', { events: { operator: 'include_event', value: 'bounced' } }],
    ['filters.sending_stream.value', { sending_stream: { operator: 'equal', value: 'sandbox' } }],
    ['filters.opens_count.value', { opens_count: { operator: 'greater_than', value: '1' } }],
    ['filters.domain_id.value', { domain_id: { operator: 'equal', value: 1.5 } }],
    ['filters.sent_after', { sent_after: 'yesterday' }],
    ['filters.sent_before', { sent_before: new Date(NaN) }],
    ['filters.sent_before', { sent_after: '2026-03-02T00:00:00Z', sent_before: '2026-03-01T00:00:00Z' }],
  ])('the service would ignore %s and return everything, so it is refused: %j', async (path, filters) => {
    const { fetch, sent } = scriptedFetch(json(200, {}));
    const { client } = virtualClient({ fetch });
    const error = await rejection(client.emailLogs.list({ filters } as never), InvalidRequestError);
    expect(error.issues.map((issue) => issue.path)).toEqual([path]);
    expect(sent).toEqual([]);
  });

  test('may have any provider', async () => {
    const { query } = await queryOf({ email_service_provider: { operator: 'not_equal', value: 'Pigeon' } });
    expect(query.map(([, value]) => value)).toEqual(['not_equal', 'Pigeon']);
  });

  test('with another value name the values, the nearest one, and the reason', async () => {
    const { client } = virtualClient({ fetch: scriptedFetch(json(200, {})).fetch });
    const filters = {
      status: { operator: 'equal', value: 'deliverd' },
      sending_stream: { operator: 'equal', value: 'x' },
    } as const;
    const { issues } = await rejection(client.emailLogs.list({ filters }), InvalidRequestError);
    const reason = ': the service ignores another value, and would return every email';
    expect(issues).toEqual([
      {
        path: 'filters.status.value',
        message: `must be one of 'delivered', 'not_delivered', 'enqueued', 'opted_out'${reason}; did you mean \`delivered\`?`,
      },
      { path: 'filters.sending_stream.value', message: `must be one of 'transactional', 'bulk'${reason}` },
    ]);
  });

  test.each([
    [{ status: { operator: 'equal', value: ['delivered', 'not_delivered', 'enqueued', 'opted_out'] } }],
    [{ events: { operator: 'include_event', value: [...EMAIL_LOG_EVENT_TYPES] } }],
    [{ sending_stream: { operator: 'equal', value: ['transactional', 'bulk'] } }],
  ] as [EmailPlatform.EmailLogFilters][])(
    'may have each value that the service documents: %j',
    async (filters) => {
      const { query } = await queryOf(filters);
      const [[, one] = []] = Object.entries(filters) as [string, { value: string[] }][];
      expect(query.slice(1).map(([, value]) => value)).toEqual(one?.value);
    },
  );

  test('too long for the service are refused, before anything is sent', async () => {
    const { fetch, sent } = scriptedFetch(
      json(200, { messages: [], total_count: 0, next_page_cursor: null }),
    );
    const { client } = virtualClient({ fetch });
    const listTo = (count: number, accountId?: number) => {
      const value = Array.from({ length: count }, (_, index) => `reader${index + 1000}@example.org`);
      const filters = { to: { operator: 'ci_equal', value } } as const;
      return client.emailLogs.list({ filters, search_after: UUID }, { accountId });
    };
    await listTo(101);
    expect(new URL(sent[0]?.url ?? '').search).toHaveLength(5947);
    const error = await rejection(listTo(102), InvalidRequestError);
    expect(error.message).toBe(
      'emailLogs.list was not sent: filters: makes the query longer than 6000 bytes: split it',
    );
    expect(sent).toHaveLength(1);
  });

  test('each returns only the messages that match', async () => {
    const [, [, connect]] = inMemoryAndOnAPort as [
      (typeof inMemoryAndOnAPort)[0],
      (typeof inMemoryAndOnAPort)[1],
    ];
    const { emulator, client } = await connect({ seed: 'demo' });
    const all = await client.emailLogs.list();
    expect(all.total_count).toBeGreaterThan(500);
    const cases: EmailPlatform.EmailLogFilters[] = [
      { to: { operator: 'ci_contain', value: 'GMAIL' } },
      { from: { operator: 'ci_not_contain', value: 'shop' } },
      { subject: { operator: 'ci_contain', value: 'order' } },
      { status: { operator: 'not_equal', value: ['delivered', 'enqueued'] } },
      { events: { operator: 'include_event', value: 'click' } },
      { clicks_count: { operator: 'greater_than', value: 0 } },
      { opens_count: { operator: 'equal', value: 0 } },
      { category: { operator: 'equal', value: 'orders' } },
      { domain_id: { operator: 'equal', value: all.items[0]?.domain_id ?? 0 } },
      { sending_stream: { operator: 'equal', value: 'bulk' } },
      { sent_after: new Date(emulator.clock.now() - 86_400_000) },
    ];
    for (const filters of cases) {
      const { total_count } = await client.emailLogs.list({ filters });
      expect(total_count, JSON.stringify(filters)).toBeGreaterThan(0);
      expect(total_count, JSON.stringify(filters)).toBeLessThan(all.total_count);
    }
  });
});

describe('responses', () => {
  test.each([
    ['domain_id', { domain_id: 5 }],
    ['sending_domain_id', { sending_domain_id: 5 }],
    ['both', { domain_id: 5, sending_domain_id: 6 }],
  ])('a message has its domain_id, and the key that was sent: %s', async (_, sent) => {
    const message = { message_id: UUID, ...sent };
    const page = { messages: [message, null], total_count: 1, next_page_cursor: null };
    const { fetch } = scriptedFetch(json(200, page), json(200, { ...message, events: [] }));
    const { client } = virtualClient({ fetch });
    const [listed] = (await client.emailLogs.list()).items;
    expect(listed).toEqual({ ...message, domain_id: 5 });
    expect(await client.emailLogs.get(UUID)).toEqual({ ...message, domain_id: 5, events: [] });
  });

  test('a message without a domain stays without one', async () => {
    const { fetch } = scriptedFetch(json(200, { message_id: UUID }));
    const { client } = virtualClient({ fetch });
    expect(Object.keys(await client.emailLogs.get(UUID))).toEqual(['message_id']);
  });

  test('events of unknown types pass through, and can be distinguished from known ones', async () => {
    const events = [
      {
        event_type: 'click',
        created_at: 'now',
        details: { click_url: 'https://a.example', web_ip_address: '192.0.2.1' },
      },
      { event_type: 'teleported', created_at: 'now', details: { to: 'Mars' } },
    ];
    const { fetch } = scriptedFetch(
      json(200, { message_id: UUID, events, raw_message_url: 'https://a.example' }),
    );
    const { client } = virtualClient({ fetch });
    const message = await client.emailLogs.get(UUID);
    expect(message.events).toEqual(events);
    expect(message.events.filter(isKnownEmailLogEvent).map(({ event_type }) => event_type)).toEqual([
      'click',
    ]);
  });

  test('a cursor that leads back to an earlier page is an error', async () => {
    const page = (cursor: string) => json(200, { messages: [{}], total_count: 9, next_page_cursor: cursor });
    const other = UUID.replace('0', '1');
    const { fetch, sent } = scriptedFetch(page(UUID), page(other), page(UUID), page(other), page(UUID));
    const { client } = virtualClient({ fetch });
    const error = await rejection(client.emailLogs.list().toArray(), ResponseFormatError);
    expect(error.code).toBe('pagination_loop');
    expect(sent.length).toBeLessThan(5);
  });

  test.each([
    ['an id that is no UUID', 'x'],
    ['an id that would be a path', '../email_campaigns'],
  ])('%s is refused before anything is sent', async (_, id) => {
    const { client } = virtualClient({});
    await rejection(client.emailLogs.get(id), InvalidRequestError);
  });

  test.each([
    ['plain http', 'http://a.example/raw.eml'],
    ['no address', 'raw.eml'],
    ['another scheme', 'file:///etc/passwd'],
    ['a message of the list, which has no address', { message_id: 'x' } as never],
    ['nothing', null as never],
  ])('a raw message is not fetched from %s', async (_, url) => {
    const { fetch, sent } = scriptedFetch(json(200, {}));
    const { client } = virtualClient({ fetch });
    const { issues } = await rejection(client.emailLogs.downloadRaw(url), InvalidRequestError);
    expect(issues.map(({ path }) => path)).toEqual(['messageOrUrl']);
    expect(sent).toEqual([]);
  });
});
