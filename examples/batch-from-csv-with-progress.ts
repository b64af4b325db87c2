/**
 * Sends an email to every address in a CSV file of any length. It reads the file as a stream, shows a progress bar, and
 * writes the outcome of each row to a file. The service refuses some addresses, and a connection breaks.
 *
 *     npx tsx examples/batch-from-csv-with-progress.ts
 *
 * In a project of your own: npm install csv-parse
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { readPeople } from './csv.ts';
import { bar, dim, heading, line, row } from './print.ts';

const emulator = createEmulator({ seed: 'demo' });
const client = new EmailPlatform(emulator.clientOptions());

/** 2600 rows. Every 400th address is cut off. */
function subscribers(): string {
  const rows = Array.from({ length: 2600 }, (_, id) => {
    const email = id % 400 === 399 ? `reader${id}` : `reader${id}@example.org`;
    return `${email},Reader ${id},${id % 4 === 0 ? 'de' : 'en'}`;
  });
  return ['email,name,language', ...rows, ''].join('\n');
}

const templates = {
  en: await client.templates.create({
    name: 'Spring',
    subject: 'Spring is here, {{name}}',
    category: 'news',
    body_html: '<p>Time to sow.</p>',
  }),
  de: await client.templates.create({
    name: 'Frühling',
    subject: 'Der Frühling ist da, {{name}}',
    category: 'news',
    body_html: '<p>Zeit zu säen.</p>',
  }),
};

/** The column `language` does not say who may get email. */
const read = (path: string) => readPeople(path, { allowed: { language: 'any' } });

/** Yields an email for each row, when it is needed. */
async function* emails(path: string) {
  for await (const { line, email, name, fields } of read(path)) {
    const { uuid } = fields.language === 'de' ? templates.de : templates.en;
    yield {
      to: [{ email, name }],
      template_uuid: uuid,
      template_variables: { name },
      custom_variables: { line },
    };
  }
}

/** Shows a moving bar on a terminal, and a line for each call elsewhere. */
function show({ done, calls }: EmailPlatform.BatchProgress, total: number): void {
  const text = `   ${bar(done / total)}  ${String(done).padStart(5)} of ${total}, ${calls} calls`;
  process.stdout.write(process.stdout.isTTY ? `\r${text}` : `${text}\n`);
}

const folder = await mkdtemp(join(tmpdir(), 'batch-'));
const files = { input: join(folder, 'subscribers.csv'), outcomes: join(folder, 'outcomes.jsonl') };
await writeFile(files.input, subscribers());

heading('Send');
// Reads the file once in advance, to know the total and to find invalid lines before sending.
const rows = read(files.input);
let total = 0;
while (!(await rows.next()).done) total += 1;

// The service acts on one call, but its response is lost.
emulator.faults.next({ kind: 'reset-after', match: { path: '/api/batch' } });
const startedAt = new Date(emulator.clock.now());
const file = createWriteStream(files.outcomes);
const counts = { accepted: 0, rejected: 0, not_sent: 0, unknown: 0, key_reused: 0 };
const unknown = new Set<string>();

for await (const outcome of client.sending.batchAll(emails(files.input), {
  base: { from: { email: 'news@mail.example.com', name: 'The Gardeners' } },
  stream: 'bulk',
  onProgress: (progress) => {
    show(progress, total);
  },
})) {
  const { request, status } = outcome;
  const email = request.to[0]?.email ?? '';
  const told = outcome.message_ids ?? outcome.errors ?? outcome.error.message;
  const hasRoom = file.write(`${JSON.stringify({ ...request.custom_variables, email, status, told })}\n`);
  if (!hasRoom) await once(file, 'drain');
  counts[status] += 1;
  if (status === 'unknown') unknown.add(email);
}
file.end();
await finished(file);
if (process.stdout.isTTY) line();

heading('Outcomes');
for (const [status, count] of Object.entries(counts)) row(status, String(count).padStart(5));
const rejected = (await readFile(files.outcomes, 'utf8'))
  .split('\n')
  .filter((text) => text.includes('"rejected"'));
for (const text of rejected) line(dim(text));

heading('The unknown ones');
// Without a check, a second attempt might send them twice. The log shows the sent ones.
for await (const { to } of client.emailLogs.list({ filters: { sent_after: startedAt } })) unknown.delete(to);
row('in the log', counts.unknown - unknown.size);
row('not in it', [...unknown].join(', '));

await rm(folder, { recursive: true });
