/** A report as one HTML file: the page, with its data as a block of JSON. */
import type { ReportData } from './data.ts';
import { pageFiles } from './page-files.ts';

/** Base64 of the SHA-256 of a text, as a content security policy names a script. */
async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...bytes));
}

/** The end of an element's text cannot stand in it. */
const inElement = (text: string) => text.replaceAll('<', '\\u003c');

/**
 * The policy of a page: one script, known by its hash, and images that are in the file. Mails in frames inherit it. Styles
 * are allowed, as those of mails stand in their elements.
 */
const policyOf = (hash: string) =>
  [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** The elements before the body. The policy of a file is a meta element; that of a page of a server is a header. */
const head = (policy: string, style: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">${policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Mail report</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>`;

/** The page that shows what an emulator sees, as it happens, with its policy for the header of the response. */
export async function livePage(): Promise<{ readonly html: string; readonly policy: string }> {
  const { script, style } = await pageFiles();
  const [scriptHash, styleHash] = await Promise.all([sha256(script), sha256(style)]);
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
    `style-src 'sha256-${styleHash}'`,
    'img-src data:',
    "connect-src 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const html = `${head('', style)}
<body>
<div id="app"><noscript>This page needs JavaScript.</noscript></div>
<script>${script}</script>
</body>
</html>
`;
  return { html, policy };
}

/**
 * Writes a report as one self-contained HTML file. A browser needs no network and no server to show it.
 *
 * @param data - everything that the page shows
 * @returns the text of the file, in UTF-8 when written
 */
export async function reportHtml(data: ReportData): Promise<string> {
  const { script, style } = await pageFiles();
  const policy = policyOf(await sha256(script));
  const meta = `\n<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return `${head(meta, style)}
<body>
<div id="app"><noscript>This report needs JavaScript. Its data is the JSON block in this file.</noscript></div>
<script type="application/json" id="report">${inElement(JSON.stringify(data))}</script>
<script>${script}</script>
</body>
</html>
`;
}
