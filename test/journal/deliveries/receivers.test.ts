/** The proof of deliveries, in this process: test/journal/proofs/deliveries.test.ts kills processes. */
import {
  createDeliveries,
  postgresDeliveries,
  postgresJournal,
  sqliteDeliveries,
  sqliteJournal,
  type Deliveries,
} from 'email-platform/journal';
import { readWebhook } from 'email-platform/webhooks';
import { expect, test } from 'vitest';
import { databaseOfThisNode } from '../../support/databases.ts';
import { emptyPglite } from '../../support/empty-pglite.ts';
import { sqliteClass } from '../../support/sqlite.ts';
import { proveReceivers, type Receiver } from '../proofs/receivers.ts';
import { MemoryDeliveryStore } from './memory-store.ts';
import { SEED } from '../../support/extent.ts';

/** A receiver that stops where it is, when it is killed. */
function receiverOf(deliveries: Deliveries, secret: string): Receiver {
  let isKilled = false;
  const checkAlive = () => {
    if (isKilled) throw new Error('This receiver was killed');
  };
  return {
    async post(request) {
      const events = await readWebhook(request, { secret });
      checkAlive();
      await deliveries.record(events);
      checkAlive();
      return new Response(null, { status: 200 });
    },
    kill: () => (isKilled = true),
  };
}

const databases: Readonly<Record<string, () => Promise<Deliveries>>> = {
  memory: () => Promise.resolve(createDeliveries(new MemoryDeliveryStore())),
  SQLite: () => {
    const database = new (sqliteClass(databaseOfThisNode().name))(':memory:');
    return Promise.resolve(sqliteDeliveries(database, { journal: sqliteJournal(database) }));
  },
  Postgres: async () => {
    const database = await emptyPglite();
    return postgresDeliveries(database, { journal: postgresJournal(database) });
  },
};

test.each(Object.entries(databases))(
  'receivers that are killed record every status, in %s',
  async (_, create) => {
    const deliveries = await create();
    const figures = await proveReceivers({
      seed: SEED ?? Math.floor(Math.random() * 1e9),
      emails: 60,
      start: (secret) => Promise.resolve(receiverOf(deliveries, secret)),
      recorded: async function* () {
        for await (const { messageId, key, status, opens, clicks } of deliveries.list())
          yield { messageId, key, status, opens: opens.count, clicks: clicks.count };
      },
    });
    expect(figures.kills).toBeGreaterThan(3);
    expect(figures.repeated).toBeGreaterThan(0);
  },
);
