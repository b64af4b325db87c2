import { iso } from '../../../encoding/iso.ts';
import { statusAt } from '../../state/emails/course.ts';
import { countOf, detailsOf, stepsOf } from '../../state/emails/events.ts';
import type { LogRecord } from '../../state/emails/email-log.ts';
import { writeEml } from '../../state/emails/eml.ts';
import type { ReaderLinks } from '../../state/emails/reader-links.ts';
import { forReader, type MailContent } from '../../state/emails/mail.ts';

/** A message in the list, with its threading headers. The domain has two keys, the specified and the recorded one. */
export function logSummary(record: LogRecord, now: number): Record<string, unknown> {
  const { mail } = record;
  return {
    message_id: record.id,
    status: statusAt(record.course, now - record.sentAt),
    subject: mail.subject,
    from: mail.from,
    to: record.to,
    sent_at: iso(record.sentAt),
    client_ip: mail.clientIp,
    category: mail.category,
    custom_variables: mail.customVariables,
    sending_stream: mail.stream,
    domain_id: mail.domainId,
    sending_domain_id: mail.domainId,
    template_id: mail.templateId,
    template_variables: mail.templateVariables,
    opens_count: countOf(record, 'open', now),
    clicks_count: countOf(record, 'click', now),
    rfc_message_id: rfcMessageId(record),
    in_reply_to: mail.inReplyTo,
    references: mail.references,
    thread_id: mail.threadId,
  };
}

/** A single message, with its events and the link to the raw message. */
export function logDetail(record: LogRecord, now: number, rawUrl: string): Record<string, unknown> {
  return {
    ...logSummary(record, now),
    raw_message_url: rawUrl,
    events: stepsOf(record, now).map((step) => ({
      event_type: step.type,
      created_at: iso(record.sentAt + step.afterMs),
      details: detailsOf(step, record),
    })),
  };
}

/** The `Message-ID` header of a message. */
export function rfcMessageId({ id, mail }: LogRecord): string {
  return `<${id}@${mail.from.slice(mail.from.lastIndexOf('@') + 1)}>`;
}

/** The content of a message for its recipient: raw bytes, or parts. Null if there is only the envelope. */
export function contentOf(record: LogRecord, links: ReaderLinks) {
  const { content, stream } = record.mail;
  const isWritten = content !== null && !(content instanceof Uint8Array);
  return isWritten ? forReader(content, stream, links, record) : content;
}

/** The raw message (RFC 5322) for its recipient. */
export function sourceOf(record: LogRecord, links: ReaderLinks): Uint8Array<ArrayBuffer> {
  const content = contentOf(record, links);
  if (content instanceof Uint8Array) return content;
  const { id, sentAt } = record;
  return writeEml(content ?? placeholder(record), { id, sentAt, messageId: rfcMessageId(record) });
}

/** Replacement content for a message with an envelope only. */
function placeholder({ to, mail }: LogRecord): MailContent {
  const address = (email: string) => ({ email, name: null });
  return {
    from: address(mail.from),
    replyTo: null,
    to: [address(to)],
    cc: [],
    subject: mail.subject ?? '',
    text: 'Hello\n',
    html: null,
    headers: {},
    attachments: [],
  };
}
