import { unprocessable } from '../../route.ts';

const ISO_8601 = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Reads the start time of a campaign: ISO 8601 (UTC without an offset), in the future, at most a calendar month ahead. */
export function readScheduleTime(given: unknown, now: number): number {
  const time = typeof given === 'string' ? parse(given) : Number.NaN;
  if (Number.isNaN(time)) throw unprocessable('datetime is invalid');
  if (time <= now) throw unprocessable('datetime must be in the future');
  if (time > monthAfter(now)) throw unprocessable('datetime must be within 1 month from now');
  return time;
}

function parse(value: string): number {
  const parts = ISO_8601.exec(value);
  if (parts === null) return Number.NaN;
  const [, year, month, day, offset] = parts;
  // Date turns the 31st of a shorter month into a day of the next one, which is not the requested day.
  if (Number(day) > daysIn(Number(year), Number(month) - 1)) return Number.NaN;
  const zone = offset === undefined ? 'Z' : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  return Date.parse(offset === undefined ? value + zone : value.slice(0, -offset.length) + zone);
}

/** The same day and time of the next month, or its last day if it has no such day. */
function monthAfter(now: number): number {
  const date = new Date(now);
  const last = daysIn(date.getUTCFullYear(), date.getUTCMonth() + 1);
  date.setUTCMonth(date.getUTCMonth() + 1, Math.min(date.getUTCDate(), last));
  return date.getTime();
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}
