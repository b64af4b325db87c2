import { FORGOTTEN_IDS, TABLE } from './rows.ts';

/** A name as an identifier in a statement. */
const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The table in a schema; without one, the table that the search path of the connection decides. */
export const tableIn = (schema: string | undefined, table = TABLE): string =>
  schema === undefined ? table : `${identifier(schema)}.${table}`;

/** Creates the tables unless they exist. `over` and `claim_id` describe the last claim: see the statements. */
export const postgresSchema = (schema?: string): string => `CREATE TABLE IF NOT EXISTS ${tableIn(schema)} (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  hash text NOT NULL,
  stream text NOT NULL,
  state text NOT NULL CHECK (state IN ('claimed', 'accepted', 'unknown', 'released')),
  attempt text NOT NULL,
  over text,
  claim_id uuid NOT NULL,
  maybe_sent boolean NOT NULL,
  claimed_at timestamptz NOT NULL,
  lease_ends_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  message_ids text NOT NULL,
  PRIMARY KEY (namespace, key)
);
CREATE INDEX IF NOT EXISTS ${TABLE}_open ON ${tableIn(schema)} (namespace, claimed_at)
  WHERE state IN ('claimed', 'unknown');
CREATE TABLE IF NOT EXISTS ${tableIn(schema, FORGOTTEN_IDS)} (
  hash bytea PRIMARY KEY,
  day date NOT NULL
);
`;
