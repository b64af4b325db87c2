import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The files of a template: the fields of `template.json` over usual ones, and the others. */
export interface Files {
  readonly json?: Readonly<Record<string, unknown>>;
  readonly html?: string;
  readonly text?: string;
  readonly example?: unknown;
}

/** Makes a folder with these files, which is gone after the test. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Makes a folder of templates. */
export function templatesIn(templates: Readonly<Record<string, Files>>, lock?: unknown): string {
  const files: Record<string, string> = {};
  for (const [name, { json, html, text, example }] of Object.entries(templates)) {
    const fields = { name, subject: 'Hello', category: 'test', ...json };
    files[`${name}/template.json`] = `${JSON.stringify(fields, null, 2)}\n`;
    if (html !== undefined) files[`${name}/body.html`] = html;
    if (text !== undefined) files[`${name}/body.txt`] = text;
    if (example !== undefined) files[`${name}/example.json`] = JSON.stringify(example);
  }
  if (lock !== undefined) files['templates.lock.json'] = JSON.stringify(lock);
  return folderOf(files);
}

export const RECEIPT: Files = {
  json: { name: 'Receipt', subject: 'Your order, {{{name}}}', category: 'orders' },
  html: '<p>Hello {{name}}</p>\n{{#each items}}{{sku}}: {{price}}{{/each}}',
  text: 'Hello {{name}}\n',
  example: { name: 'Ann', items: [{ sku: 'T-1', price: '4 €' }] },
};
