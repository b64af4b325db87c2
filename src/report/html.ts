import type { ReportData } from './data.ts';

/** Writes a report as a page that holds its data as a block of JSON. */
export function reportHtml(data: ReportData): Promise<string> {
  const json = JSON.stringify(data).replace(/</g, '\\u003c');
  return Promise.resolve(
    `<!doctype html>\n<meta charset="utf-8">\n<title>Report</title>\n<script type="application/json" id="report">${json}</script>\n`,
  );
}
