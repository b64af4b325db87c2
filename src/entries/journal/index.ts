/**
 * Idempotency keys for sends, in your own database: a key posts its email once, unless you choose `'resend'`. Beside
 * them, the delivery status of each email.
 *
 * @module email-platform/journal
 */

export { createJournal, type JournalOptions } from './create-journal.ts';
export type { AddressPrivacy } from './deliveries/addresses.ts';
export { createDeliveries, type DeliveriesOptions } from './deliveries/create-deliveries.ts';
export type { DatabaseDeliveries } from './deliveries/database-deliveries.ts';
export { postgresDeliveries, type PostgresDeliveriesOptions } from './deliveries/postgres-deliveries.ts';
export type { PostedEvent } from './deliveries/posted-event.ts';
export { sqliteDeliveries, type SqliteDeliveriesOptions } from './deliveries/sqlite-deliveries.ts';
export { deliveryStatusOf, type DeliveryStatus } from './deliveries/status.ts';
export type {
  BackfillOptions,
  BackfillProgress,
  Deliveries,
  Delivery,
  DeliveryCount,
  DeliveryCounts,
  DeliveryEvent,
  DeliveryEventRecord,
  DeliveryFilters,
  DeliveryLog,
  DeliveryPosition,
  DeliveryQuery,
  DeliveryRecord,
  DeliveryStore,
  DeliveryTrace,
  ForgottenRecipient,
  StoredDelivery,
  StoredFilters,
} from './deliveries/types.ts';
export type { DatabaseJournal } from './database-journal.ts';
export { postgresJournal, type PostgresJournal, type PostgresJournalOptions } from './postgres-journal.ts';
export type { PostgresDatabase, PostgresJs, PostgresResult } from './postgres-database.ts';
export { sqliteJournal, type SqliteJournal, type SqliteJournalOptions } from './sqlite-journal.ts';
export type { SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite-database.ts';
export type {
  Journal,
  JournalClaim,
  JournalEntry,
  JournalEvent,
  JournalRecord,
  JournalState,
  JournalStore,
  KeyInFlight,
} from '../../core/journal.ts';
