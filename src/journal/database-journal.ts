/** A journal in a database: beside what every journal has, what is done by hand after a crash. */
import type { Journal, JournalEntry, JournalStore } from './types.ts';
import { oneOf, refuse } from '../core/rules.ts';
import { createJournal, type JournalOptions } from './create-journal.ts';
import { checkClaims, checkRecords } from './row-rules.ts';

/** The additional methods of a store in a database. */
export interface DatabaseStore extends JournalStore {
  /** Creates the table, if it is not there. */
  readonly setup: () => Promise<void>;
  /** The keys of a namespace that are `claimed`, with a lease that is not over. */
  readonly claimed: (namespace: string) => Promise<readonly JournalEntry[]>;
  /** Makes keys `released` that are open. Returns these. */
  readonly free: (namespace: string, keys: readonly string[], maybeSent: boolean) => Promise<string[]>;
}

/** A journal in a database. */
export interface DatabaseJournal extends Journal {
  /** The statements that create the table, for those who migrate by hand. They do nothing where it is there already. */
  readonly schema: string;
  /** Creates the table, if it is not there. The first use of the journal does so, too. */
  setup(): Promise<void>;
  /** The keys in flight: `claimed`, with a lease that is not over. A process sends their emails now, or is gone. */
  claimed(): Promise<readonly JournalEntry[]>;
  /**
   * Frees keys, so that the next send with one posts its email. Only open keys are freed: those that are `unknown`, or
   * `claimed` with a lease that is over.
   *
   * @param keys - which keys
   * @param as - `'release'` if their emails were certainly not sent; `'resend'` if they may have been, and had better come
   * twice than not at all. A key freed with `'resend'` is `unknown` again if that send fails too.
   * @returns the keys that were freed
   * @throws ConfigurationError if `as` is neither
   */
  free(keys: readonly string[], as: 'release' | 'resend'): Promise<readonly string[]>;
}

const asRule = oneOf(['release', 'resend']);

/** Makes a journal of a store in a database. */
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
