/** Shared by both databases: the names of the tables, and how a row is read. */
import type { DeliveryStatus } from './status.ts';
import type { DeliveryEventRecord, StoredDelivery } from './types.ts';

/** Version 1. A later version uses new tables beside these. */
export const DELIVERIES = 'email_platform_deliveries_v1';
export const EVENTS = 'email_platform_delivery_events_v1';
/** Forgotten recipients, the moment of `prune`, and where backfills ended. */
export const NOTES = 'email_platform_delivery_notes_v1';

/** The note with the moment of `prune`. */
export const PRUNED = 'pruned';
/** The note whose value `forget` and `prune` change, before they remove anything. */
export const GENERATION = 'generation';
/** The names of the notes with forgotten recipients, before their hash. */
export const FORGOTTEN = 'forgotten ';

/** The columns that are read. The library of the database decides the type of the numbers. */
interface Row {
  readonly message_id: string;
  readonly key: string | null;
  readonly recipient: string | null;
  readonly stream: string | null;
  readonly status: string;
  readonly status_at: unknown;
  readonly last_at: unknown;
  readonly variables: string | null;
  /** JSON of all events. */
  readonly events: string;
}

interface EventRow extends Omit<DeliveryEventRecord, 'isUntimed'> {
  readonly is_untimed: unknown;
}

/** The message in a row. */
export function storedIn(row: unknown): StoredDelivery {
  const { message_id, key, recipient, stream, status, status_at, last_at, variables, events } = row as Row;
  return {
    messageId: message_id,
    key,
    recipient,
    stream,
    status: status as DeliveryStatus,
    statusAt: Number(status_at),
    lastAt: Number(last_at),
    variables: variables === null ? null : (JSON.parse(variables) as Record<string, unknown>),
    events: (JSON.parse(events) as EventRow[]).map(({ is_untimed, ...event }) => ({
      ...event,
      isUntimed: Boolean(Number(is_untimed)),
    })),
  };
}
