/**
 * Imports contacts from a CSV file of any length into a list, as a stream; then exports the list to a file.
 *
 *     npx tsx examples/contacts-from-csv.ts
 *
 * In a project of your own: npm install csv-parse
 */
import { parse } from 'csv-parse';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readPeople, type Person } from './csv.ts';
import { bar, heading, line, red, row } from './print.ts';

// Imports and exports are quick here.
const emulator = createEmulator({ contacts: { importMs: 40, exportMs: 40 } });
const client = new EmailPlatform(emulator.clientOptions());
const { contacts } = client;

const ROWS = 2500;

/**
 * A spreadsheet's "CSV UTF-8", which begins with a byte order mark: quoted names with commas, and one invalid address. Two
 * more people have unsubscribed.
 */
const spreadsheet = [
  '\uFEFFE-Mail,Name,City,Status',
  ...Array.from({ length: ROWS }, (_, id) => {
    const email = id === 1234 ? 'reader1234' : `reader${id}@example.org`;
    return `${email},"Reader, ${id}",${id % 2 === 0 ? 'Rome' : 'Oslo'},subscribed`;
  }),
  'gone1@example.org,One,Rome,unsubscribed',
  'gone2@example.org,Two,Rome,cleaned',
].join('\r\n');

const folder = await mkdtemp(join(tmpdir(), 'contacts-'));
const path = join(folder, 'readers.csv');
await writeFile(path, spreadsheet);

heading('Prepare');
const list = await contacts.lists.create({ name: 'Readers' });
for (const name of ['Name', 'City'])
  await contacts.fields.create({ name, data_type: 'text', merge_tag: name.toLowerCase() });
row('list', `${list.id}  ${list.name}`);

heading('Import');

const leftOut: Person[] = [];

/** Yields a contact for each row of the file, on demand. */
async function* readers(): AsyncGenerator<EmailPlatform.ContactImportItem> {
  for await (const { email, name, fields } of readPeople(path, {
    allowed: { City: 'any' },
    onLeftOut: (person) => leftOut.push(person),
  }))
    yield { email, fields: { name, city: fields.city ?? '' }, list_ids_included: [list.id] };
}

const corrected: EmailPlatform.ContactImportItem[] = [];
for await (const outcome of contacts.imports.run(readers(), {
  contactsPerImport: 1000,
  pollMs: 20,
  onProgress: ({ done }) => line(`${bar(done / ROWS)}  ${String(done).padStart(4)} of ${ROWS}`),
})) {
  const { index, first, status } = outcome;
  if (status === 'finished') {
    row(`import ${index}`, `${outcome.import.created_contacts_count ?? 0} created`);
  } else if (status === 'rejected') {
    // One wrong address rejects the whole import: leave it out, and keep the others for another run.
    const wrong = new Set(outcome.errors.map(({ email }) => email));
    row(`import ${index}`, `${red(status)} because of ${[...wrong].join(', ')}, from row ${first + 2}`);
    corrected.push(...outcome.contacts.filter(({ email }) => !wrong.has(email)));
  } else {
    row(`import ${index}`, `${red(status)}  ${outcome.error?.message ?? ''}`);
  }
}

row('left out', `${leftOut.length} who have unsubscribed, or whose address does not work`);

heading('Import what was right in the rejected one');
for await (const { status, contacts: part } of contacts.imports.run(corrected, { pollMs: 20 }))
  row(status, `${part.length} contacts`);

heading('Export the list');
const { id } = await contacts.exports.create({
  filters: [{ name: 'list_id', operator: 'equal', value: [list.id] }],
});
const file = await contacts.exports.download(id, { pollMs: 20 });
const cities = new Map<string, number>();
for await (const record of Readable.fromWeb(file as never).pipe(parse({ columns: true, bom: true }))) {
  const { city = '' } = record as Record<string, string>;
  cities.set(city, (cities.get(city) ?? 0) + 1);
}
for (const [city, count] of cities) row(city, `${count} contacts`);

await rm(folder, { recursive: true });
