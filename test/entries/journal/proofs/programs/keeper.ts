/** Keeps deliveries: does what its parent says, and reports each end. */
import type { AddressPrivacy, PostedEvent } from '../../../../../src/entries/journal/index.ts';
import { DELIVERIES, EVENTS, NOTES } from '../../../../../src/entries/journal/deliveries/tables.ts';
import { openDeliveries, type DeliveriesOrder } from './database.ts';

/** The database. */
export interface KeeperOrder extends DeliveriesOrder {
  readonly addresses: AddressPrivacy;
}

/** An event, whose time is in milliseconds since 1970. */
export type SentEvent = Omit<PostedEvent, 'occurredAt'> & { readonly at: number };

/** A task. */
export type Task =
  | { readonly kind: 'record'; readonly events: readonly SentEvent[] }
  | { readonly kind: 'sent'; readonly ids: readonly string[]; readonly key: string }
  | { readonly kind: 'forget'; readonly recipient: string }
  | { readonly kind: 'prune'; readonly before: number }
  | { readonly kind: 'rows' };

process.once('disconnect', () => process.exit());
process.once('message', ({ addresses, ...order }: KeeperOrder) => {
  void (async () => {
    const { deliveries, rowsOf } = await openDeliveries(order, { addresses, variables: ['name'] });
    await deliveries.setup();
    const run = (task: Task): Promise<unknown> => {
      if (task.kind === 'record')
        return deliveries.record(
          task.events.map(({ at, ...event }) => ({ ...event, occurredAt: new Date(at) })),
        );
      if (task.kind === 'sent') return deliveries.recordSent({ message_ids: task.ids }, { key: task.key });
      if (task.kind === 'forget') return deliveries.forget({ recipient: task.recipient });
      if (task.kind === 'prune') return deliveries.prune({ before: new Date(task.before) });
      return Promise.all([DELIVERIES, EVENTS, NOTES].map(rowsOf));
    };
    process.on('message', ({ id, task }: { id: number; task: Task }) => {
      run(task).then(
        (result) =>
          process.send?.({
            id,
            result: JSON.stringify([result], (_, value: unknown) =>
              typeof value === 'bigint' ? Number(value) : value,
            ),
          }),
        (error: unknown) =>
          process.send?.({ id, error: `${String(error)}: ${String((error as Error).cause)}` }),
      );
    });
    process.send?.('ready');
  })();
});
