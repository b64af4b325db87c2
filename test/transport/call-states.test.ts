/** The picture of the states of a call in docs/architecture.md, compared with the events of real calls. */
import { readFileSync } from 'node:fs';
import { EmailPlatform } from 'email-platform';
import { createJournal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { Call } from '../../src/transport/call.ts';
import { MemoryStore } from '../entries/journal/memory-store.ts';
import { until } from '../support/virtual-client.ts';

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
const [, picture = ''] = /```mermaid\nstateDiagram-v2\n([^]*?)```/.exec(page) ?? [];
const ARROWS = [...picture.matchAll(/^\s*(\S+) --> (\S+): (\w+)$/gm)].map(
  ([, from = '', to = '', event = '']) => ({
    from: from === '[*]' ? 'start' : from,
    to: to === '[*]' ? 'end' : to,
    event,
  }),
);
const EVENTS = [...new Set(ARROWS.map(({ event }) => event))] as (keyof Call)[];

afterEach(() => vi.restoreAllMocks());

/** The events of the calls that `run` makes, by call. */
async function eventsOf(run: () => Promise<unknown>): Promise<string[][]> {
  const byCall = new Map<unknown, string[]>();
  for (const event of EVENTS) {
    const own = Call.prototype[event] as (...args: unknown[]) => unknown;
    vi.spyOn(Call.prototype, event as 'start').mockImplementation(function (this: Call, ...args) {
      byCall.set(this, [...(byCall.get(this) ?? []), event]);
      return own.apply(this, args);
    });
  }
  await run().catch(() => undefined);
  return [...byCall.values()];
}

const ofAllKinds = async () => {
  const emulator = createEmulator({ seed: 'demo' });
  const client = new EmailPlatform(emulator.clientOptions());
  const ending = new AbortController();
  const narrow = new EmailPlatform({
    ...emulator.clientOptions(),
    throttle: { limits: { token: { requests: 1, perMs: 60_000 } } },
  });
  const list = (options = {}) => client.campaigns.list({}, options).toArray();
  const email = { from: 'a@mail.example.com', to: 'b@example.org', subject: 'Hi', text: 'Hi' };
  emulator.faults.next({ match: { path: '/api/email_campaigns' }, kind: 'reset-after' });
  await list();
  await client.sending.send(email);
  await list({ signal: AbortSignal.abort() }).catch(() => undefined);
  await client.campaigns.get(-1).catch(() => undefined);
  await client.campaigns.get(9_999_999).catch(() => undefined);
  emulator.faults.next({ kind: 'reset-after' });
  await client.sending.send(email).catch(() => undefined);
  await narrow.campaigns.list();
  const queued = narrow.campaigns.get(1, { signal: ending.signal }).catch(() => undefined);
  await until(() => narrow.limits.snapshot().token?.waiting === 1);
  ending.abort();
  await queued;
  emulator.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '0' } });
  await list();
  emulator.faults.next({ kind: 'status', status: 503, headers: { 'retry-after': '0' } });
  await list();
  const journal = createJournal(new MemoryStore());
  const keyed = new EmailPlatform({ ...emulator.clientOptions(), journal });
  for (let times = 0; times < 2; times += 1) await keyed.sending.send(email, { idempotencyKey: 'one' });
};

test('each event of a call is an arrow of the picture, and each arrow is an event of some call', async () => {
  const calls = await eventsOf(ofAllKinds);
  const taken = new Set<string>();
  for (const events of calls) {
    let state = 'start';
    for (const event of events) {
      const arrow = ARROWS.find((one) => one.from === state && one.event === event);
      expect(arrow, `${state}: ${event} (${events.join(' ')})`).toBeDefined();
      taken.add(JSON.stringify(arrow));
      state = arrow?.to ?? '';
    }
    expect(state, events.join(' ')).toBe('end');
  }
  expect(ARROWS.filter((arrow) => !taken.has(JSON.stringify(arrow)))).toEqual([]);
});
