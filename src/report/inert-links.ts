/**
 * The HTML of a mail for a frame that may open no windows: each link asks for a window, so that a click leaves the mail
 * where it is. The policy of the frame gives the safety; this keeps the mail in sight.
 */
export function withInertLinks(html: string): string {
  const untargeted = html.replace(/<(?:a|area)(?=[\s/])[^>]*>/gi, (tag) =>
    tag.replace(/[\s/"']target\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/gi, ' '),
  );
  // A document type stays first: without it a browser lays out the mail by other rules.
  return untargeted.replace(/^\s*(?:<!doctype[^>]*>)?/i, '$&<base target="_blank">');
}
