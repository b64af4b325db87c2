import { writeEml } from '../../eml.ts';
import type { MailContent } from '../sending/mail.ts';
import { withUnsubscribeLink } from '../sending/unsubscribe.ts';
import type { LogRecord } from './record.ts';
import { rfcMessageId } from './view.ts';

/** The content of a message, as its recipient got it: bytes of its own, or its parts. Null if only its envelope is known. */
export function contentOf({ id, mail: { content, stream } }: LogRecord) {
  const isLinked = content !== null && !(content instanceof Uint8Array) && stream === 'bulk';
  return isLinked ? withUnsubscribeLink(content, id) : content;
}

/** The raw message (RFC 5322), as it was sent to its recipient. */
export function sourceOf(record: LogRecord): Uint8Array<ArrayBuffer> {
  const content = contentOf(record);
  if (content instanceof Uint8Array) return content;
  const { id, sentAt } = record;
  return writeEml(content ?? placeholder(record), { id, sentAt, messageId: rfcMessageId(record) });
}

/** Content for a message of which only the envelope is known. */
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
