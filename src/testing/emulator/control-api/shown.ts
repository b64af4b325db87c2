/** Emails and requests in a response, with the fields that the control API adds to them. */
import type { EmulatorRequest, RequestLog } from '../../service/engine/request-log.ts';
import type { EmulatorMessage } from '../../service/state/emails/outbox.ts';

type Fields = Record<string, unknown>;

/** An email in JSON, with its links and codes. */
export function withSaid(message: EmulatorMessage): Fields {
  try {
    return { ...message, links: message.links, codes: message.codes };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ...message, links: null, codes: null };
  }
}

/** An email in a response: with the addresses of its HTML and its attachments, and their content only if asked for. */
export function shownMessage(
  message: EmulatorMessage,
  links: { readonly html: string; readonly attachment: (index: number) => string },
  withContent: boolean,
): Fields {
  return {
    ...withSaid(message),
    html_url: message.html === null ? null : links.html,
    attachments: message.attachments.map(({ content: base64, ...attachment }, index) => ({
      ...attachment,
      size: Math.floor((base64.replace(/[\s=]/g, '').length * 3) / 4),
      url: links.attachment(index),
      ...(withContent && { content: base64 }),
    })),
  };
}

/** A request in a response, with its details. */
export const shownRequest = (entry: EmulatorRequest, log: RequestLog): Fields => ({
  ...entry,
  ...(log.detailsOf(entry) ?? { durationMs: null, headers: {}, body: null }),
});
