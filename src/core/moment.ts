import { mustBe } from './rules.ts';

/** An ISO 8601 date-time, with a UTC offset or without. */
const ISO_DATE_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?:Z|([+-]\d{2}):?(\d{2})?)?$/i;

/**
 * The moment that a value names, in milliseconds since 1970; NaN when the value is not a moment. Without an offset it is read as UTC
 * here; how the service reads it is not published.
 */
export function momentOf(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  const parts = typeof value === 'string' ? ISO_DATE_TIME.exec(value) : null;
  if (parts === null) return NaN;
  const [, local = '', hours, minutes = '00'] = parts;
  return Date.parse(local + (hours === undefined ? 'Z' : `${hours}:${minutes}`));
}

/** Accepts a date and time. */
export const momentRule = mustBe(
  'a valid Date, or an ISO 8601 date-time',
  (value) => !Number.isNaN(momentOf(value)),
);
