import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'devalue';
import { EmailPlatform } from 'email-platform';
import { type Emulator, createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { runs, SEED, sized } from '../../../support/extent.ts';
import { Walk } from '../../../support/answers/walk.ts';
import { errorOf } from '../../tools/refused.ts';
import { start, still, wire } from '../../tools/wire.ts';

/** Over the wire, as a file or a bug report has it. */
const written = (snapshot: Emulator.Snapshot) => JSON.parse(JSON.stringify(snapshot)) as Emulator.Snapshot;

const WALKS: readonly (readonly [name: string, options: Emulator.Options])[] = [
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
      for (let leg = 0; leg < sized(4, 1); leg += 1) {
        await straight.steps(sized(200, 400));
        await restored.steps(sized(200, 400));
        const snapshot = written(restored.emulator.snapshot());
        restored.emulator = restored.create(options);
        restored.emulator.restore(snapshot);
        // Nothing is lost, and nothing is made up.
        expect(isDeepStrictEqual(restored.emulator.snapshot(), snapshot)).toBe(true);
      }
      await straight.steps(100);
      await restored.steps(100);
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

test('forwards each event once after a restore, also from a snapshot of an emulator without forwarding', async () => {
  const posted: string[] = [];
  const receive = async (request: Request) => {
    posted.push(await request.text());
    return new Response(null, { status: 200 });
  };
  const forward = { url: 'https://hooks.example.com', secret: 'a'.repeat(32) };
  const emulator = still({ webhooks: { receive, forward, flushMs: 0 } });
  for (const snapshot of [emulator.snapshot(), still().snapshot()]) {
    emulator.restore(snapshot);
    emulator.webhooks.emit('audit_log', {});
    emulator.clock.advance(1);
    await emulator.webhooks.settled();
    expect(posted.splice(0)).toHaveLength(1);
  }
});

describe('Refuses an invalid snapshot, and changes nothing', () => {
  const emulator = still();
  emulator.campaigns.add();
  emulator.logs.add();
  emulator.inbound.receive({ to: emulator.inbound.add().address, from: 'ann@example.org' });
  const good = emulator.snapshot();
  const { format } = good;
  test.each<[snapshot: unknown, message: string]>([
    [undefined, 'TypeError: `snapshot` must be an object with format, version, checksum, state'],
    [{}, 'TypeError: `snapshot.format` must be'],
    [
      { ...good, format: 'x' },
      "RangeError: `snapshot.format` must be one of 'email-platform emulator', not 'x'",
    ],
    // As the first version was: it has other fields, and is refused by its version all the same.
    [
      { token: 'abc', clock: {}, shared: [], areas: {}, format, version: 1 },
      'RangeError: `snapshot.version` must be 4, the version of snapshots that this emulator takes, not 1',
    ],
    [{ ...good, version: 3 }, 'RangeError: `snapshot.version` must be 4'],
    [{ ...good, more: 1 }, 'TypeError: `snapshot.more` is unknown'],
    [{ ...good, state: undefined }, 'TypeError: `snapshot.state` must be a string'],
    [{ ...good, state: good.state.slice(0, -1) }, 'RangeError: `snapshot.checksum` does not fit'],
    [
      { ...good, state: good.state.replace('draft', 'craft') },
      'RangeError: `snapshot.checksum` does not fit',
    ],
    [{ ...good, checksum: '00000000' }, 'RangeError: `snapshot.checksum` does not fit'],
  ])('%#', (snapshot, message) => {
    expect(errorOf(() => emulator.restore(snapshot as Emulator.Snapshot))).toContain(message);
    expect(emulator.snapshot()).toEqual(good);
  });

  test('not even one whose checksum was made to fit', () => {
    const forge = (state: string) => {
      const checksum = createHash('sha256').update(state).digest('hex');
      return { ...good, state, checksum };
    };
    expect(forge(good.state)).toEqual(good);
    for (const state of ['', '{}', '7', '[{"now":1,"parts":2},0,{"logs":3},{}]'])
      expect(errorOf(() => emulator.restore(forge(state)))).toContain('`snapshot.state` ');
    expect(emulator.snapshot()).toEqual(good);
  });
});

test('it has what JSON has, and what JSON has not', async () => {
  const emulator = still({ limits: false, sending: { openMs: Infinity } });
  const call = wire(emulator);
  let nested: Record<string, unknown> = {};
  for (let depth = 0; depth < 950; depth += 1) nested = { nested };
  const template = emulator.templates.add({ body_text: '{{name}}' });
  const variables = { ...nested, name: 'half \ud800', '</script>': -0 };
  const body = `{"from":{"email":"a@mail.example.com"},"to":[{"email":"b@example.org"}],
    "template_uuid":"${template.uuid}","template_variables":${JSON.stringify(variables).replace('{', '{"__proto__":{"x":1},')}}`;
  await call('POST', '/api/send', { host: 'send', raw: body });
  const raw = Uint8Array.from({ length: 256 }, (_, index) => index).subarray(1, 200);
  const id = emulator.logs.add({ raw, events: [{ event_type: 'open', details: { at: new Date(0) } }] });

  const other = still({ limits: false, sending: { openMs: Infinity } });
  other.restore(written(emulator.snapshot()));
  expect(other.snapshot()).toEqual(emulator.snapshot());
  expect(other.messages()).toEqual(emulator.messages());
  expect(other.messages()[0]?.text).toBe('half \ud800');
  for (const message of [emulator.messages()[0]?.id, id]) {
    const paths = [
      `/api/email_logs/${message}`,
      '/api/email_logs',
      '/api/stats?start_date=2026-01-01&end_date=2026-12-31',
    ];
    for (const path of paths)
      expect((await wire(other)('GET', path)).text).toBe((await call('GET', path)).text);
  }
  expect((await wire(other)('GET', `/api/email_logs/${id}`)).text).toContain('1970-01-01T00:00:00.000Z');
});

/** Fields whose own fields a caller chose. */
const FREE = [
  'customVariables',
  'templateVariables',
  'headers',
  'details',
  'metadata',
  'event',
  'companyInfo',
];

/** The structure of a value: each path with the type of its values. Maps and arrays have `[]`. */
function shapeOf(
  value: unknown,
  path = '',
  seen = new Set<unknown>(),
  found = new Set<string>(),
): Set<string> {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || FREE.includes(name)) {
    found.add(`${path}: ${value === null ? 'null' : value instanceof Uint8Array ? 'bytes' : typeof value}`);
    return found;
  }
  if (seen.has(value)) return found;
  seen.add(value);
  const inner = Array.isArray(value) || value instanceof Map;
  const entries = Array.isArray(value)
    ? value.map((one: unknown) => [`${path}[]`, one] as const)
    : value instanceof Map
      ? [...(value as Map<unknown, unknown>).values()].map((one) => [`${path}[]`, one] as const)
      : Object.entries(value).map(([key, one]) => [`${path}.${key}`, one] as const);
  if (inner && entries.length === 0) found.add(`${path}: none`);
  for (const [at, one] of entries) shapeOf(one, at, seen, found);
  return found;
}

const REVIVERS = {
  fields: () => ({}),
  mailing: (facts: unknown) => facts,
  entry: (parts: unknown) => parts,
  copy: (parts: unknown) => parts,
};

test('the version is raised with every change to the state', async () => {
  const walk = new Walk(24, { limits: { token: { requests: 100_000, perMs: 60_000 } } });
  await walk.steps(2000);
  await walk.end();
  const { version, state } = walk.emulator.snapshot();
  const { parts } = parse(state, REVIVERS) as { parts: object };
  const lines = [...shapeOf(parts)].sort().map((line) => `${line.slice(1)}\n`);
  // If this file is to change after a release: raise `VERSION` in src/testing/service/state/snapshot.ts, so that older ones are refused.
  await expect(lines.join('')).toMatchFileSnapshot(`snapshot-of-version-${version}.txt`);
});
