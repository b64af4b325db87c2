import { iso } from '../../../encoding/iso.ts';
import type { State } from '../base/state.ts';
import type { Step } from './course.ts';
import { routeTo } from './events.ts';
import type { EmulatorStream, LogRecord } from './email-log.ts';

/** The counted types of events. */
const COUNTED: ReadonlySet<string> = new Set(['delivery', 'bounce', 'open', 'click', 'spam', 'unsubscribe']);

/** The counts of messages that agree in all properties for filters and groups. */
export interface Sum {
  readonly accountId: number;
  readonly domainId: number;
  readonly stream: EmulatorStream;
  readonly category: string | null;
  readonly provider: string;
  /** The base of a campaign's mailing; `null` for other messages. */
  readonly mailing: string | null;
  /** The day of sending, in UTC. */
  readonly day: string;
  /** The numbers of messages by outcome. `sent` counts all. */
  readonly counts: Record<string, number>;
}

/** The key of a sum. The category comes last, because it can be any text. */
const keyOf = (
  { accountId, domainId, stream, category, provider, mailing }: Omit<Sum, 'counts' | 'day'>,
  dayNumber: number,
) =>
  `${accountId} ${domainId} ${stream} ${provider} ${mailing} ${dayNumber} ${category === null ? '' : `=${category}`}`;

/** A future outcome of one or more messages. */
interface Due {
  readonly at: number;
  readonly outcome: string;
  readonly sum: Sum;
  count: number;
}

const DAY_MS = 86_400_000;
/** The number of latest entries that are searched for an equal outcome. */
const MAX_TOGETHER = 16;

/**
 * The figures of all messages, as sums that grow with each message and each event, so that a request needs no pass through
 * the log. Messages that the log has dropped still count.
 */
export class Sums {
  readonly #sums: Map<string, Sum>;
  /** Sorted when needed, with the next outcome last. */
  readonly #due: Due[];
  #isSorted = false;

  constructor(state: State) {
    const { sums, due } = state.part('sums', { sums: new Map<string, Sum>(), due: [] as Due[] });
    this.#sums = sums;
    this.#due = due;
  }

  add(record: LogRecord): void {
    const sum = this.#sumOf(record);
    sum.counts.sent = (sum.counts.sent ?? 0) + 1;
    const { steps } = record.course;
    for (const [index, { type, afterMs }] of steps.entries()) {
      // A message counts once for each type, at the first of its events.
      if (!COUNTED.has(type) || steps.findIndex((step) => step.type === type) < index) continue;
      this.#expect(record.sentAt + afterMs, type, sum);
    }
  }

  /** Counts an event of now. */
  happen(record: LogRecord, { type, afterMs }: Step): void {
    if (COUNTED.has(type)) this.#expect(record.sentAt + afterMs, type, this.#sumOf(record));
  }

  /** Adds a future outcome. Joins equal ones, because the messages of a batch have outcomes at the same times. */
  #expect(at: number, outcome: string, sum: Sum): void {
    for (let index = this.#due.length - 1; index >= this.#due.length - MAX_TOGETHER; index -= 1) {
      const due = this.#due[index];
      if (due === undefined) break;
      if (due.at !== at || due.outcome !== outcome || due.sum !== sum) continue;
      due.count += 1;
      return;
    }
    this.#due.push({ at, outcome, sum, count: 1 });
    this.#isSorted = false;
  }

  /** The sums of an account at this time. */
  of(accountId: number, now: number): Sum[] {
    this.#settle(now);
    return [...this.#sums.values()].filter((sum) => sum.accountId === accountId);
  }

  /** Counts the outcomes up to `now`. */
  #settle(now: number): void {
    if (!this.#isSorted) this.#due.sort((a, b) => b.at - a.at);
    this.#isSorted = true;
    for (let next = this.#due.at(-1); next !== undefined && next.at <= now; next = this.#due.at(-1)) {
      next.sum.counts[next.outcome] = (next.sum.counts[next.outcome] ?? 0) + next.count;
      this.#due.pop();
    }
  }

  #sumOf(record: LogRecord): Sum {
    const { accountId, domainId, stream, category } = record.mail;
    const provider = routeTo(record.to, stream).email_service_provider;
    const mailing = record.mailing?.facts.base ?? null;
    const key = keyOf(
      { accountId, domainId, stream, category, provider, mailing },
      Math.floor(record.sentAt / DAY_MS),
    );
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      const day = iso(record.sentAt).slice(0, 10);
      sum = { accountId, domainId, stream, category, provider, mailing, day, counts: {} };
      this.#sums.set(key, sum);
    }
    return sum;
  }
}

/** The number of messages with each outcome, and its share of the sent or of the delivered messages. */
export function figuresOf(sums: readonly Sum[]): Record<string, number> {
  const total = (name: string) => sums.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
  const figures: Record<string, number> = {};
  for (const name of ['delivery', 'bounce', 'open', 'click', 'spam']) {
    const count = total(name);
    const whole = total(name === 'open' || name === 'click' ? 'delivery' : 'sent');
    figures[`${name}_count`] = count;
    figures[`${name}_rate`] = whole === 0 ? 0 : count / whole;
  }
  return figures;
}
