import { TABLE } from './rows.ts';

/** Creates the table unless it exists. `over` and `claim_id` describe the last claim: see the store. */
export const POSTGRES_SCHEMA = `CREATE TABLE IF NOT EXISTS ${TABLE} (
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
CREATE INDEX IF NOT EXISTS ${TABLE}_open ON ${TABLE} (namespace, claimed_at)
  WHERE state IN ('claimed', 'unknown');
`;
