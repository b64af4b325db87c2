/** Receives posts, and records their events. `GET /` lists what is recorded, as JSON lines. */
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import {
  postgresDeliveries,
  postgresJournal,
  sqliteDeliveries,
  sqliteJournal,
  type DatabaseDeliveries,
  type PostgresDatabase,
} from '../../../../../src/entries/journal/index.ts';
import { readWebhook } from '../../../../../src/entries/webhooks/index.ts';
import type { DatabaseName } from '../../../../support/sqlite.ts';
import { openDatabase } from './database.ts';

/** The database, and the secret of the webhook. */
export interface ReceiverOrder {
  readonly secret: string;
  readonly sqlite?: { readonly name: DatabaseName; readonly file: string } | undefined;
  readonly postgres?: string | undefined;
}

async function deliveriesOf({ sqlite, postgres }: ReceiverOrder): Promise<DatabaseDeliveries> {
  if (sqlite !== undefined) {
    const database = await openDatabase(sqlite.name, sqlite.file);
    return sqliteDeliveries(database, { journal: sqliteJournal(database) });
  }
  const require = createRequire(import.meta.url.replace(/(.*\/test\/).*/, '$1peers/postgres/package.json'));
  const { Pool } = require('pg') as {
    readonly Pool: new (
      options: object,
    ) => PostgresDatabase & { on(event: 'error', listener: () => void): void };
  };
  const pool = new Pool({ connectionString: postgres, max: 4 });
  pool.on('error', () => undefined);
  return postgresDeliveries(pool, { journal: postgresJournal(pool) });
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

process.once('disconnect', () => process.exit());
process.once('message', (order: ReceiverOrder) => {
  void (async () => {
    const deliveries = await deliveriesOf(order);
    await deliveries.setup();
    const server = createServer((request, response) => {
      void (async () => {
        try {
          if (request.method === 'GET') {
            for await (const { messageId, key, status, opens, clicks } of deliveries.list())
              response.write(
                `${JSON.stringify({ messageId, key, status, opens: opens.count, clicks: clicks.count })}\n`,
              );
            response.end();
            return;
          }
          const post = { payload: await bodyOf(request), headers: request.headers };
          await deliveries.record(await readWebhook(post, { secret: order.secret }));
          response.writeHead(200).end();
        } catch (error) {
          response.writeHead(503).end(String(error));
        }
      })();
    });
    server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  })();
});
