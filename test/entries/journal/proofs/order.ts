import type { DatabaseName } from '../../../support/sqlite.ts';
import { join } from 'node:path';
import type { SenderOrder } from './messages.ts';
import type { Service } from './processes.ts';

/** The timeout of the proofs, long enough for a busy machine. */
export const TIMEOUT_MS = 120_000;

interface Parts {
  readonly service: Service;
  readonly name: DatabaseName;
  readonly folder: string;
  /** The name of the database's file, without the kind of database. */
  readonly file: string;
  readonly count: number;
}

/** A run of `batchAll` as most are: by the machine's clocks, with the journal's defaults. */
export const orderOf = (
  { service, name, folder, file, count }: Parts,
  more: Partial<SenderOrder> = {},
): SenderOrder => ({
  connection: service.connection,
  database: name,
  file: join(folder, `${name.replace(':', '-')}-${file}.db`),
  count,
  timeoutMs: TIMEOUT_MS,
  onUnknown: 'report',
  settles: false,
  movedOnMs: 0,
  clockOffMs: 0,
  ...more,
});
