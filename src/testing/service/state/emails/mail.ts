import { PLACEHOLDERS, type Decision, type Linked, type ReaderLinks } from './reader-links.ts';

/** An address with its display name. */
export interface Address {
  readonly email: string;
  readonly name: string | null;
}

/** A file attached to an email. */
export interface EmulatorAttachment {
  /** Its content, as base64. */
  readonly content: string;
  /** Its name. */
  readonly filename: string;
  /** The media type; by default `application/octet-stream`. */
  readonly type: string;
  /** Whether the file is shown inside the email, or as an attachment. */
  readonly disposition: 'attachment' | 'inline';
  /** The id by which the HTML refers to it; `null` if it has none. */
  readonly contentId: string | null;
}

/** The content of an email, with its template rendered. */
export interface MailContent {
  readonly from: Address;
  readonly replyTo: Address | null;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly EmulatorAttachment[];
}

/** The template that an email was made from. */
export interface EmulatorMessageTemplate {
  /** Its name. */
  readonly name: string;
  /** The UUID that the email was sent with. */
  readonly uuid: string;
  /** Its language, such as `de-AT`; undefined unless the folder of its templates has languages. */
  readonly locale?: string;
  /** Missing variables, which left a gap in the email: `items[0].price`. At most 100. */
  readonly missing: readonly string[];
  /** Variables of the call that the template does not read: `nmae`. At most 100. */
  readonly unused: readonly string[];
}

/** A valid email of a request. */
export interface Mail extends MailContent {
  readonly bcc: readonly Address[];
  readonly category: string | null;
  readonly customVariables: Readonly<Record<string, unknown>> | null;
  readonly templateId: number | null;
  readonly template: EmulatorMessageTemplate | null;
  /** The name of the template whose language this is. */
  readonly templateOf?: string | undefined;
  readonly templateVariables: Readonly<Record<string, unknown>> | null;
}

/** A header by its name, in upper or lower case. */
export const headerOf = (headers: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.entries(headers).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];

type Changed = Pick<MailContent, 'text' | 'html' | 'headers'>;

const { unsubscribe } = PLACEHOLDERS;
const HTML_FOOTER = `<hr style="border:0;border-top:1px solid #ccc"><table width="100%"><tr><td align="center"><a href="${unsubscribe}" style="color:#000;font-weight:bold">Unsubscribe</a></td></tr></table>`;

/** The end of HTML, with the tags that close it. */
const END = /(?:<\/body>\s*)?(?:<\/html>\s*)?$/i;

/** Adds the footer with the link to unsubscribe, as recorded, to an email without the placeholder. */
export function withFooter<Bodies extends Pick<MailContent, 'text' | 'html'>>(mail: Bodies): Bodies {
  const { text, html } = mail;
  if ([text, html].some((body) => body?.includes(unsubscribe))) return mail;
  return {
    ...mail,
    text: text && `${text}\r\n\r\nUnsubscribe: ${unsubscribe}`,
    // A function, because `$` in a text has a meaning.
    html: html?.replace(END, (end) => HTML_FOOTER + end) ?? null,
  };
}

/**
 * An email for its recipient: the recipient's links replace the placeholders. On the bulk stream, the link to unsubscribe
 * is also in the two headers for one-click unsubscription.
 */
export function forReader<Content extends Changed>(
  mail: Content,
  stream: 'transactional' | 'bulk',
  links: ReaderLinks,
  email: Linked,
): Content {
  const linked = (text: string | null) =>
    DECISIONS.reduce<string | null>((whole, decision) => {
      const placeholder = PLACEHOLDERS[decision];
      return whole?.includes(placeholder) === true
        ? whole.replaceAll(placeholder, links.of(decision, email))
        : whole;
    }, text);
  const hasHeaders = stream === 'transactional' || headerOf(mail.headers, 'list-unsubscribe') !== undefined;
  const [text, html] = [linked(mail.text), linked(mail.html)];
  if (hasHeaders) return text === mail.text && html === mail.html ? mail : { ...mail, text, html };
  return {
    ...mail,
    text,
    html,
    headers: {
      ...mail.headers,
      'List-Unsubscribe': `<${links.of('unsubscribe', email)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

const DECISIONS = Object.keys(PLACEHOLDERS) as Decision[];
