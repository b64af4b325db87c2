import { describe } from 'vitest';
import { hasPostgresServer, NO_POSTGRES } from './postgres-server.ts';

const isHere = hasPostgresServer();

if (!isHere) process.stderr.write(`\n*** The Postgres tests are SKIPPED. ${NO_POSTGRES}\n\n`);

/** Tests that need a Postgres: skipped with a message if there is none. */
export const describeWithPostgres = describe.skipIf(!isHere);
