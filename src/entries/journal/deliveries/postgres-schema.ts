/** The tables of deliveries in Postgres. Times are in milliseconds since 1970. */
import { tableIn } from '../postgres-schema.ts';
import { DELIVERIES, EVENTS, NOTES } from './tables.ts';

/** Creates the tables unless they exist. */
export const postgresDeliveriesSchema = (schema?: string): string => {
  const [deliveries, events, notes] = [DELIVERIES, EVENTS, NOTES].map((table) => tableIn(schema, table));
  return `CREATE TABLE IF NOT EXISTS ${deliveries} (
  namespace text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  key text COLLATE "C",
  recipient text COLLATE "C",
  stream text,
  status text COLLATE "C" NOT NULL,
  status_at bigint NOT NULL,
  last_at bigint NOT NULL,
  variables text,
  is_forgotten boolean NOT NULL DEFAULT false,
  PRIMARY KEY (namespace, message_id)
);
CREATE INDEX IF NOT EXISTS ${DELIVERIES}_key ON ${deliveries} (namespace, key) WHERE key IS NOT NULL;
CREATE INDEX IF NOT EXISTS ${DELIVERIES}_recipient ON ${deliveries} (namespace, recipient, last_at, message_id)
  WHERE recipient IS NOT NULL;
CREATE INDEX IF NOT EXISTS ${DELIVERIES}_status ON ${deliveries} (namespace, status, last_at, message_id);
CREATE INDEX IF NOT EXISTS ${DELIVERIES}_last ON ${deliveries} (namespace, last_at, message_id);
CREATE INDEX IF NOT EXISTS ${DELIVERIES}_forgotten ON ${deliveries} (namespace, message_id) WHERE is_forgotten;
CREATE TABLE IF NOT EXISTS ${events} (
  namespace text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  identity text COLLATE "C" NOT NULL,
  moment text COLLATE "C" NOT NULL,
  type text NOT NULL,
  at bigint NOT NULL,
  is_untimed boolean NOT NULL,
  code text,
  category text,
  text text,
  url text,
  PRIMARY KEY (namespace, message_id, identity)
);
CREATE TABLE IF NOT EXISTS ${notes} (
  namespace text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (namespace, name)
);
`;
};
