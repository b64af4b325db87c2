import {
  arrayOf,
  check,
  recordOf,
  oneOf,
  or,
  plainObject,
  positive,
  text,
  time,
  wholeFrom,
} from '../../arguments/kind.ts';
import { routeTo } from '../email-logs/events.ts';
import type { EmulatorStream, LogRecord } from '../email-logs/record.ts';

/** The outcomes that are counted, and the events that count as each. */
const OUTCOMES: Readonly<Record<string, string>> = {
  delivery: 'delivery',
  bounce: 'bounce',
  soft_bounce: 'bounce',
  open: 'open',
  click: 'click',
  spam: 'spam',
};

/** Messages that have everything in common that statistics can be filtered or grouped by, and how many met what. */
export interface Sum {
  readonly accountId: number;
  readonly domainId: number;
  readonly stream: EmulatorStream;
  readonly category: string | null;
  readonly provider: string;
  /** The day they were sent, in UTC. */
  readonly day: string;
  /** By outcome; `sent` are all of them. */
  readonly counts: Record<string, number>;
}

const keyOf = ({ accountId, domainId, stream, category, provider, day }: Omit<Sum, 'counts'>) =>
  JSON.stringify([accountId, domainId, stream, category, provider, day]);

interface SavedSums {
  readonly sums: readonly Sum[];
  /** `sum` is a position in `sums`. */
  readonly due: readonly { readonly at: number; readonly outcome: string; readonly sum: number }[];
}

const savedSums = recordOf<SavedSums>({
  sums: arrayOf(
    'sums',
    recordOf<Sum>({
      accountId: positive,
      domainId: positive,
      stream: oneOf(['transactional', 'bulk']),
      category: or(text, null),
      provider: text,
      day: text,
      counts: plainObject,
    }),
  ),
  due: arrayOf(
    'outcomes',
    recordOf<SavedSums['due'][number]>({ at: time, outcome: text, sum: wholeFrom(0) }),
  ),
});

/** An outcome of a message that has not happened yet. */
interface Due {
  readonly at: number;
  readonly outcome: string;
  readonly sum: Sum;
}

/**
 * The figures of all messages, as sums that grow with each message and each event, so that a request does not take a pass
 * through the log. A message that the log has dropped stays counted.
 */
export class Sums {
  readonly #sums = new Map<string, Sum>();
  /** The next one last. */
  readonly #due: Due[] = [];
  #isSorted = true;

  add(record: LogRecord): void {
    const sum = this.#sumOf(record);
    sum.counts.sent = (sum.counts.sent ?? 0) + 1;
    const met = new Set<string>();
    for (const { type, afterMs } of record.course.steps) {
      const outcome = OUTCOMES[type];
      // A message counts once, however often it is opened. Its events are in the order of time.
      if (outcome === undefined || met.has(outcome)) continue;
      met.add(outcome);
      this.#due.push({ at: record.sentAt + afterMs, outcome, sum });
    }
    this.#isSorted = false;
  }

  /** The sums of an account at this time. */
  of(accountId: number, now: number): Sum[] {
    this.#settle(now);
    return [...this.#sums.values()].filter((sum) => sum.accountId === accountId);
  }

  /** Counts what has happened by now. */
  #settle(now: number): void {
    if (!this.#isSorted) this.#due.sort((a, b) => b.at - a.at);
    this.#isSorted = true;
    for (let next = this.#due.at(-1); next !== undefined && next.at <= now; next = this.#due.at(-1)) {
      next.sum.counts[next.outcome] = (next.sum.counts[next.outcome] ?? 0) + 1;
      this.#due.pop();
    }
  }

  save(): SavedSums {
    const sums = [...this.#sums.values()];
    const numbers = new Map(sums.map((sum, number) => [sum, number]));
    // What never happens needs no place.
    const due = this.#due.filter(({ at }) => at !== Infinity);
    return { sums, due: due.map(({ sum, ...one }) => ({ ...one, sum: numbers.get(sum) ?? 0 })) };
  }

  load(saved: unknown, name: string): void {
    check(savedSums, saved, name);
    const { sums, due } = saved as SavedSums;
    for (const sum of sums) this.#sums.set(keyOf(sum), sum);
    for (const { sum: number, ...one } of due) {
      const sum = sums[number];
      if (sum === undefined) throw new RangeError(`\`${name}.due\` names no sum ${number}`);
      this.#due.push({ ...one, sum });
    }
    this.#isSorted = false;
  }

  #sumOf(record: LogRecord): Sum {
    const { accountId, domainId, stream, category } = record.mail;
    const provider = routeTo(record.to, stream).email_service_provider;
    const day = new Date(record.sentAt).toISOString().slice(0, 10);
    const key = keyOf({ accountId, domainId, stream, category, provider, day });
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = { accountId, domainId, stream, category, provider, day, counts: {} };
      this.#sums.set(key, sum);
    }
    return sum;
  }
}
