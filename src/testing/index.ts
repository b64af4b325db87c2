/**
 * The emulator: the service on your machine, for development and tests.
 *
 * @module email-platform/testing
 */

export { connectEmulator } from './emulator/connect.ts';
export type {
  ConnectedEmulator,
  ConnectedMessage,
  EmulatorConnectOptions,
  Promised,
} from './emulator/connect.ts';
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
export type { EmulatorAnswers } from './service/state/account/answers.ts';
export type { EmulatorAccountOptions } from './service/state/account/accounts.ts';
export type { EmulatorCampaignState, EmulatorCampaignTiming } from './service/state/delivery/campaigns.ts';
export type { EmulatorContactOptions } from './service/state/audience/contacts.ts';
export type { EmulatorDomainTiming } from './service/state/account/domains.ts';
export type { EmulatorInboundOptions } from './service/state/inboxes/inbound.ts';
export type {
  EmulatorInboundFields,
  EmulatorInboundFile,
  EmulatorReceived,
} from './service/areas/inbound/receive.ts';
export type {
  EmulatorLogEvent,
  EmulatorLogFields,
  EmulatorLogOptions,
  EmulatorStream,
} from './service/state/emails/email-log.ts';
export type {
  EmulatorDeliveryTiming,
  EmulatorEventType,
  EmulatorLogStatus,
} from './service/state/emails/course.ts';
export type { EmulatorSandboxOptions } from './service/state/inboxes/sandbox.ts';
export type { EmulatorSeed } from './service/routing/area.ts';
export type { EmulatorMessage, EmulatorSendingOptions } from './service/state/emails/outbox.ts';
export type { EmulatorAttachment, EmulatorMessageTemplate } from './service/state/emails/mail.ts';
export type { EmulatorSuppressionOptions } from './service/state/audience/suppressions.ts';
export type {
  EmulatorTemplate,
  EmulatorTemplateFields,
  EmulatorTemplates,
} from './service/areas/templates/area.ts';
export type {
  EmulatorForwarding,
  EmulatorWebhookOptions,
  EmulatorWebhookType,
} from './service/state/posts/webhooks.ts';
export type { EmulatorWebhookPost } from './service/state/posts/posts.ts';
export type { EmulatorClock } from './service/state/base/clock.ts';
export type {
  Emulator,
  EmulatorControls,
  EmulatorRequestFilter,
} from './emulator/controls/emulator-types.ts';
export type {
  EmulatorClientOptions,
  EmulatorConnection,
  EmulatorControlDoor,
  EmulatorServer,
} from './emulator/controls/connection-types.ts';
export type { EmulatorMessageFilter, EmulatorMessageWait } from './service/areas/sending/control-types.ts';
export type { EmulatorInbound, EmulatorInboundInbox } from './service/areas/inbound/control-types.ts';
export type { EmulatorWebhooks } from './service/areas/webhooks/control-types.ts';
export type { EmulatorSandbox } from './service/areas/sandbox/control-types.ts';
export type { EmulatorLogs } from './service/areas/email-logs/control-types.ts';
export type { EmulatorDomain, EmulatorDomains } from './service/areas/sending-domains/control-types.ts';
export type { EmulatorCampaignFields, EmulatorCampaigns } from './service/areas/campaigns/control-types.ts';
export type {
  EmulatorEndpoint,
  EmulatorHandler,
  EmulatorHandlerRemoval,
  EmulatorHandlerRequest,
} from './service/engine/endpoint-handlers.ts';
export type {
  EmulatorFault,
  EmulatorFaultKind,
  EmulatorFaultMatch,
  EmulatorFaults,
  EmulatorPendingFault,
} from './service/engine/faults.ts';
export type { EmulatorHost, EmulatorHosts } from './service/wire/hosts.ts';
export type { EmulatorCors } from './common/cors.ts';
export type { EmulatorControlOptions, EmulatorListenOptions } from './emulator/controls/listen-types.ts';
export type { EmulatorLimit, EmulatorLimits, EmulatorPool } from './service/state/account/limiter.ts';
export type { NamedAddress } from './reading/content/named-address.ts';
export type { MailCode } from './reading/content/codes.ts';
export type { MailLink } from './reading/text/mail-link.ts';
export type { LinkChoice } from './reading/message/pick.ts';
export type {
  Mailbox,
  MailboxAttachment,
  MailboxClient,
  MailboxFilter,
  MailboxInbox,
  MailboxInboxOptions,
  MailboxMail,
  MailboxTemplate,
  MailboxMessage,
  MailboxMessageList,
  MailboxMessagePage,
  MailboxNone,
  MailboxOptions,
  MailboxRequestOptions,
  MailboxWait,
} from './reading/message/message-types.ts';
export type { SaidInMessage } from './reading/content/with-content.ts';
export type { EmulatorOptions } from './service/emulator-options.ts';
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
export type { EmulatorReportOptions } from './report/report-options.ts';
export { ReportError, type EmulatorReport } from './report/summary.ts';
export type { ReportFinding } from './report/data/data.ts';
export type { EmulatorRequest } from './service/engine/request-log.ts';
export type { EmulatorSnapshot } from './service/state/snapshot.ts';
export type { TriggerType } from './trigger/sample-events.ts';
export { triggerEvent, type TriggeredPost, type TriggerOptions } from './trigger/trigger-event.ts';
export type { EmulatorAccess, EmulatorArea, EmulatorTokenOptions } from './service/state/account/tokens.ts';
export type { EmulatorWindowKind } from './service/state/account/windows.ts';
