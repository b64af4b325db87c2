import type { LogRecord } from '../email-logs/record.ts';
import type { EmulatorAttachment } from '../sending/mail.ts';

/** A folder of inboxes. */
export interface FolderRecord {
  readonly id: number;
  readonly accountId: number;
  name: string;
}

/** An inbox. */
export interface InboxRecord {
  readonly id: number;
  readonly accountId: number;
  readonly folderId: number;
  readonly address: string;
  /** Its domain; `null` if the service hosts it. */
  readonly domainId: number | null;
  name: string;
}

/** What became of a message by a rule. */
export interface ForwardOutcome {
  readonly rule_id: number;
  readonly rule_name: string;
  readonly destination: string;
  readonly status: 'forwarded' | 'rejected';
  readonly reason: string | null;
  readonly message_id: string | null;
}

/** A message that an inbox received. */
export interface MessageRecord {
  readonly id: string;
  readonly accountId: number;
  readonly inboxId: number;
  readonly threadId: string;
  readonly receivedAt: number;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: string | null;
  readonly subject: string | null;
  readonly rfcId: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly EmulatorAttachment[];
  readonly forwards: ForwardOutcome[];
  isDeleted: boolean;
}

/** A message of a thread: one that was received, or an email that was sent. */
export type ThreadEntry =
  | { readonly direction: 'inbound'; readonly message: MessageRecord }
  | { readonly direction: 'outbound'; readonly sent: LogRecord };

/** A conversation. */
export interface ThreadRecord {
  readonly id: string;
  readonly accountId: number;
  readonly inboxId: number;
  readonly subject: string | null;
  /** Oldest first. */
  readonly entries: ThreadEntry[];
}

/** A condition of a rule. */
export interface RuleCondition {
  readonly match_type: string;
  readonly operator: string;
  readonly value: string | null;
  readonly header_key: string | null;
}

/** A rule that forwards messages. */
export interface RuleRecord {
  readonly id: number;
  readonly accountId: number;
  readonly inboxId: number;
  readonly createdAt: number;
  updatedAt: number;
  name: string;
  conditions: readonly RuleCondition[];
  destinations: readonly string[];
}
