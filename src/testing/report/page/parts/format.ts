/** Formats numbers and times for the reader's language and time zone. */

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'short' });
const number = new Intl.NumberFormat();

export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const count = (value: number): string => number.format(value);

/** `1 mail`, `2 mails`. */
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

export const fullTime = (at: number): string => dayAndTime.format(at);

/** The time alone, on the day of the reference. */
export const shortTime = (at: number, reference: number): string =>
  day.format(at) === day.format(reference) ? time.format(at) : dayAndTime.format(at);

const relative = new Intl.RelativeTimeFormat(undefined, { style: 'narrow', numeric: 'auto' });
const UNITS = [
  [86_400_000, 'day', 'd'],
  [3_600_000, 'hour', 'h'],
  [60_000, 'minute', 'min'],
  [1_000, 'second', 's'],
] as const;

/** `5s ago`, `3d ago`; the date from a week on. */
export function age(at: number, now: number): string {
  const past = Math.max(0, now - at);
  if (past >= 7 * 86_400_000) return day.format(at);
  const [size, unit] = UNITS.find(([size]) => past >= size) ?? [1_000, 'second'];
  return relative.format(-Math.floor(past / size), unit);
}

export const isBadOutcome = (type: string): boolean => /bounce|reject|spam|suspension/.test(type);

/** `120 ms`, `1.5 s`, `2 h`: in the largest unit with a value of 1 or more. */
export function duration(ms: number): string {
  const [size, , unit] = UNITS.find(([size]) => Math.abs(ms) >= size) ?? [1, '', 'ms'];
  return `${number.format(Math.round((ms / size) * 10) / 10)} ${unit}`;
}

/** `512 bytes`, `12 kB`, `3.4 MB`. */
export function bytes(size: number): string {
  if (size < 1_000) return counted(size, 'byte');
  const [unit, name] = size < 1_000_000 ? [1_000, 'kB'] : [1_000_000, 'MB'];
  return `${number.format(Math.round((size / unit) * 10) / 10)} ${name}`;
}

/** An address with its name, such as `Ann <ann@example.org>`. */
export const named = (email: string, name: string | null): string =>
  name === null ? email : `${name} <${email}>`;
