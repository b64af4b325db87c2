/** Tests the store of keys with one of the libraries, and prints what has failed. Run by sqlite.test.ts, in the Node that has it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteJournal, type SqliteDatabase } from '../../../src/journal/index.ts';
import { journalContract } from '../../../src/testing/journal-contract.ts';
import { claimOf } from '../../journal/claim-of.ts';
import { testFreeKeys } from '../../journal/free-keys.ts';

type Database = SqliteDatabase & { close(): void };
type DatabaseClass = new (file: string, options?: { timeout: number }) => Database;

const [name = ''] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const Class =
  name === 'node:sqlite'
    ? (require(name) as { DatabaseSync: DatabaseClass }).DatabaseSync
    : (require(name) as DatabaseClass);

const folder = mkdtempSync(join(tmpdir(), 'journal-'));
let files = 0;
const newFile = () => join(folder, `${(files += 1)}.db`);

const tests: { readonly name: string; readonly run: () => unknown }[] = [];
const test = (title: string, run: () => unknown) => tests.push({ name: title, run });

journalContract(test, () => sqliteJournal(new Class(':memory:')).store);
// Every call opens the same file: one process sees what another has committed.
journalContract(
  (title, run) => test(`in a file: ${title}`, run),
  () => sqliteJournal(new Class(newFile())).store,
);

const shared = new Class(newFile());
testFreeKeys(test, (namespace) => sqliteJournal(shared, { namespace }));

test('what is claimed is there when the file is opened again', async () => {
  const file = newFile();
  const first = new Class(file);
  await sqliteJournal(first).store.claim([claimOf('a')]);
  first.close();
  const [entry] = await sqliteJournal(new Class(file)).store.claim([claimOf('a', 'two')]);
  assert.equal(entry?.state, 'claimed');
});

test('the schema creates the table, as often as it is run', async () => {
  const database = new Class(':memory:');
  const journal = sqliteJournal(database);
  database.exec(journal.schema);
  database.exec(journal.schema);
  await journal.setup();
  assert.deepEqual(await journal.store.claim([claimOf('a')]), [undefined]);
});

test('a transaction of the caller is refused, and its end changes nothing', async () => {
  const database = new Class(':memory:');
  const journal = sqliteJournal(database);
  database.exec('BEGIN');
  await assert.rejects(journal.setup());
  await assert.rejects(journal.store.claim([claimOf('a')]));
  database.exec('ROLLBACK');
  assert.deepEqual(await journal.store.claim([claimOf('a')]), [undefined]);
});

test('a claim waits while another connection writes, and lets this process go on', async () => {
  const file = newFile();
  const database = new Class(file, { timeout: 0 });
  const other = new Class(file);
  const journal = sqliteJournal(database);
  await journal.setup();
  other.exec('BEGIN IMMEDIATE');
  const claiming = journal.store.claim([claimOf('a')]);
  let turns = 0;
  while (turns < 5) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    turns += 1;
  }
  other.exec('COMMIT');
  assert.deepEqual(await claiming, [undefined]);
});

test('of several keys, none is claimed if one cannot be written', async () => {
  const database = new Class(newFile());
  const journal = sqliteJournal(database);
  await journal.setup();
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  database.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const claims = Array.from({ length: 500 }, (_, index) => claimOf(`key ${index}`));
  await assert.rejects(journal.store.claim(claims), /full/);
  database.exec('PRAGMA max_page_count = 100000');
  assert.deepEqual(new Set(await journal.store.claim(claims)), new Set([undefined]));
});

test('a database that was closed works again once it is open', async () => {
  const database = new Class(newFile()) as Database & { open?: () => void };
  const journal = sqliteJournal(database);
  await journal.store.claim([claimOf('a')]);
  if (typeof database.open !== 'function') return;
  database.close();
  database.open();
  await assert.rejects(journal.store.claim([claimOf('a', 'two')]));
  const [entry] = await journal.store.claim([claimOf('a', 'two')]);
  assert.equal(entry?.attempt, 'one');
});

test('many keys are forgotten in portions, between which others have their turn', async () => {
  const file = newFile();
  const { store } = sqliteJournal(new Class(file, { timeout: 0 }));
  const other = sqliteJournal(new Class(file, { timeout: 0 }));
  const keys = Array.from({ length: 3_500 }, (_, index) => claimOf(`key ${index}`));
  await store.claim(keys);
  const records = keys.map((key) => ({ ...key, state: 'released' as const, messageIds: [] }));
  await store.record(records.filter((_, index) => index % 7 !== 0));
  let isOver = false;
  const forgetting = store.forget('default', Date.now() + 3_600_000).finally(() => (isOver = true));
  assert.deepEqual(await other.store.claim([claimOf('a new key')]), [undefined]);
  assert.equal(isOver, false);
  const { left } = new Class(file)
    .prepare('SELECT count(*) AS left FROM email_platform_journal_v1')
    .get() as { readonly left: number };
  // Only the first thousand have been looked at.
  assert.ok(left > 2_500, `${left} keys are left`);
  assert.equal(await forgetting, 3_000);
  const again = await store.claim(keys.map((key) => ({ ...key, attempt: 'two' })));
  assert.equal(again.filter((entry) => entry?.state === 'claimed').length, 500);
  assert.equal(await store.forget('default', Date.now() - 3_600_000), 0);
});

test('a closed database is an error', async () => {
  const database = new Class(':memory:');
  const journal = sqliteJournal(database);
  await journal.setup();
  database.close();
  await assert.rejects(journal.store.claim([claimOf('a')]));
  await assert.rejects(journal.store.open('default'));
});

const failed: string[] = [];
for (const { name: title, run } of tests) {
  try {
    await run();
  } catch (error) {
    failed.push(`${title}: ${String(error)}`);
  }
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify({ passed: tests.length - failed.length, failed }));
