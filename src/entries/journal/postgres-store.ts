/**
 * Keys in a table of a Postgres database.
 *
 * A claim must be committed when it returns. The statement itself cannot detect a transaction of the caller on its
 * connection, so a second statement asks for the status of the first one's transaction.
 */
import { JournalError } from '../../core/errors.ts';
import type { JournalClaim, JournalEntry, JournalRecord } from '../../core/journal.ts';
import type { DatabaseStore } from './database-journal.ts';
import { patiently, type Patience } from './patiently.ts';
import { isPassing, type PostgresDatabase } from './postgres-database.ts';
import * as statements from './postgres-statements.ts';
import { isCommitted, PostgresTable, type Query } from './postgres-table.ts';
import { entryOf } from './rows.ts';

/** SQLSTATE of a missing table. */
const UNDEFINED_TABLE = '42P01';

const idOf = ({ namespace, key }: { readonly namespace: string; readonly key: string }) =>
  JSON.stringify([namespace, key]);

/** Splits rows into groups without duplicate keys: a statement can change a row only once. */
function groupsOf<T extends { readonly namespace: string; readonly key: string }>(all: readonly T[]): T[][] {
  const groups: Map<string, T>[] = [];
  for (const one of all) {
    const id = idOf(one);
    const free = groups.find((group) => !group.has(id)) ?? new Map<string, T>();
    if (free.size === 0) groups.push(free);
    free.set(id, one);
  }
  return groups.map((group) => [...group.values()]);
}

/** A row that a claim returns. */
interface ClaimedRow {
  readonly namespace: string;
  readonly key: string;
  readonly is_claimed: unknown;
  readonly xact: string;
}

/**
 * Keeps keys in a table of the database, in this schema or in the one that the search path decides. `sleep` waits while
 * the database is unavailable.
 */
export function postgresStore(
  db: PostgresDatabase,
  sleep: (ms: number) => Promise<void>,
  schema?: string,
): DatabaseStore {
  const patience: Patience = { isPassing, lookMs: 100, longestMs: 10_000, sleep };
  const patientQuery: Query = async (text, values) =>
    (await patiently(() => db.query(text, values), patience)).rows;
  const table = new PostgresTable(patientQuery, schema);

  /** Runs a statement that may safely run twice. */
  const query = async (statementIn: (table: string) => string, values: string[]) => {
    const name = await table.find();
    try {
      return await patientQuery(statementIn(name), values);
    } catch (error) {
      if ((Object(error) as { readonly code?: unknown }).code !== UNDEFINED_TABLE) throw error;
      return patientQuery(statementIn(await table.missing()), values);
    }
  };

  const record = async (records: readonly JournalRecord[]): Promise<void> => {
    for (const group of groupsOf(records)) {
      const rows = group.map(({ namespace, key, stream, attempt, state, messageIds }) => {
        return { namespace, key, stream, attempt, state, message_ids: JSON.stringify(messageIds) };
      });
      await query(statements.recordIn, [JSON.stringify(rows)]);
    }
  };

  /** Throws unless the transaction of a claim is committed: no request may be sent before. */
  const checkCommitted = async (xact: string, claims: readonly JournalClaim[]): Promise<void> => {
    if (await isCommitted(patientQuery, xact)) {
      table.used();
      return;
    }
    // Frees the keys if that transaction is committed later.
    await record(claims.map((claim) => ({ ...claim, state: 'released', messageIds: [] }))).catch(
      () => undefined,
    );
    throw new JournalError(
      'the claim is not committed, because its connection is inside a transaction: give the journal a pool, or a connection of its own',
    );
  };

  /** Claims different keys. */
  const claimGroup = async (
    claims: readonly JournalClaim[],
  ): Promise<Map<string, JournalEntry | undefined>> => {
    const rows = claims.map((claim) => {
      const { namespace, key, hash, stream, attempt, leaseMs, over } = claim;
      return { namespace, key, hash, stream, attempt, over, lease_ms: Math.ceil(leaseMs) };
    });
    const answered = (await query(statements.claimIn, [
      JSON.stringify(rows),
      crypto.randomUUID(),
    ])) as readonly ClaimedRow[];
    const isClaimed = (row: ClaimedRow) => Number(row.is_claimed) === 1;
    const claimed = answered.find(isClaimed);
    if (claimed) await checkCommitted(claimed.xact, claims);
    const entries = new Map(answered.map((row) => [idOf(row), isClaimed(row) ? undefined : entryOf(row)]));
    if (!claims.every((claim) => entries.has(idOf(claim))))
      throw new JournalError(
        'Postgres returned no row for a claim: a trigger of the table may have hidden it',
      );
    return entries;
  };

  return {
    setup: async () => void (await table.find()),
    record,
    async claim(claims) {
      const entries = new Map<JournalClaim, JournalEntry | undefined>();
      for (const group of groupsOf(claims)) {
        const byId = await claimGroup(group);
        for (const claim of group) entries.set(claim, byId.get(idOf(claim)));
      }
      return claims.map((claim) => entries.get(claim));
    },
    open: async (namespace) => (await query(statements.openIn, [namespace])).map(entryOf),
    claimed: async (namespace) => (await query(statements.claimedIn, [namespace])).map(entryOf),
    async free(namespace, keys, maybeSent) {
      const open = await query(statements.openOfTheseIn, [namespace, JSON.stringify(keys)]);
      const rows = await query(statements.freeIn, [namespace, JSON.stringify(open), String(maybeSent)]);
      return rows.map((row) => (row as { readonly key: string }).key);
    },
    async forget(namespace, before) {
      let forgotten = 0;
      for (let last: string | null = ''; last !== null;) {
        const [row] = (await query(statements.forgetIn, [
          namespace,
          last,
          String(Math.floor(before)),
        ])) as readonly {
          readonly last: string | null;
          readonly forgotten: unknown;
        }[];
        forgotten += Number(row?.forgotten ?? 0);
        last = row?.last ?? null;
      }
      await query(statements.endMemoryIn, []);
      return forgotten;
    },
  };
}
