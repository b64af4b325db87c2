import { EmailPlatform } from 'email-platform';
import {
  createDeliveries,
  deliveryStatusOf,
  postgresDeliveries,
  sqliteDeliveries,
  sqliteJournal,
  type DatabaseDeliveries,
  type Deliveries,
  type DeliveryStatus,
  type DeliveryStore,
  type PostgresDatabase,
  type PostgresJs,
  type SqliteDatabase,
} from 'email-platform/journal';
import { deliveriesContract } from 'email-platform/testing';
import type { WebhookEvent } from 'email-platform/webhooks';

declare const test: (name: string, run: () => Promise<void>) => void;

/** Right calls of deliveries. */
export async function delivered(
  db: SqliteDatabase,
  pool: PostgresDatabase,
  sql: PostgresJs,
  store: DeliveryStore,
  events: WebhookEvent[],
): Promise<DeliveryStatus[]> {
  const client = new EmailPlatform();
  const deliveries: DatabaseDeliveries = sqliteDeliveries(db, {
    journal: sqliteJournal(db),
    variables: ['order'],
  });
  await deliveries.setup();
  const { recorded, repeated, ignored } = await deliveries.record(events);
  await deliveries.recordSent(await client.sending.send({ to: 'a@example.org', subject: 'a', text: 'a' }), {
    key: 'a',
  });
  await postgresDeliveries(pool, { addresses: 'none', schema: 'shop' }).of({ messageId: 'id' });
  await postgresDeliveries(sql, { addresses: { hash: deliveries.schema } }).forget({
    recipient: 'a@example.org',
  });
  const own: Deliveries = createDeliveries(store, { namespace: String(recorded + repeated + ignored) });
  await own.backfill(client, { since: new Date(), onProgress: ({ remainingMs }) => void remainingMs });
  deliveriesContract(test, () => store);
  const [delivery] = await own.of({ key: 'a' });
  const statuses: DeliveryStatus[] = [deliveryStatusOf(delivery?.events.map(({ type }) => type) ?? [])];
  for await (const { status, at } of own.list({ status: 'bounced', since: new Date() }))
    if (at !== null) statuses.push(status);

  // @ts-expect-error -- either a key or a message
  await own.of({ key: 'a', messageId: 'b' });
  // @ts-expect-error -- a status of the log
  own.list({ status: 'not_delivered' });
  // @ts-expect-error -- a secret is a string
  createDeliveries(store, { addresses: { hash: 7 } });
  // @ts-expect-error -- the moment is a Date
  await own.prune({ before: '2026-01-01' });
  return statuses;
}
