/** The content of an email: its links, its visible text, and its codes. */
import { codesIn, type FoundCodes, type Readable } from './codes.ts';
import { readHtml, type Anchor } from './html.ts';
import { addressesIn } from './addresses.ts';
import type { MailLink } from './mail-link.ts';
import { collapsed } from './text-flow.ts';

/** The content of an email. */
export interface MailContent {
  readonly links: readonly MailLink[];
  /** The texts that name each link. */
  readonly names: readonly (readonly string[])[];
  /** The links without a usable URL: relative ones, and scripts. */
  readonly unusable: readonly Anchor[];
  /** The visible text. */
  readonly text: string;
  readonly codes: FoundCodes;
}

/** The bodies of an email. */
export interface MailBodies {
  readonly html: string | null;
  readonly text: string | null;
}

/** The URL of a link; `undefined` if it is invalid or a script. */
function resolved(href: string, base: string | undefined): string | undefined {
  let url: URL;
  try {
    url = new URL(href, base);
  } catch {
    return undefined;
  }
  return url.protocol === 'javascript:' ? undefined : url.href;
}

/** The base URL of relative links; `undefined` if there is none. */
function baseOf(input: string | undefined): string | undefined {
  const base = input === undefined ? undefined : resolved(input, undefined);
  return base?.startsWith('data:') === true ? undefined : base;
}

/** Reads an email: its HTML, or its text if it has none. */
export function readContent({ html, text }: MailBodies): MailContent {
  return html === null ? fromText(text ?? '') : fromHtml(html);
}

function fromHtml(html: string): MailContent {
  const page = readHtml(html);
  const base = baseOf(page.base);
  const links: MailLink[] = [];
  const names: string[][] = [];
  const unusable: Anchor[] = [];
  for (const anchor of page.anchors) {
    const url = resolved(anchor.href, base);
    if (url === undefined) {
      unusable.push(anchor);
      continue;
    }
    links.push({ url, text: anchor.text });
    names.push([anchor.text, anchor.textWithoutImages]);
  }
  return contentOf(page, { links, names, unusable });
}

/** Reads a text. The addresses in it are links, as in mail programs. */
function fromText(input: string): MailContent {
  const links = addressesIn(input).map((address) => ({ url: address.url, text: address.text }));
  const lines = input.split(/\r\n?|\n/).map((line) => collapsed(line).trim());
  const text = lines.filter((line) => line !== '').join('\n');
  return contentOf(
    { text, digitsAlone: new Set(), marked: [] },
    { links, names: links.map((link) => [link.text]), unusable: [] },
  );
}

const contentOf = (
  readable: Readable,
  links: Pick<MailContent, 'links' | 'names' | 'unusable'>,
): MailContent => ({
  ...links,
  text: readable.text,
  get codes() {
    return codesIn(readable);
  },
});
