/** Transactions and prepared statements on a connection to a SQLite database. */
import { JournalError } from '../../core/errors.ts';
import { checkNames, NAMES } from './rows.ts';
import { patiently, type Patience } from './patiently.ts';
import {
  isBusy,
  isIterated,
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
} from './sqlite-database.ts';

/** Milliseconds between two tries while another connection is writing. */
export const LOOK_MS = 10;

/** A connection, whose first transaction creates tables. */
export class SqliteConnection {
  readonly #db: SqliteDatabase;
  readonly #schema: string;
  readonly #patience: Patience;
  // Prepares statements at their first use: the database may still be closed now.
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #timed: ((sql: string) => string) | undefined;
  #isSetUp = false;

  /**
   * `schema` creates the tables unless they exist. `sleep` waits while another connection writes. `timed` writes the time
   * of a test into a statement.
   */
  constructor(
    db: SqliteDatabase,
    schema: string,
    sleep: (ms: number) => Promise<void>,
    timed?: (sql: string) => string,
  ) {
    this.#db = db;
    this.#timed = timed;
    this.#schema = schema;
    this.#patience = { isPassing: isBusy, lookMs: LOOK_MS, longestMs: 5_000, sleep };
  }

  readonly statement = (sql: string): SqliteStatement => {
    if (this.#timed) return this.#db.prepare(this.#timed(sql));
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  };

  /**
   * Runs a function in a transaction: commits after a return, rolls back after an error. Fails inside a transaction
   * of the caller, because its changes would not be committed.
   */
  readonly inTransaction = <T>(run: () => T): Promise<T> =>
    this.#whenFree(() => {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        if (!this.#isSetUp) {
          checkNames(this.statement(NAMES).get());
          this.#db.exec(this.#schema);
        }
        const result = run();
        this.#db.exec('COMMIT');
        this.#isSetUp = true;
        return result;
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });

  readonly setup = (): Promise<void> => this.inTransaction(() => undefined);

  /** The rows of a statement that changes nothing. */
  readonly read = async (sql: string, ...values: SqliteValue[]): Promise<readonly unknown[]> => {
    if (!this.#isSetUp) await this.setup();
    return this.#whenFree(() => this.statement(sql).all(...values));
  };

  /** Runs a function, again while another connection is writing. */
  #whenFree<T>(run: () => T): Promise<T> {
    return patiently(() => {
      try {
        return run();
      } catch (error) {
        // A database that was closed and opened again needs new prepared statements.
        this.#statements.clear();
        if (!isIterated(error)) throw error;
        const message = 'its connection is being iterated: give the journal a connection of its own';
        throw new JournalError(message, { cause: error, isRetryable: false });
      }
    }, this.#patience);
  }

  // After some errors SQLite has rolled back already, and refuses this statement.
  #rollBack(): void {
    try {
      this.#db.exec('ROLLBACK');
    } catch {
      // The caller throws the first error, which says more.
    }
  }
}
