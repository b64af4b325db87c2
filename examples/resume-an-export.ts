/**
 * Exports the email log to a file, is stopped half way, and goes on where it was: no message is lost or written twice,
 * although mails are sent meanwhile.
 *
 *     npx tsx examples/resume-an-export.ts
 */
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { heading, row } from './print.ts';

const emulator = createEmulator({ seed: 'demo' });
const folder = await mkdtemp(join(tmpdir(), 'export-'));
const files = { messages: join(folder, 'messages.jsonl'), cursor: join(folder, 'cursor') };

/** Exports page by page; after each, what was written and how to go on stand in the files. */
async function exportLog(maxPages = Infinity): Promise<number> {
  const client = new EmailPlatform(emulator.clientOptions());
  const cursor = await readFile(files.cursor, 'utf8').catch(() => undefined);
  let pages = 0;
  for await (const page of client.emailLogs.list({ search_after: cursor }).pages()) {
    await appendFile(files.messages, page.items.map((message) => `${JSON.stringify(message)}\n`).join(''));
    if (page.next_page_cursor !== null) await writeFile(files.cursor, page.next_page_cursor);
    pages += 1;
    if (pages === maxPages) break;
  }
  return pages;
}

heading('The first sitting ends after two pages');
row('pages', await exportLog(2));

heading('Mails are sent meanwhile');
emulator.logs.addMany([{ subject: 'Sent later' }, { subject: 'Sent later still' }]);
row('sent', 2);

heading('The second sitting goes on');
row('pages', await exportLog());

const written = (await readFile(files.messages, 'utf8')).trim().split('\n');
const ids = new Set(written.map((text) => (JSON.parse(text) as { message_id: string }).message_id));
heading('The file');
row('messages', written.length);
row('twice', written.length - ids.size);
await rm(folder, { recursive: true });
