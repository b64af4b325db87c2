import { badRequest } from '../../wire/reply.ts';
import { FILTERS } from './filters.ts';
import type { LogRecord, LogSettings } from '../../state/emails/email-log.ts';

/** The conditions for the messages of a list. */
export interface Conditions {
  /** A cache key, which does not depend on the order of the conditions. */
  readonly key: string;
  /** Tests the conditions that do not depend on time; undefined if there are none. */
  readonly lasting: Met | undefined;
  /** Tests the conditions that depend on time; undefined if there are none. */
  readonly changing: Met | undefined;
}

type Met = (record: LogRecord, now: number) => boolean;

interface Given {
  operator?: string;
  value?: string;
  list?: string[];
}

interface Condition {
  readonly met: Met;
  readonly changesWithTime: boolean;
}

/**
 * Reads `filters[…]` from a query. Like the service, it silently ignores filters that are unknown or invalid: a filter
 * with a typo matches everything.
 */
export function readConditions(
  query: URLSearchParams,
  unreadable: LogSettings['unreadableDates'],
): Conditions {
  const conditions: Condition[] = [...datesOf(query, unreadable)];
  const used: string[] = [];
  for (const [name, input] of filtersOf(query)) {
    const condition = conditionOf(name, input);
    if (condition === undefined) continue;
    conditions.push(condition);
    used.push(JSON.stringify([name, input.operator, input.value, input.list]));
  }
  for (const name of ['sent_after', 'sent_before'])
    used.push(JSON.stringify([name, query.get(`filters[${name}]`)]));
  return {
    key: used.sort().join(' '),
    lasting: every(conditions.filter(({ changesWithTime }) => !changesWithTime)),
    changing: every(conditions.filter(({ changesWithTime }) => changesWithTime)),
  };
}

const every = (conditions: readonly Condition[]): Met | undefined =>
  conditions.length === 0 ? undefined : (record, now) => conditions.every(({ met }) => met(record, now));

function filtersOf(query: URLSearchParams): Map<string, Given> {
  const found = new Map<string, Given>();
  for (const [key, value] of query) {
    const [, name, part, brackets] = /^filters\[(\w+)\]\[(operator|value)\](\[\])?$/.exec(key) ?? [];
    if (name === undefined) continue;
    const input = found.get(name) ?? {};
    found.set(name, input);
    if (part === 'operator') input.operator = value;
    else if (brackets === undefined) input.value = value;
    else (input.list ??= []).push(value);
  }
  return found;
}

function conditionOf(name: string, input: Given): Condition | undefined {
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (filter === undefined || input.operator === undefined) return undefined;
  const operator = Object.hasOwn(filter.operators, input.operator)
    ? filter.operators[input.operator]
    : undefined;
  if (operator === undefined || (input.list !== undefined && input.value !== undefined)) return undefined;
  const values = input.list ?? (input.value === undefined ? [] : [input.value]);
  if (operator.takes === 'one' && input.list !== undefined) return undefined;
  if (operator.takes !== 'none' && values.length === 0) return undefined;
  if (filter.valid !== undefined && !values.every(filter.valid)) return undefined;
  const agrees = operator.agrees(values);
  return {
    met: (record, now) => agrees(filter.has(record, now)),
    changesWithTime: filter.changesWithTime ?? false,
  };
}

function datesOf(query: URLSearchParams, unreadable: LogSettings['unreadableDates']): Condition[] {
  const read = (name: string) => {
    const input = query.get(`filters[${name}]`);
    if (input === null) return undefined;
    const time = timeOf(input);
    if (!Number.isNaN(time)) return time;
    if (unreadable === 'refuse') throw badRequest(`filters[${name}] is not a valid date`);
    return undefined;
  };
  const after = read('sent_after');
  const before = read('sent_before');
  if (after !== undefined && before !== undefined && after > before) {
    throw badRequest('filters[sent_after] must not be later than filters[sent_before]');
  }
  if (after === undefined && before === undefined) return [];
  const [from, to] = [after ?? -Infinity, before ?? Infinity];
  return [{ met: ({ sentAt }) => sentAt >= from && sentAt <= to, changesWithTime: false }];
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Reads an ISO 8601 date. Without an offset it is in UTC, not in the time zone of the process. */
function timeOf(text: string): number {
  const found = ISO_DATE.exec(text);
  if (found === null) return Number.NaN;
  return Date.parse(found[1] === undefined && text.includes('T') ? `${text}Z` : text);
}
