/** A failure of the database is an error before the request, or the claim stays and is settled later. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { troubleWith } from './processes.ts';
import { databasesHere } from '../../../support/databases.ts';

const NOT_CLAIMED = { name: 'JournalError', code: 'journal_failed', effect: 'none', hasCause: true };
const IN_PROGRESS = { name: 'IdempotencyError', code: 'in_progress', effect: 'unknown', hasCause: false };
const LOST = { name: 'ConnectionError', code: 'connection_failed', effect: 'unknown', hasCause: true };
const NEVER_LEFT = { name: 'TimeoutError', code: 'timeout', effect: 'none', hasCause: false };
const UNKNOWN = { name: 'IdempotencyError', code: 'unknown', effect: 'unknown', hasCause: false };
const notRecorded = (operation: string) => [
  `${operation}: the journal could not record the outcome of its key`,
];

/** By case: what the caller sees, how many posts the service got, and how many emails it accepted. */
const EXPECTED: Readonly<Record<string, object>> = {
  'locked for good when it is claimed': { first: NOT_CLAIMED, posts: 0, again: 'sent', accepted: 1 },
  'locked for good, where the database waits by itself': { first: NOT_CLAIMED, looksSeldom: true, posts: 0 },
  'locked for a moment when it is claimed': { first: 'sent', accepted: 1 },
  'locked from when it is sent': {
    first: 'sent',
    warnings: notRecorded('sending.send'),
    soon: IN_PROGRESS,
    later: 'replayed',
    posts: 1,
  },
  'locked when its outcome is recorded, and the call is aborted': {
    first: 'sent',
    warnings: [],
    again: 'replayed',
    posts: 1,
  },
  'a handshake that breaks': { first: { ...LOST, effect: 'none' }, again: 'sent', accepted: 1 },
  'a handshake that stalls': { first: NEVER_LEFT, again: 'sent', accepted: 1 },
  'full when a batch is claimed': {
    first: { 'not_sent journal_failed': 1_000 },
    posts: 0,
    again: { accepted: 1_000 },
    accepted: 1_000,
  },
  'full when the outcome of a batch is recorded': {
    first: { accepted: 500 },
    warnings: notRecorded('sending.batchAll'),
    soon: { 'unknown in_progress': 500 },
    later: { accepted: 500 },
    accepted: 5_000,
  },
  'closed before it is claimed': { first: NOT_CLAIMED, posts: 0 },
  'closed when it is sent': {
    first: 'sent',
    warnings: notRecorded('sending.send'),
    soon: IN_PROGRESS,
    later: 'replayed',
    posts: 1,
  },
  'a claim that was committed, and whose response was lost': {
    first: NOT_CLAIMED,
    posts: 0,
    again: 'sent',
    accepted: 1,
  },
  'full when an outcome is recorded, and with room soon after': {
    first: { accepted: 500 },
    soon: { accepted: 500 },
    accepted: 5_000,
  },
  'the table dropped': { second: NOT_CLAIMED, posts: 1 },
  'a transaction of the application on the same connection': {
    first: NOT_CLAIMED,
    posts: 0,
    orders: { count: 2 },
    again: 'sent',
  },
  'set up in a transaction that is rolled back': { first: 'sent', posts: 1 },
  'the clock of the machine set back after an answer was lost': {
    first: LOST,
    later: 'replayed',
    accepted: 1,
  },
  'the clock of the machine ahead when it was claimed, and put right later': {
    first: LOST,
    later: 'replayed',
    accepted: 1,
  },
  'an email in a sandbox whose answer was lost': { first: LOST, later: UNKNOWN, accepted: 1 },
  'the process stopped between the claim and the request': {
    first: NEVER_LEFT,
    posts: 0,
    again: 'sent',
    accepted: 1,
  },
};

const folder = mkdtempSync(join(tmpdir(), 'email-platform-trouble-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const databases = databasesHere();
describe.skipIf(databases.length === 0)('A key in a database', () => {
  describe.each(databases)('of $name', ({ name, node }) => {
    let results: ReadonlyMap<string, unknown>;
    beforeAll(async () => {
      results = await troubleWith(name, node, folder);
    });

    test('every case is tried', () => {
      expect([...results.keys()].sort()).toEqual(Object.keys(EXPECTED).sort());
    });

    test.each(Object.entries(EXPECTED))('%s', (what, expected) => {
      expect(results.get(what)).toEqual(expected);
    });
  });
});
