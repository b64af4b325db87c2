/** The content of an email: its links, its visible text, and its codes. */
import { codesIn, type FoundCodes, type Readable } from './codes.ts';
import { readHtml, type Anchor } from '../html/html.ts';
import { addressesIn, resolved } from '../text/addresses.ts';
import type { MailLink } from '../text/mail-link.ts';
import { collapsed } from '../text/text-flow.ts';

/** The content of an email. */
export interface MailContent {
  readonly links: readonly MailLink[];
  /** The texts that name each link. */
  readonly names: readonly (readonly string[])[];
  /** The links without a usable URL: relative ones, and scripts. */
  readonly unusable: readonly Anchor[];
  /** The hidden text before the first visible text. */
  readonly preview: string;
  /** The visible text. */
  readonly text: string;
  readonly codes: FoundCodes;
}

/** The bodies of an email. */
export interface MailBodies {
  readonly html: string | null;
  readonly text: string | null;
  /** Read for codes only. */
  readonly subject?: string;
}

/** Reads an email: its HTML, or its text if it has none. */
export function readContent({ html, text, subject }: MailBodies): MailContent {
  return html === null ? fromText(text ?? '', subject) : fromHtml(html, subject);
}

function fromHtml(html: string, subject: string | undefined): MailContent {
  const page = readHtml(html);
  const links: MailLink[] = [];
  const names: string[][] = [];
  const unusable: Anchor[] = [];
  for (const anchor of page.anchors) {
    const url = resolved(anchor.href, page.base);
    if (url === undefined) {
      unusable.push(anchor);
      continue;
    }
    links.push({ url, text: anchor.text });
    names.push([anchor.text, anchor.textWithoutImages]);
  }
  return contentOf(page, subject, { links, names, unusable });
}

/** Reads a text. The addresses in it are links, as in mail programs. */
function fromText(input: string, subject: string | undefined): MailContent {
  const links = addressesIn(input).map((address) => ({ url: address.url, text: address.text }));
  const lines = input.split(/\r\n?|\n/).map((line) => collapsed(line).trim());
  const text = lines.filter((line) => line !== '').join('\n');
  return contentOf({ text, preview: '', digitsAlone: new Set(), marked: [] }, subject, {
    links,
    names: links.map((link) => [link.text]),
    unusable: [],
  });
}

const contentOf = (
  readable: Readable & { readonly preview: string },
  subject: string | undefined,
  links: Pick<MailContent, 'links' | 'names' | 'unusable'>,
): MailContent => ({
  ...links,
  text: readable.text,
  preview: readable.preview,
  get codes() {
    return codesIn(readable, subject);
  },
});
