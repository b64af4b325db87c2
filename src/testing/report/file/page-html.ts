/** A report as one HTML file: the page, with its data as a block of JSON. */
import { base64Hash } from '../../encoding/hashes.ts';
import type { ReportData } from '../data/data.ts';
import { pageFiles } from './page-files.ts';

/** Escapes `<`, so that the text cannot end its element. */
const inElement = (text: string) => text.replaceAll('<', '\\u003c');

/**
 * The content security policy of a page. It allows one script, by its hash, and images in `data:` addresses. Frames with
 * mails inherit it. It allows inline styles, because mails have `style` attributes.
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

/** The elements before the body. A file has its policy in a meta element. The live page gets it as a response header. */
const head = (policy: string, style: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">${policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Email report</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 24 24%22%3E%3Crect width=%2224%22 height=%2224%22 rx=%226%22 fill=%22%230f766e%22/%3E%3Cpath d=%22M5 8h14v9H5zm0 0 7 6 7-6%22 fill=%22none%22 stroke=%22white%22 stroke-width=%221.5%22/%3E%3C/svg%3E">
<style>${style}</style>
</head>`;

/** A page of a server, with the policy for its response header. */
export interface ServedPage {
  readonly html: string;
  readonly policy: string;
}

/** The live page of an emulator, or the page of templates while they are written. */
export async function pageOf(kind: 'emails' | 'templates'): Promise<ServedPage> {
  const { script, style } = await pageFiles();
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${base64Hash(script)}'`,
    `style-src 'sha256-${base64Hash(style)}'`,
    'img-src data:',
    "connect-src 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const html = `${head('', style)}
<body>
<div id="app" data-page="${kind}"><noscript>This page needs JavaScript.</noscript></div>
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
  const policy = policyOf(base64Hash(script));
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
