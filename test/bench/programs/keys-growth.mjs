// Sends very many emails with keys through a journal on SQLite. Prints as JSON the milliseconds of each tenth, and the size
// of the database after it. Arguments: the origin of the service, the folder of the built package, the database's library,
// how many emails.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [origin, dist, name, total] = process.argv.slice(2).map((word, n) => (n === 3 ? Number(word) : word));
const load = (entry) => import(pathToFileURL(join(dist, entry)).href);
const { EmailPlatform } = await load('index.js');
const { sqliteJournal } = await load('journal/index.js');

const Database =
  name === 'node:sqlite'
    ? (await import(name)).DatabaseSync
    : createRequire(new URL('../../peers/sqlite/package.json', import.meta.url))(name);
const folder = mkdtempSync(join(tmpdir(), 'email-platform-keys-'));
try {
  const file = join(folder, 'mail.db');
  const database = new Database(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const journal = sqliteJournal(database);
  await journal.setup();
  const client = new EmailPlatform({
    token: 'token',
    hosts: { send: origin },
    throttle: { limits: { token: false } },
    journal,
    dangerouslyAllowHttp: true,
  });

  const base = {
    from: { email: 'news@mail.example.com' },
    subject: 'News',
    text: 'There is news. '.repeat(20),
  };
  function* emails(count) {
    for (let n = 0; n < count; n += 1) yield { to: [{ email: `reader-${n}@example.org` }] };
  }
  const sizeOf = (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const idempotencyKey = (_, index) => `news/${index}`;

  const tenths = [];
  let accepted = 0;
  let last = performance.now();
  for await (const { status, index, error } of client.sending.batchAll(emails(total), {
    base,
    idempotencyKey,
  })) {
    if (status !== 'accepted') throw new Error(`Email ${index} is ${status}`, { cause: error });
    accepted += 1;
    if (accepted % (total / 10) > 0) continue;
    tenths.push({ ms: performance.now() - last, bytes: sizeOf(file) + sizeOf(`${file}-wal`) });
    last = performance.now();
  }
  if (accepted !== total) throw new Error(`${accepted} of ${total} emails were accepted`);
  database.close();
  process.stdout.write(JSON.stringify(tenths));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
