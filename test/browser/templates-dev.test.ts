/** The page of templates in a real Chromium, as a person who writes a template uses it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium as playwright, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { quiet } from '../cli/in-process.ts';
import { findChromium, NO_CHROMIUM } from '../support/chromium.ts';
import { expectInOrder, expectTallControls } from '../support/in-order.ts';
import { DENSITY, useInter } from '../support/pictures.ts';
import { RECEIPT, templatesIn } from '../entries/templates/folders.ts';

const chromium = await findChromium();
if (!chromium) process.stderr.write(`\n*** The test of the page of templates is SKIPPED. ${NO_CHROMIUM}\n\n`);

const images = join(import.meta.dirname, '../../docs/images');
const LIST = '<ul>{{#each items}}<li>{{sku}}: {{price}}{{#if note}} ({{note}}){{/if}}</li>{{/each}}</ul>';
const DARK = '<style>@media (prefers-color-scheme: dark) { p { color: rgb(1, 2, 3) } }</style>';

let browser: Browser;
let page: Page;
let folder: string;
let errors: string[];

async function picture(name: string): Promise<void> {
  const path = join(images, `${name}.png`);
  if (process.env.UPDATE_SCREENSHOTS !== '1' && existsSync(path)) return;
  await useInter(page);
  // A reader's folder is not one of this machine.
  await page.evaluate((own) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      text.nodeValue = (text.nodeValue ?? '').replace(own, 'emails');
  }, folder);
  await page.screenshot({ path });
}

/** What the reader of a picture sees at the left: a file, line by line, with its expressions in another colour. */
async function besideEditor(name: string, file: string): Promise<void> {
  const path = join(images, `${name}.png`);
  if (process.env.UPDATE_SCREENSHOTS !== '1' && existsSync(path)) return;
  const size = { width: 760, height: 560 };
  await page.setViewportSize(size);
  await picture(name);
  const shot = readFileSync(path).toString('base64');
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const lines = readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => `<li>${escaped(line).replace(/\{\{.*?\}\}/g, '<b>$&</b>')}</li>`)
    .join('');
  const both = await page.context().newPage();
  await both.setViewportSize({ width: size.width + 400, height: size.height });
  await both.setContent(`<style>
    body { display: flex; margin: 0; background: #1f2328; color: #d1d7e0; font: 13px/1.7 monospace }
    div { width: 400px; flex: none }
    header { padding: 10px 14px; background: #2a3038 }
    ol { padding: 6px 10px 0 44px; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
    b { color: #7cc7b8; font-weight: normal }
  </style><div><header>emails/${file}</header><ol>${lines}</ol></div>
  <img width="${size.width}" src="data:image/png;base64,${shot}">`);
  await both.locator('img').evaluate((image: HTMLImageElement) => image.decode());
  await both.screenshot({ path });
  await both.close();
  await page.setViewportSize({ width: 1240, height: 720 });
}

const write = (name: string, text: string) => writeFileSync(join(folder, 'receipt', name), text);
const mail = () => page.frameLocator('iframe');

describe.skipIf(!chromium)('the page of templates', () => {
  beforeAll(async () => {
    browser = await playwright.launch({ ...chromium, headless: true });
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    errors = [];
    folder = templatesIn({ receipt: { ...RECEIPT, html: `<p>Hello {{name}},</p>\n${LIST}\n` } });
    let printed = '';
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const exited = run(['templates', 'dev', folder], {
      ...quiet(),
      out: (text) => void (printed += text),
      ended,
    });
    await expect.poll(() => printed).toContain('code=');
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: 1240, height: 720 },
      deviceScaleFactor: DENSITY,
    });
    page = await context.newPage();
    page.setDefaultTimeout(120_000);
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(/: (http\S+)/.exec(printed)?.[1] ?? '');
    await mail().getByText('Hello Ann,').waitFor();
    onTestFinished(async () => {
      await context.close();
      end();
      await exited;
      expect(errors).toEqual([]);
    });
  });

  test('shows each save, and keeps the last good email of a broken template', async () => {
    await page.getByRole('heading', { name: 'Your order, Ann' }).waitFor();
    write('body.html', `<p>Dear {{name}},</p>\n${LIST}\n`);
    await mail().getByText('Dear Ann,').waitFor();
    write('body.html', `<p>Dear {{name}},</p>\n<ul>{{#each items}}\n`);
    await page.getByRole('alert').getByText('receipt/body.html:2').waitFor();
    await mail().getByText('Dear Ann,').waitFor();
    await page.getByText('broken').waitFor();
    await besideEditor('templates-dev-broken', 'receipt/body.html');
    write('body.html', `<p>Good morning {{name}},</p>\n${LIST}\n`);
    await mail().getByText('Good morning Ann,').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await picture('templates-dev');
  });

  test('shows the file and the form if the file has other values, and then saves', async () => {
    write('body.html', '{{#if name}}');
    await page.getByText('broken').waitFor();
    await page.getByLabel('name', { exact: true }).fill('Bob');
    const problem = page.getByRole('alert').getByText('receipt/example.json');
    write('example.json', '{ "name": "Ann');
    await problem.waitFor();
    // Each preview that arrives moves the button, which a key finds anywhere; and it is disabled during a save.
    const save = () =>
      page.getByRole('button', { name: 'Save example.json', disabled: false }).press('Enter');
    await save();
    await page.getByText('is not a JSON object: correct it first').waitFor();
    write('example.json', '{ "name": "Eve", "items": [] }');
    await problem.waitFor({ state: 'detached' });
    await save();
    await page.getByText('look at both versions').waitFor();
    expect(await page.getByRole('region', { name: 'In the file' }).textContent()).toContain('"Eve"');
    expect(await page.getByRole('region', { name: 'In the form' }).textContent()).toContain('"Bob"');
    await save();
    await page.getByText('Saved in example.json').waitFor();
    expect(readFileSync(join(folder, 'receipt/example.json'), 'utf8')).toContain('"Bob"');
  });

  test('shows both widths, light and dark, the text and the source', async () => {
    write('body.html', `${DARK}<p>Hello {{name}},</p>\n`);
    const colour = () =>
      mail()
        .locator('p')
        .evaluate((element) => getComputedStyle(element).color);
    await expect.poll(colour).toBe('rgb(0, 0, 0)');
    await page.getByRole('button', { name: 'Dark' }).click();
    await expect.poll(colour).toBe('rgb(1, 2, 3)');
    // Its own width: a frame that has no room is scaled.
    const width = () => page.locator('iframe').evaluate((frame) => frame.clientWidth);
    await expect.poll(width).toBeGreaterThan(600);
    await page.getByRole('button', { name: 'Phone' }).click();
    await expect.poll(width).toBe(375);
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('region', { name: 'Text' }).getByText('Hello Ann').waitFor();
    await page.getByRole('tab', { name: 'HTML source' }).click();
    await page.getByRole('region', { name: 'Source of the HTML' }).getByText('<p>Hello Ann,</p>').waitFor();
  });

  test('a desktop email is as wide as a desktop where room is short, and is scaled into it', async () => {
    await page.getByRole('button', { name: 'Desktop' }).click();
    write(
      'body.html',
      '<style>@media (width < 640px) { p { display: none } }</style><p>Dear {{name}},</p>\n',
    );
    for (const width of [320, 375, 1024]) {
      await page.setViewportSize({ width, height: 720 });
      await mail().getByText('Dear Ann,').waitFor();
      await expectInOrder(page);
      if (width < 860) await expectTallControls(page);
      // The frame is scaled to the width of its stage.
      await expect
        .poll(() =>
          page.locator('.stage').evaluate((stage) => {
            const frame = stage.querySelector('iframe')?.getBoundingClientRect();
            const left = stage.getBoundingClientRect().left + stage.clientLeft;
            return [(frame?.left ?? 0) - left, (frame?.width ?? 0) - stage.clientWidth].map(Math.round);
          }),
        )
        .toEqual([0, 0]);
    }
    await page.setViewportSize({ width: 375, height: 720 });
    await page.getByRole('button', { name: 'Phone' }).click();
    await page.locator('iframe.phone').waitFor();
    await expectInOrder(page);
  });

  test('shows the languages of a template, with the variables that were edited', async () => {
    mkdirSync(join(folder, 'receipt/de'));
    write('de/body.html', '<p>Hallo {{name}},</p>');
    writeFileSync(join(folder, 'templates.config.json'), '{ "languages": ["en", "de"], "default": "en" }');
    const languages = page.getByRole('navigation', { name: 'Languages' });
    await languages.getByRole('link', { name: 'de' }).waitFor();
    await page.getByLabel('name', { exact: true }).fill('Bob');
    await languages.getByRole('link', { name: 'de' }).click();
    await mail().getByText('Hallo Bob,').waitFor();
    await page.getByText('From other languages: subject (en), category (en), text (en)').waitFor();
    await languages.getByRole('link', { name: 'en' }).click();
    await mail().getByText('Hello Bob,').waitFor();
  });

  test('edits the variables, and saves them', async () => {
    await page.getByLabel('name', { exact: true }).fill('Bob');
    await mail().getByText('Hello Bob,').waitFor();
    await page.getByRole('button', { name: 'Add to items', exact: true }).click();
    await page.getByLabel('sku').nth(1).fill('T-2');
    await page.getByLabel('price').nth(1).fill('5 €');
    await mail().getByText('T-2: 5 €').waitFor();
    await page.evaluate(() => {
      const name = () => document.querySelector('input')?.value ?? '';
      const seen = [name()];
      new MutationObserver(() => seen.push(name())).observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
      });
      Object.assign(globalThis, { seen });
    });
    await page.getByRole('button', { name: 'Save example.json' }).click();
    await page.getByText('Saved in example.json').waitFor();
    // The values before the save are never shown again.
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
    expect([...new Set(seen)]).toEqual(['Bob']);
    const saved = JSON.parse(readFileSync(join(folder, 'receipt/example.json'), 'utf8')) as unknown;
    expect(saved).toEqual({
      name: 'Bob',
      items: [
        { sku: 'T-1', price: '4 €' },
        { sku: 'T-2', price: '5 €' },
      ],
    });
    await page.getByRole('button', { name: 'Remove items[0]' }).click();
    await mail().getByText('T-1: 4 €').waitFor({ state: 'detached' });
  });
});
