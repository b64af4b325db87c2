/** What the door shows of emails and requests, besides what the methods of the emulator return. */
import {
  arrayOf,
  mapOf,
  number,
  objectOf,
  or,
  text,
  wholeFrom,
  type Kind,
  type Kinds,
} from '../checks/kind.ts';
import { messages as plainMessages } from '../areas/sending/controls.ts';
import type { EmulatorMessage } from '../areas/sending/outbox.ts';
import { requestKind } from '../general-controls.ts';
import type { EmulatorRequest, RequestLog } from '../request-log.ts';

/** The fields of the elements of an array. */
function fieldsOf({ json }: Kind): Kinds<Record<string, unknown>> {
  const element = json?.type === 'array' ? json.of.json : json;
  return element?.type === 'object' ? element.fields : {};
}

const { attachments: plainAttachments, ...messageFields } = fieldsOf(plainMessages);
const { content, ...attachmentFields } = fieldsOf(plainAttachments ?? { what: '', hasType: () => false });

/** Emails at the door. */
export const messages = arrayOf(
  'emails',
  objectOf<Record<string, unknown>>(
    {
      ...messageFields,
      html_url: or(text, null),
      attachments: arrayOf(
        'attachments',
        objectOf<Record<string, unknown>>(
          { ...attachmentFields, size: wholeFrom(0), url: text, content: content ?? text },
          [...Object.keys(attachmentFields), 'size', 'url'],
        ),
      ),
    },
    [...Object.keys(messageFields), 'html_url', 'attachments'],
  ),
);

/** Emails, as the methods of an emulator in another process return them. */
export const connectedMessages = arrayOf(
  'emails',
  objectOf<Record<string, unknown>>({ ...fieldsOf(plainMessages), html_url: or(text, null) }),
);

/** Requests at the door. */
export const requests = arrayOf(
  'requests',
  objectOf<Record<string, unknown>>({
    ...fieldsOf(requestKind),
    durationMs: or(
      number('a number of milliseconds', (ms) => ms >= 0),
      null,
    ),
    headers: mapOf(text),
    body: or(text, null),
  }),
);

/** An email as the door shows it: with the addresses of its HTML and its attachments, and their content only if asked for. */
export function shownMessage(
  message: EmulatorMessage,
  links: { readonly html: string; readonly attachment: (index: number) => string },
  withContent: boolean,
): Record<string, unknown> {
  return {
    ...message,
    html_url: message.html === null ? null : links.html,
    attachments: message.attachments.map(({ content: base64, ...attachment }, index) => ({
      ...attachment,
      size: Math.floor((base64.replace(/[\s=]/g, '').length * 3) / 4),
      url: links.attachment(index),
      ...(withContent && { content: base64 }),
    })),
  };
}

/** A request as the door shows it: with what has been kept of it since the door was opened. */
export const shownRequest = (entry: EmulatorRequest, log: RequestLog): Record<string, unknown> => ({
  ...entry,
  ...(log.detailsOf(entry) ?? { durationMs: null, headers: {}, body: null }),
});
