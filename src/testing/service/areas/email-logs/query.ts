import { reachesDomain, type TokenRecord } from '../../state/account/tokens.ts';
import type { Conditions } from './conditions.ts';
import { type LogRecord, countBefore, type LogStore } from '../../state/emails/email-log.ts';

interface Answered {
  readonly version: number;
  readonly at: number;
  readonly lasts: boolean;
  /** The messages that match now or may match later. */
  readonly candidates: readonly LogRecord[];
  readonly matching: readonly LogRecord[];
}

/** One page of the log, newest first. */
export interface LogPage {
  readonly records: readonly LogRecord[];
  readonly total: number;
  readonly next: string | null;
}

/** The most lists in the cache: enough for a few that clients read at the same time. */
const MAX_REMEMBERED = 8;

/**
 * Finds messages. Caches a list until the log changes, so that the next page needs no pass through the whole log. If only
 * time has passed, tests the candidates again.
 */
export class LogQuery {
  readonly #store: LogStore;
  readonly #shownWithinMs: number;
  readonly #answers = new Map<string, Answered>();

  constructor(store: LogStore, shownWithinMs: number) {
    this.#store = store;
    this.#shownWithinMs = shownWithinMs;
  }

  /** The message with this id, if the log already shows it and the token may see it. */
  find(token: TokenRecord, id: string, now: number): LogRecord | undefined {
    const record = this.shown(token.accountId, id, now);
    return record !== undefined && reachesDomain(token, record.mail.domainId) ? record : undefined;
  }

  /** The account's message with this id, if the log already shows it. */
  shown(accountId: number, id: string, now: number): LogRecord | undefined {
    const record = this.#store.find(accountId, id);
    return record !== undefined && this.#isShown(record, now) ? record : undefined;
  }

  /** Returns the page that follows `after`, or the first one. */
  page(
    token: TokenRecord,
    conditions: Conditions,
    after: LogRecord | undefined,
    size: number,
    now: number,
  ): LogPage {
    const matching = this.#matching(token, conditions, now);
    const end = after === undefined ? matching.length : countBefore(matching, after);
    const from = Math.max(0, end - size);
    const records = matching.slice(from, end).reverse();
    return { records, total: matching.length, next: from > 0 ? (records.at(-1)?.id ?? null) : null };
  }

  #matching(token: TokenRecord, conditions: Conditions, now: number): readonly LogRecord[] {
    const { accountId, domains } = token;
    const { lasting, changing } = conditions;
    const all = this.#store.sorted(accountId);
    const isAllShown = this.#shownWithinMs === 0;
    if (lasting === undefined && changing === undefined && domains === undefined && isAllShown) return all;
    // An empty list of domains and `null`, for every domain, are different keys.
    const key = JSON.stringify([accountId, domains ?? null, conditions.key]);
    const { version, lastEventAt } = this.#store;
    const before = this.#answers.get(key);
    const cached = before?.version === version ? before : undefined;
    if (cached?.lasts === true || cached?.at === now) return cached.matching;
    const candidates =
      cached?.candidates ??
      all.filter((record) => reachesDomain(token, record.mail.domainId) && (lasting?.(record, now) ?? true));
    const shown = isAllShown ? candidates : candidates.filter((record) => this.#isShown(record, now));
    const matching = changing === undefined ? shown : shown.filter((record) => changing(record, now));
    const lasts = shown.length === candidates.length && (changing === undefined || now >= lastEventAt);
    this.#answers.delete(key);
    this.#answers.set(key, { version, at: now, lasts, candidates, matching });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MAX_REMEMBERED) break;
      this.#answers.delete(oldest);
    }
    return matching;
  }

  /** The first 32 bits of the id determine the delay of a message, so that the delay needs no state. */
  #isShown({ id, sentAt }: LogRecord, now: number): boolean {
    return now >= sentAt + this.#shownWithinMs * (Number.parseInt(id.slice(0, 8), 16) / 2 ** 32);
  }
}
