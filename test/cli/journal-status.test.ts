import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/entries/journal/index.ts';
import { shownStatus } from '../../src/cli/journal-status.ts';
import { progressOf } from '../../src/cli/progress.ts';
import { cli, quiet } from './in-process.ts';

const now = Date.UTC(2026, 0, 1);
const entry = (key: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
  key,
  hash: '1:hash',
  stream: 'bulk',
  state: 'claimed',
  attempt: 'one',
  ageMs: 1_000,
  leaseLeftMs: -1,
  messageIds: [],
  ...more,
});
const shown = (open: readonly JournalEntry[], inFlight: readonly JournalEntry[] = [], isListed = false) =>
  shownStatus({ namespace: 'default', open, inFlight, now }, { isListed, isJson: false });

describe('The status of a journal', () => {
  test('says what is open, and when the leases of those in flight end', () => {
    const open = [entry('a', { state: 'unknown' }), entry('b')];
    const inFlight = [entry('c', { leaseLeftMs: 90_000 }), entry('d', { leaseLeftMs: 5_000 })];
    expect(shown(open, inFlight)).toBe(
      `2 keys are open in the namespace "default":
  1 unknown: no response arrived
  1 claimed: its process did not report
2 keys are in flight; their leases end from 2026-01-01T00:00:05.000Z to 2026-01-01T00:01:30.000Z.
Next, with the same options: journal settle, which searches the email log for them.
`,
    );
    expect(shown([], inFlight.slice(1))).toBe(
      `1 key is in flight in the namespace "default"; its lease ends 2026-01-01T00:00:05.000Z.
No key is open.
`,
    );
    expect(shown([])).toBe('No key is open in the namespace "default".\n');
    expect(shown([], inFlight.slice(1), true)).toContain(
      '\n\nd  bulk           in flight, since 2025-12-31T23:59:59.000Z; the lease ends 2026-01-01T00:00:05.000Z\n',
    );
  });

  test('as JSON has the totals, and with the list each key with its times', () => {
    const keys = {
      namespace: 'default',
      open: [entry('a', { state: 'unknown', ageMs: 60_000 })],
      inFlight: [entry('b', { leaseLeftMs: 5_000 })],
      now,
    };
    const lease = '2026-01-01T00:00:05.000Z';
    const totals = {
      namespace: 'default',
      unknown: 1,
      claimed: 0,
      inFlight: 1,
      leasesEnd: { first: lease, last: lease },
    };
    expect(JSON.parse(shownStatus(keys, { isListed: false, isJson: true }))).toEqual(totals);
    const [since, ended] = ['2025-12-31T23:59:00.000Z', '2025-12-31T23:59:59.999Z'];
    expect(JSON.parse(shownStatus(keys, { isListed: true, isJson: true }))).toEqual({
      ...totals,
      openKeys: [{ key: 'a', stream: 'bulk', state: 'unknown', since, leaseEnds: ended }],
      inFlightKeys: [
        { key: 'b', stream: 'bulk', state: 'claimed', since: '2025-12-31T23:59:59.000Z', leaseEnds: lease },
      ],
    });
  });

  test('of 200 000 keys is shown', () => {
    const open = Array.from({ length: 200_000 }, (_, index) => entry(`key/${index}`));
    expect(shown(open, open, true).split('\n').length).toBeGreaterThan(400_000);
  });
});

describe('email-platform journal resend and release', () => {
  test.each([
    [['order/7'], 'Needs --yes without a terminal'],
    [[], 'Needs either keys or --all-unknown'],
    [['order/7', '--all-unknown', '--yes'], 'Needs either keys or --all-unknown'],
  ])('%j is invalid, exit 2', async (args, message) => {
    for (const action of ['resend', 'release']) {
      const { code, err } = await cli(['journal', action, '--sqlite', 'nowhere.db', ...args]);
      expect([code, err.split('\n')[0]]).toEqual([2, message]);
    }
  });
});

describe('Progress', () => {
  test('is one line on a terminal, which is cleared in the end', () => {
    const written: string[] = [];
    const err = (text: string) => void written.push(text);
    const progress = progressOf({ ...quiet(), err, isTerminal: { out: false, err: true } });
    progress.say('one');
    progress.say('two');
    progress.end();
    expect(written).toEqual(['\r\u001B[2Kone', '\r\u001B[2Ktwo', '\r\u001B[2K']);
  });

  test('is a line every ten seconds elsewhere', () => {
    const written: string[] = [];
    let time = 0;
    const progress = progressOf({ ...quiet(), err: (text) => void written.push(text), now: () => time });
    for (; time < 25_000; time += 1_000) progress.say(`after ${time}`);
    progress.end();
    expect(written).toEqual(['after 10000\n', 'after 20000\n']);
  });
});
