/**
 * Exports the email log to a file, with an interruption in the middle of a page, and continues at this point. No message is
 * lost or written twice, although the account sends emails in the meantime.
 *
 *     npx tsx examples/resume-an-export.ts
 */
import { appendFile, mkdtemp, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { heading, row } from './print.ts';

const emulator = createEmulator({ seed: 'demo' });
const folder = await mkdtemp(join(tmpdir(), 'export-'));
const files = { messages: join(folder, 'messages.jsonl'), bookmark: join(folder, 'bookmark.json') };

/** The progress of an export: the next cursor (null at the end), and the size of the complete pages in the file. */
interface Bookmark {
  readonly cursor: string | null | undefined;
  readonly bytes: number;
}

async function readBookmark(): Promise<Bookmark> {
  const text = await readFile(files.bookmark, 'utf8').catch(() => '{ "bytes": 0 }');
  return JSON.parse(text) as Bookmark;
}

/** Replaces the bookmark atomically, so that a crash leaves the old one or the new one. */
async function save(bookmark: Bookmark): Promise<void> {
  await writeFile(`${files.bookmark}.new`, JSON.stringify(bookmark));
  await rename(`${files.bookmark}.new`, files.bookmark);
}

/** Exports page by page, starting from the bookmark. */
async function exportLog(maxPages = Infinity): Promise<number> {
  const client = new EmailPlatform(emulator.clientOptions());
  const { cursor, bytes } = await readBookmark();
  if (cursor === null) return 0;
  await appendFile(files.messages, '');
  await truncate(files.messages, bytes); // What follows the bookmark will be exported again.
  let pages = 0;
  for await (const page of client.emailLogs.list({ search_after: cursor }).pages()) {
    await appendFile(files.messages, page.items.map((message) => `${JSON.stringify(message)}\n`).join(''));
    await save({ cursor: page.next_page_cursor, bytes: (await stat(files.messages)).size });
    pages += 1;
    if (pages === maxPages) break;
  }
  return pages;
}

const { total_count } = await new EmailPlatform(emulator.clientOptions()).emailLogs.list();
heading('The log');
row('messages', total_count);

heading('The first run is interrupted in the middle of its third page');
row('pages', await exportLog(2));
await appendFile(files.messages, '{"message_id":"0b9f…');

heading('Emails are sent in the meantime');
emulator.logs.addMany([{ subject: 'Sent later' }, { subject: 'Sent later still' }]);
row('sent', 2);

heading('The second run continues');
row('pages', await exportLog());

heading('A third run has nothing left to do');
row('pages', await exportLog());

const written = (await readFile(files.messages, 'utf8')).trim().split('\n');
const ids = new Set(written.map((text) => (JSON.parse(text) as { message_id: string }).message_id));
heading('The file');
row('messages', written.length);
row('twice', written.length - ids.size);
await rm(folder, { recursive: true });
