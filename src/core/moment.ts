import { mustBe } from './rules.ts';

/** An ISO 8601 date-time, with or without a UTC offset. */
const ISO_DATE_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?:Z|([+-]\d{2}):?(\d{2})?)?$/i;

/**
 * The time of a value, in milliseconds since 1970; NaN for a value without a time. Reads a time without an offset as
 * UTC; the service does not publish how it reads one.
 */
export function momentOf(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  const parts = typeof value === 'string' ? ISO_DATE_TIME.exec(value) : null;
  if (parts === null) return NaN;
  const [, local = '', hours, minutes = '00'] = parts;
  return Date.parse(local + (hours === undefined ? 'Z' : `${hours}:${minutes}`));
}

/** Accepts a date and time with its offset: without one, a program and the service may mean different times. */
export const momentRule = mustBe(
  'a valid Date, or an ISO 8601 date-time with its offset, such as 2031-12-01T09:00Z or 2031-12-01T09:00+01:00',
  (value) =>
    !Number.isNaN(momentOf(value)) &&
    (typeof value !== 'string' || /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(value)),
);
