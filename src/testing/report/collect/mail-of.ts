import type { ReportMail } from '../data/data.ts';
import { fromBase64 } from '../../encoding/base64.ts';
import { sha256 } from '../../encoding/hashes.ts';
import { happened } from '../../service/state/emails/course.ts';
import { detailsOf } from '../../service/state/emails/events.ts';
import { forReader, type EmulatorAttachment } from '../../service/state/emails/mail.ts';
import { headersOf, writeEml } from '../../service/state/emails/eml.ts';
import { type MailContent, readContent } from '../../reading/content/content.ts';
import type { SeenMail } from '../records/seen.ts';

/** The length limit of a kept source, in characters. */
export const MAX_SOURCE = 1024 * 1024;
/** The length limit of a kept attachment, in characters of base64. */
const MAX_CONTENT = 1024 * 1024;

/** The fields of a mail besides its contents and events. */
export function envelopeOf({ copy, number, kind, at, request, mark }: SeenMail) {
  const { field, recipient, stream, mail } = copy;
  const { from, to, cc, replyTo, subject, template, category, customVariables } = mail;
  return {
    id: String(number),
    kind: kind().id,
    at,
    clockAt: copy.at,
    stream,
    from: from.email,
    fromName: from.name,
    to: recipient.email,
    toName: recipient.name,
    field,
    recipients: { to, cc },
    replyTo,
    subject,
    template: template && {
      name: template.name,
      ...(template.locale !== undefined && { locale: template.locale }),
      missing: template.missing,
      unused: template.unused,
    },
    category,
    ...(customVariables !== null && { customVariables }),
    ...(mark !== undefined && { mark }),
    request: request === undefined ? null : String(request.id),
  };
}

/**
 * Converts a mail for a report. `now` is the time of the emulator's clock. Without `writesSource`, a source that is not too
 * large is empty: a report that masks addresses writes it from the masked mail.
 */
export function mailOf(seen: SeenMail, now: number, writesSource = true): ReportMail {
  const { copy, links } = seen;
  const { id, stream, recipient, at } = copy;
  const mail =
    stream === 'sandbox'
      ? copy.mail
      : forReader(copy.mail, stream, links, { id, to: recipient.email, sentAt: at });
  const { from, html, text, attachments } = mail;
  const messageId = `<${id}@${from.email.slice(from.email.lastIndexOf('@') + 1)}>`;
  const sourceOf = () => new TextDecoder('latin1').decode(writeEml(mail, { id, messageId, sentAt: copy.at }));
  const size =
    (html?.length ?? 0) +
    (text?.length ?? 0) +
    attachments.reduce((sum, { content }) => sum + content.length, 0);
  return {
    ...envelopeOf(seen),
    html,
    text,
    headers: headersOf(mail, messageId, copy.at).map(([name, value]) => [name, value]),
    source: size > MAX_SOURCE ? null : writesSource ? sourceOf() : '',
    attachments: attachments.map((one) => ({ ...attachmentOf(one), sha256: hashOf(one) })),
    ...saidIn(html, text),
    events: eventsOf(seen, now),
  };
}

/** The events of a mail up to a time of the emulator's clock, or to the end of its period. */
export function eventsOf({ copy, era, record }: SeenMail, now: number): ReportMail['events'] {
  const steps = record === undefined ? [] : happened(record.course, (era.endedAt ?? now) - record.sentAt);
  return steps.map((step) => {
    const reason =
      record !== undefined && FAILURES.has(step.type) ? reasonOf(detailsOf(step, record)) : undefined;
    return { type: step.type, at: copy.at + step.afterMs, ...(reason !== undefined && { reason }) };
  });
}

/** The events with a reason. The details of others, such as a click in a campaign's email, take time. */
const FAILURES: ReadonlySet<string> = new Set(['bounce', 'soft_bounce', 'reject', 'suspension']);

/** The reason in the details of an event, as the recipient's mail server or the service gave it. */
function reasonOf({
  email_service_provider_response: response,
  reject_reason: rejected,
}: Readonly<Record<string, unknown>>): string | undefined {
  const said = response ?? rejected;
  return typeof said === 'string' ? said : undefined;
}

export function attachmentOf({ filename, type, content, disposition, contentId }: EmulatorAttachment) {
  const packed = content.length - (content.match(/[\s=]/g)?.length ?? 0);
  return {
    filename,
    type,
    bytes: Math.floor((packed * 3) / 4),
    inline: disposition === 'inline',
    contentId,
    content: content.length > MAX_CONTENT ? null : content,
  };
}

const hashes = new WeakMap<EmulatorAttachment, string>();

/** The hash of a file, which several emails may have. */
function hashOf(file: EmulatorAttachment): string {
  const hash = hashes.get(file) ?? sha256(fromBase64(file.content));
  hashes.set(file, hash);
  return hash;
}

/** The longest preview, in characters. */
const PREVIEW = 140;
/** Fillers that keep the visible text out of the preview. */
const FILLERS = /(?:\u200c|\u200d)+(?=\s|$)/g;

/** The readable parts of a mail: its links, and the preview that mail programs show. Nothing of HTML with too many elements to be read. */
export function saidIn(html: string | null, text: string | null): Pick<ReportMail, 'links' | 'preview'> {
  try {
    const content = readContent({ html, text });
    return { links: content.links, preview: previewOf(content) };
  } catch (error) {
    if (error instanceof RangeError) return { links: [], preview: '' };
    throw error;
  }
}

/** The most characters of HTML in which the preview of a listed mail is looked for. */
const BEGINNING = 32_768;
const previews = new WeakMap<object, string>();

/** The preview of a mail whose contents are not read: from the beginning of its HTML. */
export function previewAtOnce(mail: Pick<ReportMail, 'html' | 'text'>): string {
  const known = previews.get(mail);
  if (known !== undefined) return known;
  const { preview } = saidIn(mail.html?.slice(0, BEGINNING) ?? null, mail.text);
  previews.set(mail, preview);
  return preview;
}

const previewOf = ({ preview, text }: Pick<MailContent, 'preview' | 'text'>) =>
  `${preview.slice(0, 4 * PREVIEW)} ${text.slice(0, 2 * PREVIEW)}`
    .replace(FILLERS, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, PREVIEW);
