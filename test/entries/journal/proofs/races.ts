/** Processes that share a database race for the same keys. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyAt } from './emails.ts';
import type { SenderOrder, Told } from './messages.ts';
import { orderOf } from './order.ts';
import { Sender, Service } from './processes.ts';
import type { DatabaseHere } from '../../../support/databases.ts';

const HOUR = 3_600_000;
/** Long enough for every lease to be over, and for the log to be believed. */
const LATER_MS = 900_000;
/** With four calls in flight each, one process alone cannot have posted so many: no answer comes before that. */
const ANSWERS_FROM_POST = 5;

/** Outcomes counted by status, and by the error's code if there is one. */
function counts(outcomes: readonly Told[]): Record<string, number> {
  const result: Record<string, number> = {};
  for (const [, status, isReplayed, , code] of outcomes) {
    const what = [status, ...(isReplayed ? ['replayed'] : []), ...(code === null ? [] : [code])].join(' ');
    result[what] = (result[what] ?? 0) + 1;
  }
  return result;
}

const SAME_CLOCK = { what: 'with the same clock', offMs: 0 };
/** The sharper race: a process that trusted its own clock would take over running leases. */
export const OTHER_CLOCKS = { what: 'one of them an hour ahead, one an hour behind', offMs: HOUR };

/** Lets processes race for the same keys, with each of the databases. */
export function testRaces(
  databases: readonly DatabaseHere[],
  count: number,
  { clocks = [SAME_CLOCK, OTHER_CLOCKS], processes = 4 } = {},
): void {
  const start = (database: DatabaseHere) =>
    Promise.all(Array.from({ length: processes }, () => Sender.start(database)));
  let service: Service;
  const folder = mkdtempSync(join(tmpdir(), 'email-platform-races-'));
  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(async () => {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const cases = databases.flatMap((database) => clocks.map((clock) => ({ ...database, ...clock })));

  describe.runIf(cases.length > 0)(`${processes} processes, the same ${count} keys`, () => {
    test.each(cases)('$name, $what: each is sent once', async ({ name, node, offMs }) => {
      const database = { name, node };
      await service.begin({
        seed: 1,
        shownWithinMs: 0,
        answersFromPost: ANSWERS_FROM_POST,
      });
      const senders = await start(database);
      try {
        // The sharpest: whoever thought that a lease is over would look the emails up, and send them again.
        const order = (clockOffMs: number) =>
          orderOf(
            { service, name: database.name, folder, file: `race ${offMs}`, count },
            { onUnknown: 'resend', clockOffMs },
          );
        const runAll = () =>
          Promise.all(senders.map((one, index) => one.run(order([offMs, -offMs][index] ?? 0))));
        const raced = await runAll();

        const record = await service.record();
        expect(record.size).toBe(count);
        expect([...record].filter(([, { posts, ids }]) => posts !== 1 || ids.length !== 1)).toEqual([]);

        const sent = raced.map(counts);
        const allowed = ['accepted', 'accepted replayed', 'unknown in_progress'];
        expect(sent.flatMap((one) => Object.keys(one)).filter((what) => !allowed.includes(what))).toEqual([]);
        expect(sent.map((one) => Object.values(one).reduce((sum, more) => sum + more, 0))).toEqual(
          senders.map(() => count),
        );
        // Each email belongs to the one that sent it, and more than one process sent some.
        expect(sent.reduce((sum, { accepted = 0 }) => sum + accepted, 0)).toBe(count);
        expect(sent.filter(({ accepted = 0 }) => accepted > 0).length).toBeGreaterThan(1);

        expect((await runAll()).map(counts)).toEqual(senders.map(() => ({ 'accepted replayed': count })));
      } finally {
        await Promise.all(senders.map((one) => one.kill()));
      }
    });

    test.each(databases)(
      '$name, one of them held up for longer than its timeout, while its connections are closed: nothing is unknown',
      async (database) => {
        const timeoutMs = 10_000;
        // Its first response, after which it is held up, arrives when the service has all four calls.
        await service.begin({
          seed: 1,
          shownWithinMs: 0,
          answersFromPost: 4,
          answersOne: true,
        });
        const order = (more?: Partial<SenderOrder>) =>
          orderOf({ service, name: database.name, folder, file: 'race and hold up', count }, more);
        const heldUp = await Sender.start(database);
        const other = await Sender.start(database);
        try {
          const held = order({ timeoutMs, heldUpAt: 4 * 500 });
          heldUp.begin(held);
          await heldUp.heldUp(held);
          await service.closeIdle();
          const raced = counts(await other.run(order({ count: 4 * 500 })));
          expect(
            Object.keys(raced).filter((what) => !/^(accepted replayed|unknown in_progress)$/.test(what)),
          ).toEqual([]);
          await setTimeout(timeoutMs);
          heldUp.letGo(held);
          const { outcomes } = await heldUp.outcomes();
          expect(counts(outcomes)).toEqual({ accepted: count });
          expect(counts(await other.run(order()))).toEqual({ 'accepted replayed': count });
        } finally {
          await Promise.all([heldUp, other].map((one) => one.kill()));
        }
      },
    );

    test.each(databases)(
      '$name, one of them killed while its calls are in flight: the others send the rest, and what it sent is found',
      async (database) => {
        await service.begin({ seed: 1, shownWithinMs: 0, answersFromPost: ANSWERS_FROM_POST });
        const order = (more?: Partial<SenderOrder>) =>
          orderOf(
            { service, name: database.name, folder, file: 'race and kill', count },
            { onUnknown: 'resend', ...more },
          );
        const senders = await start(database);
        const [killed, ...others] = senders;
        try {
          const { arrived } = await service.announce(4);
          killed?.begin(order());
          await arrived;
          await killed?.kill();
          const raced = await Promise.all(others.map((one) => one.run(order())));

          const all = Array.from({ length: count }, (_, index) => keyAt(index));
          const once = async () => {
            const record = await service.record();
            return all.filter((key) => record.get(key)?.posts === 1 && record.get(key)?.ids.length === 1)
              .length;
          };
          expect(await once()).toBe(count);
          const sum = (what: string) => raced.map(counts).reduce((total, one) => total + (one[what] ?? 0), 0);
          expect(sum('accepted')).toBe(count - 4 * 500);
          // None of the others knows what became of the four calls.
          expect(raced.every((outcomes) => (counts(outcomes)['unknown in_progress'] ?? 0) >= 4 * 500)).toBe(
            true,
          );

          await service.advance(LATER_MS);
          const [last] = others;
          expect(counts((await last?.run(order({ movedOnMs: LATER_MS }))) ?? [])).toEqual({
            'accepted replayed': count,
          });
          expect(await once()).toBe(count);
        } finally {
          await Promise.all(senders.map((one) => one.kill()));
        }
      },
    );
  });
}
