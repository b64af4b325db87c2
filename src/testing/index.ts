/**
 * The emulator: the service on your machine, for development and tests.
 *
 * @module email-platform/testing
 */

export { connectEmulator } from './emulator/connect.ts';
export type { ConnectedEmulator, ConnectedMessage, Promised } from './emulator/connect.ts';
export { createEmulator } from './emulator/emulator.ts';
export { mailbox } from './mailbox/mailbox.ts';
export { journalContract, type TestFunction } from './journal-contract/journal-contract.ts';
export { deliveriesContract } from './journal-contract/deliveries-contract.ts';
export type {
  JournalClaim,
  JournalEntry,
  JournalRecord,
  JournalState,
  JournalStore,
} from '../core/journal.ts';
export type { Emulator } from './emulator/controls/emulator-types.ts';
export type { NamedAddress } from './reading/content/named-address.ts';
export type { MailCode } from './reading/content/codes.ts';
export type { MailLink } from './reading/text/mail-link.ts';
export type { LinkChoice } from './reading/message/pick.ts';
export type * from './reading/message/message-types.ts';
export type { SaidInMessage } from './reading/content/with-content.ts';
export type { ReportCheck } from './report/checks/all.ts';
export {
  compareReports,
  type ComparedKind,
  type CompareReportsOptions,
  type ReportChange,
  type ReportComparison,
} from './report/compare-reports.ts';
export { joinReports } from './report/join.ts';
export { mailReport, type MailReportClient, type MailReportOptions } from './report/mail-report.ts';
export { ReportError } from './report/summary.ts';
export type { ReportFinding } from './report/data/data.ts';
export type { TriggerType } from './trigger/sample-events.ts';
export { triggerEvent, type TriggeredPost, type TriggerOptions } from './trigger/trigger-event.ts';
