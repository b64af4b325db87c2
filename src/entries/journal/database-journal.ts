/** A journal in a database, with methods for repair by hand after a crash. */
import type { Journal, JournalEntry, JournalStore } from '../../core/journal.ts';
import { oneOf, refuse } from '../../core/rules.ts';
import { createJournal, type JournalOptions } from './create-journal.ts';
import { checkClaims, checkRecords } from './row-rules.ts';

/** The additional methods of a store in a database. */
export interface DatabaseStore extends JournalStore {
  /** Creates the table, if it is not there. */
  readonly setup: () => Promise<void>;
  /** The keys of a namespace that are `claimed` with a running lease. */
  readonly claimed: (namespace: string) => Promise<readonly JournalEntry[]>;
  /** Releases those of the keys that are open, and returns them. */
  readonly free: (namespace: string, keys: readonly string[], maybeSent: boolean) => Promise<string[]>;
}

/** A journal in a database. */
export interface DatabaseJournal extends Journal {
  /** SQL that creates the table, for migrations by hand. It does nothing if the table exists. */
  readonly schema: string;
  /** Creates the table, if it is not there. The first use of the journal does so, too. */
  setup(): Promise<void>;
  /** The keys in flight: `claimed` with a running lease. The process that sends their emails may have crashed. */
  claimed(): Promise<readonly JournalEntry[]>;
  /**
   * Frees keys, so that the next send with a key posts its email. Frees only open keys: `unknown`, or `claimed` with
   * a lease that has ended.
   *
   * @param keys - the keys to free
   * @param as - `'release'` if their emails were certainly not sent; `'resend'` if they may have been sent, and two
   * emails are better than none. A key freed with `'resend'` is `unknown` again if that send fails too.
   * @returns the keys that were freed
   * @throws ConfigurationError if `as` is another value
   */
  free(keys: readonly string[], as: 'release' | 'resend'): Promise<readonly string[]>;
}

const asRule = oneOf(['release', 'resend']);

/** Makes a journal from a store in a database. */
export function databaseJournal(
  { setup, claimed, free, ...store }: DatabaseStore,
  schema: string,
  options: JournalOptions,
): DatabaseJournal {
  const checked: JournalStore = {
    ...store,
    async claim(claims) {
      checkClaims(claims);
      return store.claim(claims);
    },
    async record(records) {
      checkRecords(records);
      return store.record(records);
    },
  };
  const journal = createJournal(checked, options);
  const { namespace } = journal;
  return Object.assign(journal, {
    schema,
    setup,
    claimed: () => claimed(namespace),
    free: async (keys: readonly string[], as: 'release' | 'resend') => {
      refuse('as', asRule(as));
      return free(namespace, keys, as === 'resend');
    },
  });
}
