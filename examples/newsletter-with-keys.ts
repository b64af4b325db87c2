/**
 * A newsletter to the readers in a CSV file, with a key for each email. The first run loses a response, the log settles its
 * emails, and a second run sends nothing twice. Then two workers send the next issue to the same list.
 *
 *     npx tsx examples/newsletter-with-keys.ts
 *
 * In a project of your own: npm install csv-parse pg (or, as here, @electric-sql/pglite)
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { EmailPlatform } from 'email-platform';
import { postgresJournal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { readPeople } from './csv.ts';
import { heading, row } from './print.ts';

const emulator = createEmulator();
// Postgres within this process. In a real application: new Pool({ connectionString }) of pg, in every worker.
const database = await PGlite.create();
const client = new EmailPlatform({ ...emulator.clientOptions(), journal: postgresJournal(database) });

const folder = await mkdtemp(join(tmpdir(), 'newsletter-'));
const file = join(folder, 'readers.csv');
const rows = Array.from({ length: 1200 }, (_, id) => `reader${id}@example.org,"Reader, ${id}"`);
await writeFile(file, ['email,name', ...rows, ''].join('\n'));

/** Reads the file one row at a time, so that it can have any length. */
async function* readers() {
  for await (const { email, name } of readPeople(file))
    yield { to: [{ email, name }], text: `Dear ${name}, it is time to sow.` };
}

/** Sends an issue to every reader. The key of an email is the issue and the recipient. */
async function send(issue: string): Promise<Record<string, number>> {
  const counts = {
    sent: 0,
    replayed: 0,
    rejected: 0,
    not_sent: 0,
    unknown: 0,
    in_progress: 0,
    key_reused: 0,
  };
  const run = client.sending.batchAll(readers(), {
    base: { from: 'The Gardeners <news@mail.example.com>', subject: 'Spring is here' },
    stream: 'bulk',
    idempotencyKey: ({ to }) => `${issue}/${to[0]?.email ?? ''}`,
  });
  for await (const outcome of run) {
    if (outcome.status === 'accepted') counts[outcome.replayed ? 'replayed' : 'sent'] += 1;
    // Another worker is sending it.
    else if (outcome.error?.code === 'in_progress') counts.in_progress += 1;
    else counts[outcome.status] += 1;
  }
  return counts;
}

const show = (counts: Record<string, number>) => {
  for (const [name, count] of Object.entries(counts)) row(name, count);
};

heading('The first run');
// The service accepts the emails of one call, and its response is lost.
emulator.faults.next({ kind: 'reset-after', match: { path: '/api/batch' } });
show(await send('spring'));

heading('Settle');
const settled = await client.sending.settleUnknown();
row('in the log', settled.accepted.length);
row('not in it', settled.unknown.length);

heading('The second run');
show(await send('spring'));

heading('Two workers, one list');
const workers = await Promise.all([send('summer'), send('summer')]);
const sum = (...names: string[]) =>
  workers.flatMap((counts) => names.map((name) => counts[name] ?? 0)).reduce((a, b) => a + b, 0);
row('sent', sum('sent'));
row('by the other', sum('replayed', 'in_progress'));
row('unknown', sum('unknown'));
show(await send('summer'));

heading('Emails by reader');
const received = new Map<string, number>();
for (const { to } of emulator.messages()) received.set(to, (received.get(to) ?? 0) + 1);
row('readers', received.size);
row('with two', [...received.values()].filter((count) => count === 2).length);

await database.close();
await rm(folder, { recursive: true });
