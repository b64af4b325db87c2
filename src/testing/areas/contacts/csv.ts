import type { ContactRecord } from './store.ts';

/** Contacts as CSV, with a column for each field. Its columns are not published. */
export function contactsCsv(contacts: readonly ContactRecord[], mergeTags: readonly string[]): string {
  const rows = [
    ['id', 'email', 'status', 'list_ids', ...mergeTags],
    ...contacts.map(({ id, email, status, listIds, fields }) => [
      id,
      email,
      status,
      listIds.join(' '),
      ...mergeTags.map((tag) => textOf(fields[tag])),
    ]),
  ];
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** The value of a field; nothing for `null` and for none. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A cell, in quotes where it needs them. */
function cell(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
