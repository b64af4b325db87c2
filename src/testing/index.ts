/**
 * The emulator: the service on your machine, for development and tests.
 *
 * @module email-platform/testing
 */

export { connectEmulator } from './connect.ts';
export type { ConnectedEmulator, ConnectedMessage, EmulatorConnectOptions, Promised } from './connect.ts';
export { createEmulator } from './emulator.ts';
export { mailbox } from './mailbox/mailbox.ts';
export { journalContract, type TestFunction } from './journal-contract.ts';
export { deliveriesContract } from './deliveries-contract.ts';
export type {
  JournalClaim,
  JournalEntry,
  JournalRecord,
  JournalState,
  JournalStore,
} from '../journal/types.ts';
export type { EmulatorAnswers } from './answers.ts';
export type { EmulatorAccountOptions } from './areas/accounts/store.ts';
export type { EmulatorCampaignState, EmulatorCampaignTiming } from './areas/campaigns/store.ts';
export type { EmulatorContactOptions } from './areas/contacts/store.ts';
export type { EmulatorDomainTiming } from './areas/sending-domains/store.ts';
export type { EmulatorInboundOptions } from './areas/inbound/store.ts';
export type {
  EmulatorInboundFields,
  EmulatorInboundFile,
  EmulatorReceived,
} from './areas/inbound/receive.ts';
export type {
  EmulatorLogEvent,
  EmulatorLogFields,
  EmulatorLogOptions,
  EmulatorStream,
} from './areas/email-logs/store.ts';
export type {
  EmulatorDeliveryTiming,
  EmulatorEventType,
  EmulatorLogStatus,
} from './areas/email-logs/course.ts';
export type { EmulatorSandboxOptions } from './areas/sandbox/store.ts';
export type { EmulatorSeed } from './areas/area.ts';
export type { EmulatorMessage, EmulatorSendingOptions } from './areas/sending/outbox.ts';
export type { EmulatorAttachment, EmulatorMessageTemplate } from './areas/sending/mail.ts';
export type { EmulatorSuppressionOptions } from './areas/suppressions/store.ts';
export type { EmulatorTemplate, EmulatorTemplateFields, EmulatorTemplates } from './areas/templates/area.ts';
export type {
  EmulatorForwarding,
  EmulatorWebhookOptions,
  EmulatorWebhookType,
} from './areas/webhooks/store.ts';
export type { EmulatorWebhookPost } from './areas/webhooks/posts.ts';
export type { EmulatorClock } from './clock.ts';
export type {
  Emulator,
  EmulatorCampaignFields,
  EmulatorCampaigns,
  EmulatorClientOptions,
  EmulatorConnection,
  EmulatorControlDoor,
  EmulatorControls,
  EmulatorDomain,
  EmulatorDomains,
  EmulatorInbound,
  EmulatorInboundInbox,
  EmulatorLogs,
  EmulatorMessageFilter,
  EmulatorMessageWait,
  EmulatorRequestFilter,
  EmulatorSandbox,
  EmulatorServer,
  EmulatorWebhooks,
} from './emulator-types.ts';
export type {
  EmulatorEndpoint,
  EmulatorHandler,
  EmulatorHandlerRemoval,
  EmulatorHandlerRequest,
} from './endpoint-handlers.ts';
export type {
  EmulatorFault,
  EmulatorFaultKind,
  EmulatorFaultMatch,
  EmulatorFaults,
  EmulatorPendingFault,
} from './faults.ts';
export type { EmulatorHost, EmulatorHosts } from './hosts.ts';
export type { EmulatorCors } from './http/cors.ts';
export type { EmulatorControlOptions, EmulatorListenOptions } from './http/options.ts';
export type { EmulatorLimit, EmulatorLimits, EmulatorPool } from './limiter.ts';
export type { MailLink } from './mailbox/mail-link.ts';
export type { LinkChoice } from './mailbox/pick.ts';
export type {
  Mailbox,
  MailboxAttachment,
  MailboxClient,
  MailboxFilter,
  MailboxInbox,
  MailboxInboxOptions,
  MailboxMail,
  MailboxMessage,
  MailboxMessageList,
  MailboxMessagePage,
  MailboxNone,
  MailboxOptions,
  MailboxRequestOptions,
  MailboxWait,
} from './mailbox/types.ts';
export type { SaidInMessage } from './mailbox/with-content.ts';
export type { EmulatorOptions } from './options.ts';
export type { ReportCheck } from './report/checks/all.ts';
export { joinReports } from './report/join.ts';
export { mailReport, type MailReportClient, type MailReportOptions } from './report/mail-report.ts';
export type { EmulatorReportOptions } from './report/options.ts';
export { ReportError, type EmulatorReport } from './report/summary.ts';
export type { ReportFinding } from '../report/data.ts';
export type { EmulatorRequest } from './request-log.ts';
export type { EmulatorSnapshot } from './snapshot.ts';
export type { TriggerType } from './trigger/sample-events.ts';
export { triggerEvent, type TriggeredPost, type TriggerOptions } from './trigger/trigger-event.ts';
export type { EmulatorAccess, EmulatorArea, EmulatorTokenOptions } from './tokens.ts';
export type { EmulatorWindowKind } from './windows.ts';
