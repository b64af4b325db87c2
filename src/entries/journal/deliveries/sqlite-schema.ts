/** The tables of deliveries in SQLite. Times are in milliseconds since 1970. */
import { DELIVERIES, EVENTS, NOTES } from './tables.ts';

/** Creates the tables unless they exist. */
export const SQLITE_DELIVERIES_SCHEMA = `CREATE TABLE IF NOT EXISTS ${DELIVERIES} (
  namespace TEXT NOT NULL,
  message_id TEXT NOT NULL,
  key TEXT,
  recipient TEXT,
  stream TEXT,
  status TEXT NOT NULL,
  status_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  variables TEXT,
  is_forgotten INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (namespace, message_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ${DELIVERIES}_key ON ${DELIVERIES} (namespace, key) WHERE key IS NOT NULL;
CREATE INDEX IF NOT EXISTS ${DELIVERIES}_recipient ON ${DELIVERIES} (namespace, recipient, last_at, message_id)
  WHERE recipient IS NOT NULL;
CREATE INDEX IF NOT EXISTS ${DELIVERIES}_status ON ${DELIVERIES} (namespace, status, last_at, message_id);
CREATE INDEX IF NOT EXISTS ${DELIVERIES}_last ON ${DELIVERIES} (namespace, last_at, message_id);
CREATE TABLE IF NOT EXISTS ${EVENTS} (
  namespace TEXT NOT NULL,
  message_id TEXT NOT NULL,
  identity TEXT NOT NULL,
  moment TEXT NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  is_untimed INTEGER NOT NULL,
  code TEXT,
  category TEXT,
  text TEXT,
  url TEXT,
  PRIMARY KEY (namespace, message_id, identity)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${NOTES} (
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (namespace, name)
) WITHOUT ROWID;
`;
