/**
 * The HTML of a mail whose links open in a tab of their own, so that a click leaves the mail where it is. In a frame that
 * may open no windows they open nothing. The policy of the frame gives the safety; this keeps the mail in sight.
 */
export function withLinksInNewTabs(html: string): string {
  // Of two attributes with one name the first counts, so the tag need not be read. Links of SVG ignore the base.
  const targeted = html.replace(/<(?:a|area)(?=[\s/>])/gi, '$& target="_blank"');
  // A document type stays first: without it a browser lays out the mail by other rules.
  return targeted.replace(/^\s*(?:<!doctype[^>]*>)?/i, '$&<base target="_blank">');
}

/** The HTML of a mail whose links tell nothing to the tab that they open: neither their address nor how to lead it elsewhere. */
export const withoutOpeners = (html: string): string =>
  html.replace(/<(?:a|area|form)(?=[\s/>])/gi, '$& rel="noreferrer noopener"');

/**
 * Renames elements with which a browser connects to another machine whatever the policy says: frames, in some builds of
 * Chromium, and links, of which `preconnect` opens a connection and `dns-prefetch` looks a name up. It changes the text
 * and not the parsed document, so that a shadow root has none of them either.
 */
export const withoutConnections = (html: string): string =>
  html
    .replace(/<(\/?)iframe(?![\w-])/gi, '<$1template')
    .replace(/<frame(?![\w-])/gi, '<x-frame')
    .replace(/<(\/?)link(?![\w-])/gi, '<$1x-link');

/**
 * The HTML of a mail as a reader with a light or a dark screen sees it: its media queries for the other scheme apply to no
 * screen.
 */
export const withScheme = (html: string, scheme: 'light' | 'dark'): string =>
  html.replace(/\(\s{0,9}prefers-color-scheme\s{0,9}:\s{0,9}(dark|light)\s{0,9}\)/gi, (_, wanted: string) =>
    wanted.toLowerCase() === scheme ? '(min-width: 0)' : '(max-width: 0)',
  );

/** An attachment that the HTML of an email may show. */
interface Attached {
  readonly contentId: string | null;
  readonly type: string;
  /** In base64; null if it is not kept. */
  readonly content: string | null;
}

/** The most characters that images add to the HTML of an email, which may show the same image many times. */
const MAX_IMAGES = 32 * 2 ** 20;

/** The HTML of an email whose attached images are `data:` addresses, up to {@link MAX_IMAGES}. */
export function withImages(html: string, attachments: readonly Attached[]): string {
  const images = new Map<string, string>();
  for (const { contentId, type, content } of attachments)
    if (contentId !== null && content !== null && /^image\/[\w.+-]+$/.test(type))
      images.set(
        `cid:${contentId.replace(/^<|>$/g, '')}`,
        `data:${type};base64,${content.replace(/\s/g, '')}`,
      );
  let room = MAX_IMAGES;
  return html.replace(/cid:[^\s"'<>(),;&]+/g, (reference) => {
    const image = images.get(reference) ?? reference;
    if (image.length > room) return reference;
    room -= image.length;
    return image;
  });
}
