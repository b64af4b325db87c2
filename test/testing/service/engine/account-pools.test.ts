import { describe, expect, test } from 'vitest';
import { mail, post, uuid } from '../../tools/mail.ts';
import { start, still, wire } from '../../tools/wire.ts';

describe('Limits: account pools, shared by all of their endpoints', () => {
  test.each([
    [
      'contacts',
      200,
      ['/api/contacts/lists', '/api/contacts/nobody@example.org', '/api/accounts/1001/contacts/lists'],
    ],
    ['stats', 10, ['/api/stats', '/api/stats/date', '/api/accounts/1001/stats/domains']],
    ['suppressions', 10, ['/api/suppressions', '/api/accounts/1001/suppressions']],
  ])('%s: %i in 60 seconds per account, whichever token → 429 with error', async (_, requests, paths) => {
    const emulator = still({ limits: { token: false } });
    const call = wire(emulator);
    const token = emulator.createToken();
    for (let index = 0; index < requests; index += 1) {
      const { status } = await call(
        'GET',
        paths[index % paths.length] ?? '',
        index % 2 === 0 ? { token } : {},
      );
      expect(status).not.toBe(429);
    }
    for (const path of paths) {
      const refused = await call('GET', path);
      expect([refused.status, refused.text]).toEqual([429, '{"error":"Rate limit exceeded"}']);
      expect(refused.headers.get('x-ratelimit-reset')).toBe(new Date(start + 60_000).toISOString());
    }
    const stranger = emulator.createToken({ accountId: 77 });
    const other = await call('GET', (paths[0] ?? '').replace('1001', '77'), { token: stranger });
    expect(other.status).not.toBe(429);
  });

  test('as recorded, 429 has errors', async () => {
    const limits = { stats: { requests: 1, perMs: 60_000 } };
    const call = wire(still({ limits, answers: 'recorded' }));
    await call('GET', '/api/stats');
    const refused = await call('GET', '/api/stats');
    expect([refused.status, refused.text]).toEqual([429, '{"errors":"Rate limit exceeded"}']);
  });

  test('the rate limit headers show only the token pool', async () => {
    const { headers } = await wire(still())('GET', '/api/suppressions');
    expect(headers.get('x-ratelimit-limit')).toBe('150');
    expect(headers.get('x-ratelimit-remaining')).toBe('149');
  });
});

describe('Suppressions', () => {
  const path = '/api/suppressions';
  const body = { email: 'Ann@example.org', domain_id: 301, sending_stream: 'transactional' };

  test('create 201 under data, list a bare array, delete 200 with the record', async () => {
    const call = wire(still());
    const created = await call('POST', path, { body });
    expect(created.status).toBe(201);
    const record = (created.value as { data: { id: string } }).data;
    expect(record).toMatchObject({
      id: expect.stringMatching(uuid) as unknown,
      type: 'manual import',
      created_at: '2026-01-31T12:00:00.000Z',
      email: 'Ann@example.org',
      sending_stream: 'transactional',
      domain_name: 'mail.example.com',
    });
    // No message led to it.
    const ofMessage = Object.entries(record).filter(([name]) => name.startsWith('message_'));
    expect(ofMessage).toHaveLength(10);
    expect(new Set(ofMessage.map(([, value]) => value))).toEqual(new Set([null]));
    expect((await call('GET', `${path}?email=ann@example.org`)).value).toEqual([record]);
    expect((await call('GET', `${path}?email=bob@example.org`)).value).toEqual([]);
    const removed = await call('DELETE', `${path}/${record.id}`);
    expect([removed.status, removed.value]).toEqual([200, record]);
    for (const id of [record.id, 'missing']) {
      const gone = await call('DELETE', `${path}/${id}`);
      expect([gone.status, gone.text]).toEqual([404, '{"errors":{"base":["Suppression not found"]}}']);
    }
  });

  test('its domain is null once the domain is deleted', async () => {
    const call = wire(still());
    await call('POST', path, { body });
    await call('DELETE', '/api/domains/301');
    expect((await call('GET', path)).value).toMatchObject([{ email: 'Ann@example.org', domain_name: null }]);
  });

  test.each([path, '/api/tracking_opt_outs'])('an invalid address → 422 of %s', async (at) => {
    const refused = async (email: unknown) =>
      (await wire(still())('POST', at, { body: { ...body, email } })).value;
    expect(await refused('ann')).toEqual({ errors: { email: ['format is invalid'] } });
    expect(await refused('')).toEqual({ errors: { email: ["can't be blank"] } });
  });

  test('one is created for a stream, never for any → 422', async () => {
    const { status, value } = await wire(still())('POST', path, { body: { ...body, sending_stream: 'any' } });
    expect([status, value]).toEqual([422, { errors: { sending_stream: ['is not included in the list'] } }]);
  });

  test('invalid fields → 422 with a map', async () => {
    const { value } = await wire(still())('POST', path, { body: { type: 'x', domain_id: 9 } });
    expect(Object.keys((value as { errors: object }).errors)).toEqual([
      'email',
      'domain_id',
      'sending_stream',
      'type',
    ]);
  });

  test('a suppressed address receives no email', async () => {
    const emulator = still();
    const call = wire(emulator);
    await call('POST', path, { body });
    await post(emulator, { cc: [{ email: 'bob@example.org' }] });
    emulator.clock.advance(1000);
    expect((await call('GET', '/api/email_logs')).value).toMatchObject({
      messages: [
        { to: 'bob@example.org', status: 'delivered' },
        { to: mail.to[0]?.email, status: 'not_delivered' },
      ],
    });
  });

  test('bounces, complaints and unsubscriptions add one when they happen; last_id continues the list', async () => {
    const emulator = still({ suppressions: { stopAfterEvents: true } });
    const call = wire(emulator);
    await post(emulator, {
      to: ['bounce', 'spam', 'unsubscribe'].map((name) => ({ email: `${name}@example.org` })),
    });
    expect((await call('GET', path)).value).toEqual([]);
    emulator.clock.advance(120_000);
    const all = (await call('GET', path)).value as { id: string; type: string; message_subject: string }[];
    expect(all.map(({ type }) => type).sort()).toEqual(['hard bounce', 'spam complaint', 'unsubscription']);
    expect(all[0]).toMatchObject({
      message_subject: 'Welcome',
      message_category: '',
      message_created_at: '2026-01-31T12:00:00Z',
      created_at: expect.stringMatching(/\.\d{3}Z$/) as unknown,
    });
    expect((await call('GET', `${path}?last_id=${all[0]?.id}`)).value).toEqual(all.slice(1));
    expect((await call('GET', `${path}?last_id=${all[2]?.id}`)).value).toEqual([]);
  });

  test('an address named after an event gets that event every time', async () => {
    const emulator = still();
    const to = [{ email: 'bounce@example.org' }];
    await post(emulator, { to });
    emulator.clock.advance(120_000);
    await post(emulator, { to });
    emulator.clock.advance(120_000);
    const bounced = 'filters[events][operator]=include_event&filters[events][value]=bounce';
    const { value } = await wire(emulator)('GET', `/api/email_logs?${bounced}`);
    expect(value).toMatchObject({ total_count: 2 });
    expect((await wire(emulator)('GET', path)).value).toEqual([]);
  });

  test.each(['bounce', 'spam', 'unsubscribe'])(
    'with stopAfterEvents, %s@… is rejected after its event',
    async (name) => {
      const emulator = still({ suppressions: { stopAfterEvents: true } });
      const to = [{ email: `${name}@example.org` }];
      await post(emulator, { to });
      emulator.clock.advance(120_000);
      await post(emulator, { to });
      emulator.clock.advance(120_000);
      const rejected = 'filters[events][operator]=include_event&filters[events][value]=reject';
      expect((await wire(emulator)('GET', `/api/email_logs?${rejected}`)).value).toMatchObject({
        total_count: 1,
      });
      expect(emulator.messages()).toHaveLength(1);
    },
  );
});

describe('Stats', () => {
  const days = 'start_date=2026-01-31&end_date=2026-01-31';

  function busy() {
    const emulator = still({ limits: { stats: false } });
    emulator.logs.addMany([
      { to: 'a@gmail.com', category: 'one', sent_at: start - 3_600_000 },
      { to: 'bounce@example.org', category: 'two', sent_at: start - 3_600_000 },
      { to: 'quiet@example.org', sent_at: start - 86_400_000, sending_stream: 'bulk' },
    ]);
    return emulator;
  }

  test('counts and rates from the log, for the requested days', async () => {
    const { status, value } = await wire(busy())('GET', `/api/stats?${days}`);
    expect([status, value]).toEqual([
      200,
      {
        delivery_count: 1,
        delivery_rate: 0.5,
        bounce_count: 1,
        bounce_rate: 0.5,
        open_count: 1,
        open_rate: 1,
        click_count: 1,
        click_rate: 1,
        spam_count: 0,
        spam_rate: 0,
      },
    ]);
  });

  test.each([
    ['/api/stats/domains', 'domain_id', [301]],
    ['/api/accounts/1001/stats/domains', 'sending_domain_id', [301]],
    ['/api/stats/categories', 'category', ['one', 'two']],
    ['/api/stats/email_service_providers', 'email_service_provider', ['Google', 'Other']],
    ['/api/stats/date', 'date', ['2026-01-31']],
  ])('%s: a bare array of %s and stats', async (path, key, groups) => {
    const { value } = await wire(busy())('GET', `${path}?${days}`);
    expect((value as Record<string, unknown>[]).map((group) => group[key])).toEqual(groups);
    expect((value as { stats: object }[])[0]?.stats).toHaveProperty('delivery_count');
  });

  test('filters; a missing date → 400 with error', async () => {
    const call = wire(busy());
    const wide = 'start_date=2026-01-01&end_date=2026-01-31&sending_streams[]=bulk';
    expect((await call('GET', `/api/stats?${wide}`)).value).toMatchObject({
      delivery_count: 1,
      open_count: 0,
    });
    const { status, value } = await call('GET', '/api/stats?start_date=2026-01-01');
    expect([status, value]).toEqual([400, { error: 'end_date is required, as YYYY-MM-DD' }]);
  });
});

describe('Contacts', () => {
  const path = '/api/contacts';

  test('create 201, get by id or address, update is an upsert, delete 204', async () => {
    const emulator = still();
    const call = wire(emulator);
    const list = (await call('POST', `${path}/lists`, { body: { name: 'News' } })).value as { id: number };
    const contact = { email: 'ann@example.org', fields: { city: 'Rome' }, list_ids: [list.id] };
    const created = await call('POST', path, { body: { contact } });
    expect([created.status, created.value]).toMatchObject([
      201,
      { data: { ...contact, status: 'subscribed', created_at: start, updated_at: start } },
    ]);
    const { id } = (created.value as { data: { id: string } }).data;
    for (const key of [id, 'ann@example.org', 'ann%40example.org']) {
      expect((await call('GET', `${path}/${key}`)).value).toEqual(created.value);
    }
    const change = { contact: { unsubscribed: true, list_ids_excluded: [list.id] } };
    expect((await call('PATCH', `${path}/${id}`, { body: change })).value).toMatchObject({
      data: { status: 'unsubscribed', list_ids: [], fields: { city: 'Rome' } },
      action: 'updated',
    });
    expect(
      (await call('PATCH', `${path}/new@example.org`, { body: { contact: { fields: {} } } })).value,
    ).toMatchObject({
      data: { email: 'new@example.org' },
      action: 'created',
    });
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204);
    const gone = await call('DELETE', `${path}/${id}`);
    expect([gone.status, gone.text]).toEqual([404, '{"errors":"Contact(s) not found"}']);
  });

  test('an address can be used once', async () => {
    const call = wire(still());
    const body = { contact: { email: 'ann@example.org' } };
    await call('POST', path, { body });
    expect((await call('POST', path, { body })).value).toEqual({
      errors: { email: ['has already been taken'] },
    });
  });

  test('lists: bare, searched by prefix, renamed, removed', async () => {
    const call = wire(still());
    for (const name of ['News', 'Offers']) await call('POST', `${path}/lists`, { body: { name } });
    expect((await call('GET', `${path}/lists?search=off`)).value).toEqual([{ id: 2, name: 'Offers' }]);
    expect((await call('PATCH', `${path}/lists/2`, { body: { name: 'Deals' } })).value).toEqual({
      id: 2,
      name: 'Deals',
    });
    expect((await call('DELETE', `${path}/lists/2`)).status).toBe(204);
    expect((await call('GET', `${path}/lists/2`)).status).toBe(404);
  });
});
