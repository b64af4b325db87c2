import { isDeepStrictEqual } from 'node:util';
import { EmailPlatform } from 'email-platform';
import { createEmulator, type EmulatorOptions, type EmulatorSnapshot } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { runs, SEED } from '../support/extent.ts';
import { Walk } from '../support/answers/walk.ts';
import { errorOf } from './refused.ts';
import { start, still, wire } from './wire.ts';

/** Over the wire, as a file or a bug report has it. */
const written = (snapshot: EmulatorSnapshot) => JSON.parse(JSON.stringify(snapshot)) as EmulatorSnapshot;

const WALKS: readonly (readonly [name: string, options: EmulatorOptions])[] = [
  ['without limits', { limits: false }],
  [
    'with small pages, short waits, and little that is kept',
    {
      limits: false,
      sending: { keep: 20, openMs: Infinity },
      logs: { pageSize: 3, keep: 30 },
      webhooks: { flushMs: 10, maxEvents: 2, retryMs: 50, maxRetries: 1 },
      sandbox: { maxSize: 3, limit: { requests: 2, perMs: 1000 } },
      suppressions: { pageSize: 2 },
    },
  ],
  ['demo', { seed: 'demo', limits: false }],
  ['within limits', { window: 'sliding', limits: { token: { requests: 30, perMs: 60_000 } } }],
];

describe('An emulator with the state of another goes on as that one does', () => {
  test.each(WALKS)('a random walk, restored at random: %s', async (_, options) => {
    for (let run = 0; run < runs(10); run += 1) {
      const seed = (SEED ?? 20260131) + run;
      const straight = new Walk(seed, options);
      const restored = new Walk(seed, options);
      for (let leg = 0; leg < 4; leg += 1) {
        await straight.steps(250);
        await restored.steps(250);
        const snapshot = written(restored.emulator.snapshot());
        restored.emulator = restored.create(options);
        restored.emulator.restore(snapshot);
        // Nothing is lost, and nothing is made up.
        expect(isDeepStrictEqual(restored.emulator.snapshot(), snapshot)).toBe(true);
      }
      await straight.end();
      await restored.end();
      const { requests: all, ...answers } = Object.fromEntries(straight.transcript);
      const { requests: latest, ...same } = Object.fromEntries(restored.transcript);
      expect(same).toEqual(answers);
      // The list of requests is no part of the state.
      expect(Number(latest)).toBeLessThan(Number(all));
    }
  });
});

test('a client goes on: its token, the clock and the links are those of the snapshot', async () => {
  const first = createEmulator({ token: 'of-the-first', now: () => start });
  const id = first.campaigns.add({ name: 'Spring sale' });
  await wire(first)('POST', `/api/email_campaigns/${id}/start`);
  first.logs.add({ to: 'ann@example.org', raw: 'Subject: Hello\r\n\r\nbody' });
  first.clock.advance(30_000);
  const second = still();
  second.restore(first.snapshot());

  expect(second.clock.now()).toBe(first.clock.now());
  expect(second.clientOptions().token).toBe('of-the-first');
  const client = new EmailPlatform(second.clientOptions());
  const [message] = (await client.emailLogs.list()).items;
  const detail = await client.emailLogs.get(message?.message_id ?? '');
  expect(new TextDecoder().decode(await client.emailLogs.downloadRaw(detail))).toContain('Hello');
  expect(second.campaigns.stateOf(id)).toBe('started');
  second.clock.advance(30_000);
  expect(second.campaigns.stateOf(id)).toBe('finished');
  expect(first.campaigns.stateOf(id)).toBe('started');
});

test('a reset returns to the initial data, also after a restore', () => {
  const emulator = still();
  emulator.domains.add({ name: 'other.example.com' });
  const snapshot = emulator.snapshot();
  emulator.reset();
  expect(emulator.domains.list()).toHaveLength(2);
  emulator.restore(snapshot);
  expect(emulator.domains.list()).toHaveLength(3);
  emulator.reset();
  expect(emulator.domains.list()).toHaveLength(2);
});

test('a snapshot is a copy: neither the emulator nor its owner changes the other’s', () => {
  const emulator = still();
  const snapshot = emulator.snapshot();
  const before = written(snapshot);
  emulator.restore(snapshot);
  const id = emulator.campaigns.add();
  emulator.campaigns.setState(id, 'started');
  expect(snapshot).toEqual(before);
});

test('posts that are still to be made are made by the emulator that was restored', async () => {
  const posted: string[] = [];
  const receive = async (request: Request) => {
    posted.push(await request.text());
    return new Response(null, { status: 200 });
  };
  const first = still({ webhooks: { receive: () => new Response(null, { status: 500 }) } });
  const webhook = { url: 'https://hooks.example.com', webhook_type: 'audit_log' };
  await wire(first)('POST', '/api/webhooks', { body: { webhook } });
  first.webhooks.emit('audit_log', { kind: 'repeated' });
  first.clock.advance(30_000);
  await first.webhooks.settled();
  first.webhooks.emit('audit_log', { kind: 'gathered' });

  const second = still({ webhooks: { receive } });
  second.restore(written(first.snapshot()));
  expect(second.webhooks.posts).toHaveLength(1);
  second.clock.advance(300_000);
  await second.webhooks.settled();
  expect(posted.map((body) => /repeated|gathered/.exec(body)?.[0])).toEqual(['gathered', 'repeated']);
});

describe('What is no snapshot is refused, and changes nothing', () => {
  const emulator = still();
  emulator.campaigns.add();
  emulator.logs.add();
  emulator.inbound.receive({ to: emulator.inbound.add().address, from: 'ann@example.org' });
  const good = emulator.snapshot();
  const areas = (area: string, change: object) => ({
    ...good,
    areas: { ...good.areas, [area]: { ...(good.areas[area] as object), ...change } },
  });
  test.each<[snapshot: unknown, message: string]>([
    [undefined, 'TypeError: `snapshot` must be an object with format, version, token, clock, '],
    [{}, 'TypeError: `snapshot.format` must be'],
    [
      { ...good, format: 'x' },
      "RangeError: `snapshot.format` must be one of 'email-platform emulator', not 'x'",
    ],
    [
      { ...good, version: 2 },
      'RangeError: `snapshot.version` must be 1, the version of snapshots that this emulator',
    ],
    [{ ...good, more: 1 }, 'TypeError: `snapshot.more` is unknown'],
    [{ ...good, token: 'a b' }, 'RangeError: `snapshot.token` must be'],
    [{ ...good, clock: { now: 'noon', planned: [] } }, 'TypeError: `snapshot.clock.now` must be'],
    [{ ...good, clock: { now: 0, planned: [{}] } }, 'TypeError: `snapshot.clock.planned[0].at` must be'],
    [
      { ...good, clock: { now: 0, planned: [{ at: 0, kind: 'dinner' }] } },
      'RangeError: `snapshot.clock.planned[0].kind` is unknown: dinner',
    ],
    [
      {
        ...good,
        clock: { now: 0, planned: [{ at: 0, kind: 'campaign', data: { id: 1, epoch: 0, then: 'x' } }] },
      },
      'RangeError: `snapshot.clock.planned[0].data.then` must be one of',
    ],
    [{ ...good, areas: {} }, 'TypeError: `snapshot.areas.sending-domains` must be an object'],
    [areas('campaigns', { campaigns: undefined }), 'TypeError: `snapshot.areas.campaigns.campaigns` must be'],
    [
      areas('campaigns', { campaigns: { nextId: 1, rows: [{ id: 1, state: 'sent' }] } }),
      "RangeError: `snapshot.areas.campaigns.campaigns.rows[0].state` must be one of 'draft', ",
    ],
    [
      areas('campaigns', { campaigns: { nextId: 1, rows: [{ id: 1 }] } }),
      'TypeError: `snapshot.areas.campaigns.campaigns.rows[0].accountId` must be a whole number',
    ],
    [{ ...good, shared: [] }, 'TypeError: `snapshot.shared[0]` must be an object'],
    [
      areas('stats', { sums: { sums: [], due: [{ at: 1, outcome: 'open', sum: 5, count: 1 }] } }),
      'names no sum 5',
    ],
    [
      { ...good, limits: { 'token x': { count: 'many' } } },
      'TypeError: `snapshot.limits.token x.count` must be',
    ],
    [{ ...good, random: { messages: -1 } }, 'RangeError: `snapshot.random.messages` must be'],
  ])('%#', (snapshot, message) => {
    expect(errorOf(() => emulator.restore(snapshot as EmulatorSnapshot))).toContain(message);
    expect(emulator.snapshot()).toEqual(good);
  });
});
