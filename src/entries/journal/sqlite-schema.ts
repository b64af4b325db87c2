import { FORGOTTEN_IDS, TABLE } from './rows.ts';

/** Creates the tables unless they exist. Times are in milliseconds since 1970, a day in days. */
export const SQLITE_SCHEMA = `CREATE TABLE IF NOT EXISTS ${TABLE} (
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  hash TEXT NOT NULL,
  stream TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('claimed', 'accepted', 'unknown', 'released')),
  attempt TEXT NOT NULL,
  maybe_sent INTEGER NOT NULL,
  claimed_at INTEGER NOT NULL,
  lease_ends_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  message_ids TEXT NOT NULL,
  PRIMARY KEY (namespace, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ${TABLE}_open ON ${TABLE} (namespace, claimed_at)
  WHERE state IN ('claimed', 'unknown');
CREATE TABLE IF NOT EXISTS ${FORGOTTEN_IDS} (
  hash TEXT PRIMARY KEY,
  day INTEGER NOT NULL
) WITHOUT ROWID;
`;
