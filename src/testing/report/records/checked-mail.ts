import type { ReportFinding, ReportMail } from '../data/data.ts';
import { addressesIn } from '../../reading/content/addresses.ts';
import { inspectHtml, type Anchor, type FoundElement } from '../../reading/content/html.ts';

/** A mail, parsed for the checks. */
export interface CheckedMail {
  readonly mail: ReportMail;
  /** The visible text of its HTML, without code. A line break or a tab sets its blocks and cells apart. */
  readonly htmlText: string;
  /** Its text part, without code between backticks. */
  readonly plainText: string;
  /** The links of its HTML. */
  readonly anchors: readonly Anchor[];
  /** The base address of relative links; `undefined` without a `<base>`. */
  readonly base: string | undefined;
  /** The addresses in its text part that mail programs turn into links. */
  readonly addresses: readonly { readonly url: string; readonly text: string }[];
  /** The elements of its HTML. */
  readonly elements: readonly FoundElement[];
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
  /** The address of the program under test: links to it are counted and are not faults. */
  readonly site: string | undefined;
  readonly countUnderSite: () => void;
}

/** A check that looks at one mail. */
export type MailCheck = (mail: CheckedMail, context: CheckContext) => readonly Fault[];

const FENCED = /^(```|~~~)[^]*?^\1/gm;
const BETWEEN_BACKTICKS = /`[^`\n]*`/g;

/** Reads a mail for its checks. HTML with too many elements counts as empty. */
export function readForChecks(mail: ReportMail): CheckedMail {
  const { html, text } = mail;
  const { page, elements } = inspected(html ?? '');
  return {
    mail,
    htmlText: page?.text ?? '',
    plainText: (text ?? '').replace(FENCED, ' ').replace(BETWEEN_BACKTICKS, ' '),
    anchors: page?.anchors ?? [],
    base: page?.base,
    addresses: addressesIn(text ?? ''),
    elements,
  };
}

function inspected(html: string) {
  try {
    return inspectHtml(html);
  } catch (error) {
    if (error instanceof RangeError) return { page: undefined, elements: [] };
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
