/**
 * The HTML of a mail for a frame that may open no windows: each link asks for a window, so that a click leaves the mail
 * where it is. The policy of the frame gives the safety; this keeps the mail in sight.
 */
export function withInertLinks(html: string): string {
  // Of two attributes with one name the first counts, so the tag need not be read. Links of SVG ignore the base.
  const targeted = html.replace(/<(?:a|area)(?=[\s/>])/gi, '$& target="_blank"');
  // A document type stays first: without it a browser lays out the mail by other rules.
  return targeted.replace(/^\s*(?:<!doctype[^>]*>)?/i, '$&<base target="_blank">');
}

/** The HTML of a mail for a tab of its own: a window that a link opens cannot lead the tab elsewhere. */
export const withoutOpeners = (html: string): string =>
  html.replace(/<(?:a|area|form)(?=[\s/>])/gi, '$& rel="noopener"');

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
