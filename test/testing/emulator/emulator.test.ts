import { EmailPlatform } from 'email-platform';
import { describe, expect, test, vi } from 'vitest';
import { createEmulator } from 'email-platform/testing';
import { Recorder } from '../../../src/testing/report/records/recorder.ts';
import { RequestLog } from '../../../src/testing/service/engine/request-log.ts';
import { post } from '../tools/mail.ts';
import { campaigns, minimal, start, still, wire, type WireCampaign } from '../tools/wire.ts';

const states = [
  'draft',
  'failed',
  'failed_immediately',
  'finished',
  'paused',
  'queued',
  'scheduled',
  'started',
  'terminating',
  'under_review',
];

async function everything(emulator: ReturnType<typeof createEmulator>): Promise<WireCampaign[]> {
  const all: WireCampaign[] = [];
  for (let token: number | null = 1; token !== null;) {
    const { json, list } = await wire(emulator)('GET', `${campaigns}?per_page=100&token=${token}`);
    all.push(...list);
    token = json.pagination.next_token;
  }
  return all;
}

describe('Seeds', () => {
  test('demo: a few hundred campaigns in every state, newest first, the same every time', async () => {
    const all = await everything(still({ seed: 'demo' }));
    expect(all).toHaveLength(240);
    expect([...new Set(all.map((one) => one.current_state))].sort()).toEqual(states);
    expect(all.filter((one) => one.name.toLowerCase().includes('spring')).length).toBeGreaterThan(20);
    expect(new Set(all.map((one) => one.name)).size).toBe(240);
    const created = all.map((one) => one.created_at);
    expect(created).toEqual([...created].sort().reverse());
    expect(await everything(still({ seed: 'demo' }))).toEqual(all);
  });

  test('demo: every campaign is consistent with its state', async () => {
    const now = new Date(start).toISOString();
    for (const one of await everything(still({ seed: 'demo' }))) {
      const begun = ['started', 'queued', 'paused', 'terminating', 'finished', 'failed'].includes(
        one.current_state,
      );
      expect([one.id, one.last_started_at !== null]).toEqual([one.id, begun]);
      expect([one.id, typeof one.recipient_total_count === 'number']).toEqual([one.id, begun]);
      expect(one.updated_at <= now && one.updated_at >= one.created_at).toBe(true);
      const { scheduled_at: at } = one.current_state_metadata;
      expect(at !== undefined && at > now).toBe(one.current_state === 'scheduled');
    }
  });

  test('demo: the clock moves its campaigns', async () => {
    const emulator = still({ seed: 'demo' });
    emulator.clock.advance(60 * 86_400_000);
    const left = new Set((await everything(emulator)).map((one) => one.current_state));
    expect([...left].sort()).toEqual(
      states.filter((s) => !['scheduled', 'started', 'terminating'].includes(s)),
    );
  });

  test('demo: templates, a week of email logs in every status, lists and suppressions, the same every time', async () => {
    const read = async () => {
      const emulator = still({ seed: 'demo', logs: { pageSize: 1000 } });
      const paths = ['email_templates', 'email_logs', 'contacts/lists', 'suppressions'];
      const call = wire(emulator);
      return Promise.all(paths.map(async (path) => (await call('GET', `/api/${path}`)).value));
    };
    const all = await read();
    const [templates, logs, lists, suppressions] = all;
    expect(templates).toHaveLength(4);
    const { messages, total_count } = logs as { messages: Record<string, string>[]; total_count: number };
    expect(total_count).toBe(672);
    const kinds = (key: string) => [...new Set(messages.map((message) => message[key]))].sort();
    expect(kinds('status')).toEqual(['delivered', 'enqueued', 'not_delivered', 'opted_out']);
    expect(kinds('sending_stream')).toEqual(['bulk', 'transactional']);
    expect(kinds('domain_id')).toHaveLength(4);
    expect(Date.parse(messages.at(-1)?.sent_at ?? '')).toBe(start - 7 * 86_400_000);
    expect(lists).toHaveLength(40);
    expect((suppressions as unknown[]).length).toBeGreaterThan(10);
    expect(await read()).toEqual(all);
  });

  test('empty (default): one verified and one unverified domain, no campaign', async () => {
    const emulator = still();
    expect(emulator.domains.list().map(({ verified }) => verified)).toEqual([true, false]);
    expect(await everything(emulator)).toEqual([]);
  });
});

describe('The clock', () => {
  test('follows real time, and advance adds to it', () => {
    const real = vi.spyOn(Date, 'now').mockReturnValue(start);
    const { clock } = createEmulator();
    clock.advance(5000);
    real.mockReturnValue(start + 70);
    expect(clock.now()).toBe(start + 5070);
    real.mockRestore();
  });

  test('refuses to go back', () => {
    const { clock } = still();
    expect(() => clock.advance(-1)).toThrow(RangeError);
    expect(() => clock.advance(Number.NaN)).toThrow(RangeError);
  });

  test('determines the Date header and every timestamp', async () => {
    const emulator = still();
    emulator.clock.advance(86_400_000);
    const { headers, json } = await wire(emulator)('POST', campaigns, { body: minimal(emulator) });
    expect(headers.get('date')).toBe('Sun, 01 Feb 2026 12:00:00 GMT');
    expect(json.data.created_at).toBe('2026-02-01T12:00:00.000Z');
  });
});

describe('The log of requests', () => {
  test('contains method, host, path, query, time and status, and nothing secret', async () => {
    const emulator = still();
    emulator.clock.advance(5);
    await wire(emulator)('GET', `${campaigns}?search=a+b`, { headers: { 'api-token': 'secret-token' } });
    await wire(emulator)('POST', '/api/nowhere', { host: 'bulk', body: { text: 'secret-body' } });
    expect(emulator.requests).toEqual([
      { method: 'GET', host: 'api', path: campaigns, query: '?search=a+b', at: start + 5, status: 401 },
      { method: 'POST', host: 'bulk', path: '/api/nowhere', query: '', at: start + 5, status: 501 },
    ]);
    expect(JSON.stringify(emulator.requests)).not.toMatch(/secret|Bearer/);
  });

  test('waits for requests from a time on until they have a response', async () => {
    const emulator = still();
    const call = wire(emulator);
    await call('GET', campaigns);
    emulator.clock.advance(5);
    await call('GET', '/api/templates');
    const since = start + 5;
    expect((await emulator.waitForRequests({ since, waitMs: 0 })).map(({ path }) => path)).toEqual([
      '/api/templates',
    ]);
    emulator.faults.next({ kind: 'slow', delayMs: 1_000 });
    const created = call('POST', campaigns, { body: minimal(emulator) });
    await expect.poll(() => emulator.requests.length).toBe(3);
    const waiting = emulator.waitForRequests({ method: 'POST', waitMs: 60_000 });
    emulator.clock.advance(1_000);
    expect((await waiting).map(({ status }) => status)).toEqual([(await created).status]);
  });

  test('keeps the latest 5 000 to 10 000', () => {
    const log = new RequestLog(new Recorder());
    const receive = (index: number) =>
      log.received('GET', { host: 'api', path: `/api/${index}`, base: '', origin: '' }, '', start);
    for (let index = 1; index <= 10_000; index += 1) receive(index);
    expect(log.entries).toHaveLength(10_000);
    receive(10_001);
    expect(log.entries).toHaveLength(5_000);
    expect(log.entries.at(-1)?.path).toBe('/api/10001');
  });
});

describe('reset', () => {
  test('restores the initial state; the token and the options stay valid', async () => {
    const emulator = still({ seed: 'demo', limits: { token: { requests: 5, perMs: 10_000 } } });
    const before = emulator.clientOptions();
    const call = wire(emulator);
    const first = (await call('GET', campaigns)).json;
    emulator.campaigns.add();
    emulator.setBilling('exceeded');
    emulator.clock.advance(90_000_000);
    emulator.faults.next({ kind: 'html' });
    emulator.logs.add();
    await post(emulator, {}, { host: 'sandbox' });
    emulator.domains.setVerified(301, false);
    const extra = emulator.createToken();
    for (let index = 0; index < 5; index += 1) await call('GET', campaigns);
    emulator.reset();
    expect(emulator.requests).toEqual([]);
    expect(emulator.clock.now()).toBe(start);
    expect(emulator.messages()).toEqual([]);
    expect(emulator.domains.list()[0]?.verified).toBe(true);
    expect((await call('GET', campaigns)).json).toEqual(first);
    expect((await call('GET', campaigns, { token: extra })).status).toBe(401);
    expect(emulator.clientOptions()).toEqual(before);
  });
});

describe('Options for a client', () => {
  test('without limits there is nothing to keep to; with any, the client keeps to its own', async () => {
    const free = createEmulator({ limits: false });
    const server = await free.listen();
    for (const options of [free.clientOptions(), server.clientOptions()]) {
      expect(new EmailPlatform(options).limits.snapshot()).toEqual({});
    }
    await server.close();
    for (const emulator of [createEmulator(), createEmulator({ limits: { token: false } })]) {
      expect(emulator.clientOptions()).not.toHaveProperty('throttle');
    }
  });
});

describe('Controls', () => {
  test('setState puts a campaign into any state, where it stays', async () => {
    const emulator = still();
    const id = emulator.campaigns.add();
    emulator.campaigns.setState(id, 'failed', { error: 'Refused', errors: [] });
    emulator.clock.advance(90_000_000);
    const { data } = (await wire(emulator)('GET', `${campaigns}/${id}`)).json;
    expect(data).toMatchObject({ current_state: 'failed', current_state_metadata: { error: 'Refused' } });
    emulator.campaigns.setState(id, 'draft');
    const again = (await wire(emulator)('GET', `${campaigns}/${id}`)).json.data;
    expect(again).toMatchObject({
      current_state: 'draft',
      last_started_at: null,
      recipient_total_count: null,
    });
    expect(() => emulator.campaigns.setState(1, 'draft')).toThrow(RangeError);
  });

  test('a domain can be added and can lose its verification', async () => {
    const emulator = still();
    const id = emulator.domains.add({ name: 'new.example.com' });
    const create = () => wire(emulator)('POST', campaigns, { body: { ...minimal(emulator), domain_id: id } });
    expect((await create()).json.data.domain_name).toBe('new.example.com');
    emulator.domains.setVerified(id, false);
    expect((await create()).status).toBe(422);
    expect(() => emulator.domains.setVerified(1, true)).toThrow(RangeError);
  });
});
