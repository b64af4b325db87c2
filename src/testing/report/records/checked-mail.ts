import type { ReportFinding, ReportMail } from '../data/data.ts';
import { isAboutPrograms } from './about-programs.ts';
import { addressesIn } from '../../reading/text/addresses.ts';
import { imagesIn, type ImageAddress } from '../../reading/html/image-addresses.ts';
import { inspectHtml, type Anchor, type FoundElement } from '../../reading/html/html.ts';

/** A mail, parsed for the checks. */
export interface CheckedMail {
  readonly mail: ReportMail;
  /** Its subject, its preview and its texts, with their places. */
  readonly texts: readonly { readonly text: string; readonly where: string }[];
  /** The visible text of its HTML, without code. A line break or a tab sets its blocks and cells apart. */
  readonly htmlText: string;
  /** The hidden text at the beginning of its HTML, which mail programs show beside the subject. */
  readonly previewText: string;
  /** Whether it is about programs, whose values and code its sentences name. */
  readonly isAboutPrograms: boolean;
  /** Its text part without quoted lines and code. Lines that are set in are code only in an email about programs. */
  readonly plainText: string;
  /** The names that mail programs show: of the sender, where answers go, of recipients and files. */
  readonly names: readonly { readonly text: string; readonly where: string }[];
  /** The links of its HTML. */
  readonly anchors: readonly Anchor[];
  /** The base address of relative links; `undefined` without a usable `<base>`. */
  readonly base: string | undefined;
  /** The addresses in its text part that mail programs turn into links. */
  readonly addresses: readonly { readonly url: string; readonly text: string }[];
  /** The elements of its HTML. */
  readonly elements: readonly FoundElement[];
  /** The addresses from which its HTML loads images. */
  readonly images: readonly ImageAddress[];
}

/** A fault of one mail. */
export interface Fault {
  readonly level: ReportFinding['level'];
  /** One sentence with its evidence. */
  readonly message: string;
  /** Faults with the same group are one finding. The default group is the message. */
  readonly group?: string;
}

/** The input of a check besides the mail. */
export interface CheckContext {
  /** Whether an address is of the program under test: links to it are counted and are not faults. */
  readonly isUnderSite: (url: URL) => boolean;
  readonly countUnderSite: () => void;
}

/** A check that looks at one mail. */
export type MailCheck = (mail: CheckedMail, context: CheckContext) => readonly Fault[];

const FENCED = /^(```|~~~)[^]*?^\1/gm;
const BETWEEN_BACKTICKS = /`[^`\n]*`/g;
const QUOTED_LINE = /^>[^\n]*/gm;
const SET_IN_LINE = /^(?: {4}|\t)[^\n]*/gm;
/** A line of a stack trace, which shows an address of code. */
const STACK_LINE = /^[ \t]{1,40}at [^\n]{0,500}:\d{1,9}\)?$/gm;

/** Reads a mail for its checks. HTML with too many elements counts as empty. */
export function readForChecks(mail: ReportMail): CheckedMail {
  const { html, text } = mail;
  const { page, elements, sheets } = inspected(html ?? '');
  const isAbout = isAboutPrograms([mail.subject, text ?? '', page?.text ?? ''], html ?? '');
  const ownText = (text ?? '').replace(FENCED, ' ').replace(QUOTED_LINE, ' ').replace(BETWEEN_BACKTICKS, ' ');
  const plainText = isAbout ? ownText.replace(SET_IN_LINE, ' ') : ownText;
  const [htmlText, previewText] = [page?.text ?? '', page?.preview ?? ''];
  return {
    mail,
    isAboutPrograms: isAbout,
    htmlText,
    previewText,
    texts: [
      { text: mail.subject, where: 'the subject' },
      { text: previewText, where: 'the preview text' },
      { text: htmlText, where: 'the text' },
      { text: plainText, where: 'the text' },
    ],
    names: namesIn(mail),
    plainText,
    anchors: page?.anchors ?? [],
    base: page?.base,
    addresses: addressesIn(isAbout ? ownText.replace(STACK_LINE, ' ') : ownText),
    elements,
    images: imagesIn(elements, sheets),
  };
}

function namesIn({ fromName, recipients, replyTo, attachments }: ReportMail): CheckedMail['names'] {
  const people = [...recipients.to, ...recipients.cc].map(({ name }) => name);
  return [
    { text: fromName ?? '', where: 'the name of the sender' },
    { text: replyTo?.name ?? '', where: 'the name in Reply-To' },
    ...people.map((name) => ({ text: name ?? '', where: 'the name of a recipient' })),
    ...attachments.map(({ filename }) => ({ text: filename, where: 'the name of a file' })),
  ].filter(({ text }) => text !== '');
}

function inspected(html: string) {
  try {
    return inspectHtml(html);
  } catch (error) {
    if (error instanceof RangeError) return { page: undefined, elements: [], sheets: [] };
    throw error;
  }
}

/** Shortens a text for a message. */
export const short = (text: string, most = 80): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** Joins names for a sentence: `a, b and c`. */
export const listed = (names: readonly string[], most = 5): string => {
  const shown = names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
};
