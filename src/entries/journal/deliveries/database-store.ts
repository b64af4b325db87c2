/** The additional methods of a store in a database, which may have a journal's table too. */
import type { JournalRecord } from '../../../core/journal.ts';
import type { DeliveryRecord, DeliveryStore, DeliveryTrace } from './types.ts';

/** A store in a database. */
export interface DatabaseDeliveryStore extends DeliveryStore {
  /** Creates the tables, if they are not there. */
  readonly setup: () => Promise<void>;
  /** Whether the table of a journal is beside these tables. */
  readonly hasJournal: () => Promise<boolean>;
  /** Records messages; in the same transaction, settles these keys of the journal. */
  record(
    namespace: string,
    records: readonly DeliveryRecord[],
    keys?: readonly JournalRecord[],
  ): Promise<readonly DeliveryTrace[]>;
  /** The ids of a key's messages in the journal; empty unless the journal has them. */
  readonly idsOfKey: (namespace: string, key: string) => Promise<readonly string[]>;
}

/** A message as the columns of a row; its events apart. */
export const columnsOf = (record: DeliveryRecord) => {
  const { messageId, key, recipient, recipientIds, keyIds, stream, status, statusAt, lastAt, variables } =
    record;
  return {
    message_id: messageId,
    key,
    recipient,
    recipient_ids: recipientIds,
    key_ids: keyIds,
    stream,
    status,
    status_at: statusAt,
    last_at: lastAt,
    variables: variables === null ? null : JSON.stringify(variables),
    has_events: record.events.length > 0,
  };
};

/** The events of messages, as the columns of rows. */
export const eventColumnsOf = (records: readonly DeliveryRecord[]) =>
  records.flatMap(({ messageId, events }) =>
    events.map(({ isUntimed, ...event }) => ({
      message_id: messageId,
      ...event,
      is_untimed: isUntimed ? 1 : 0,
    })),
  );
