// Takes turns with a client without a journal and one with, and prints what each call cost, as JSON: calls of 500 emails,
// and single emails. The database is of node:sqlite or better-sqlite3, in a folder of its own, and as safe as it can be.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inTurn } from './in-turn.mjs';

const [origin, dist, name, rounds, calls] = process.argv.slice(2);
const load = (entry) => import(pathToFileURL(join(dist, entry)).href);
const { EmailPlatform } = await load('index.js');
const { sqliteJournal } = await load('journal/index.js');

const Database =
  name === 'node:sqlite'
    ? (await import(name)).DatabaseSync
    : createRequire(new URL('../../peers/sqlite/package.json', import.meta.url))(name);
const folder = mkdtempSync(join(tmpdir(), 'email-platform-journal-'));
const database = new Database(join(folder, 'mail.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
const journal = sqliteJournal(database);
await journal.setup();

const options = { token: 'token', hosts: { send: origin }, throttle: { limits: { token: false } } };
const without = new EmailPlatform(options);
const again = new EmailPlatform(options);
const withJournal = new EmailPlatform({ ...options, journal });

const SIZE = 500;
const base = {
  from: { email: 'news@mail.example.com' },
  subject: 'What is new',
  text: 'There is news. '.repeat(20),
};
const mails = Array.from({ length: SIZE }, (_, index) => ({
  to: [{ email: `reader-${index}@example.org` }],
}));
const mail = { ...base, ...mails[0] };

let used = 0;
const run = async (client, options) => {
  for await (const { status, error } of client.sending.batchAll(mails, { base, ...options })) {
    if (status !== 'accepted') throw error;
  }
};
const withKeys = () => {
  used += 1;
  const call = used;
  return run(withJournal, { idempotencyKey: (_, index) => `call-${call}/${index}` });
};

/** The commits of a call, without the call: its keys are claimed, and what became of them is recorded. */
const commits = async (count) => {
  used += 1;
  const rows = Array.from({ length: count }, (_, index) => ({
    namespace: 'default',
    key: `commits-${used}/${index}`,
    stream: 'transactional',
    attempt: `attempt-${used}`,
  }));
  const hash = `1:${'0'.repeat(64)}`;
  await journal.store.claim(rows.map((row) => ({ ...row, hash, leaseMs: 90_000 })));
  const messageIds = ['0b2f5f0a-6b5e-4a53-9a86-2f1c6e1b8a11'];
  await journal.store.record(rows.map((row) => ({ ...row, state: 'accepted', messageIds })));
};

const scenarios = {
  'a call of 500': {
    'no journal': () => run(without),
    'no journal, again': () => run(again),
    'journal, no keys': () => run(withJournal),
    'journal and keys': withKeys,
    'both commits alone': () => commits(SIZE),
  },
  'one email': {
    'no journal': () => without.sending.send(mail),
    'no journal, again': () => again.sending.send(mail),
    'journal, no key': () => withJournal.sending.send(mail),
    'journal and key': () => withJournal.sending.send(mail, { idempotencyKey: `one/${(used += 1)}` }),
    'both commits alone': () => commits(1),
  },
};

const turns = [];
for (const [scenario, contestants] of Object.entries(scenarios)) {
  const count = scenario === 'one email' ? 10 * Number(calls) : Number(calls);
  turns.push(...(await inTurn({ [scenario]: contestants }, Number(rounds), count)));
}
database.close();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify(turns));
