/** Pages for a person whose browser asks for something that the emulator does not show. */
import type { IncomingHttpHeaders } from 'node:http';
import { escapeHtml } from '../../../kit/escape-html.ts';

/** The headers of the pages. They may load nothing and stand in no frame. */
export const PERSON_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Whether a browser shows the response to a person, unlike that to a script. */
export const isForPerson = (method: string | undefined, headers: IncomingHttpHeaders): boolean =>
  method === 'GET' &&
  /\btext\/html\b/.test(headers.accept ?? '') &&
  (headers['sec-fetch-dest'] ?? 'document') === 'document';

/** Writes a page of a heading and paragraphs. Parts between backticks are code. */
export const personPage = (title: string, paragraphs: readonly string[]): string => `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:38rem;margin:4rem auto;padding:0 1rem}code{overflow-wrap:anywhere}</style>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${withCode(escapeHtml(text))}</p>`).join('\n')}
</html>
`;

const withCode = (text: string): string =>
  text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? `<code>${part}</code>` : part))
    .join('');
