import { withoutNulls } from '../../wire/fields.ts';
import { arrayOf, fits, integer, oneOf } from '../../../declare/kind.ts';
import { Refusal } from '../../wire/reply.ts';
import type { ContactRecord } from './contacts.ts';

/** A filter of exported contacts: on one of the lists, or with a status. */
export type ExportFilter =
  | { readonly name: 'list_id'; readonly value: readonly number[] }
  | { readonly name: 'subscription_status'; readonly value: ContactRecord['status'] };

const ids = arrayOf('ids', integer);
const status = oneOf(['subscribed', 'unsubscribed']);

/** Reads the filters of an export. The service reports an error in them as a text, not as a list. */
export function readFilters(input: unknown): ExportFilter[] {
  const filters = Array.isArray(input) ? input.map(readFilter) : [undefined];
  const known = filters.filter((filter) => filter !== undefined);
  if (known.length < filters.length) {
    throw new Refusal({ status: 422, json: { errors: { filters: 'invalid' } } });
  }
  return known;
}

function readFilter(input: unknown): ExportFilter | undefined {
  const { name, operator, value: given } = Object(input) as Record<string, unknown>;
  if (operator !== 'equal') return undefined;
  const value = withoutNulls(given);
  if (name === 'list_id' && fits(ids, value)) return { name, value };
  if (name === 'subscription_status' && fits(status, value)) return { name, value };
  return undefined;
}

/** Returns a test whether a contact meets all filters. */
export function meets(filters: readonly ExportFilter[]): (contact: ContactRecord) => boolean {
  return ({ listIds, status }) =>
    filters.every((filter) =>
      filter.name === 'list_id' ? listIds.some((id) => filter.value.includes(id)) : status === filter.value,
    );
}

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

/** The value of a field as text; empty for `null` and for a missing value. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * A cell, in quotes if it needs them (RFC 4180). Own code, because it is one line: `unparse` of papaparse adds 20 kB, and
 * d3-dsv contains code that calls `new Function`.
 */
function cell(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
