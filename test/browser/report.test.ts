/**
 * The page of a report in a real Chromium, opened from a file as a person would, small and large, light and dark.
 *
 * `UPDATE_SCREENSHOTS=1` writes the pictures of the guide anew; without it only those that are missing.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium as playwright, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { compareData } from '../../src/testing/report/compare/compare.ts';
import type { ReportData } from '../../src/testing/report/data/data.ts';
import { reportHtml } from '../../src/testing/report/file/page-html.ts';
import { findChromium, NO_CHROMIUM } from '../support/chromium.ts';
import { expectInOrder, expectTallControls } from '../support/in-order.ts';
import { DENSITY, useInter } from '../support/pictures.ts';
import { listen } from '../support/ports.ts';
import {
  emptyReport,
  hostileReport,
  hugeReport,
  inboxReport,
  reportMail,
  shopReport,
} from '../support/report-data.ts';

const chromium = await findChromium();
if (!chromium) process.stderr.write(`\n*** The test of the report's page is SKIPPED. ${NO_CHROMIUM}\n\n`);

const images = join(import.meta.dirname, '../../docs/images');

let browser: Browser;
let folder: string;
let context: BrowserContext | undefined;
let page: Page;
let errors: string[] = [];

interface Look {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly hash?: string;
}

async function open(data: ReportData, { width = 1280, scheme = 'light', hash = '' }: Look = {}) {
  const file = join(folder, 'report.html');
  writeFileSync(file, await reportHtml(data));
  context = await browser.newContext({
    locale: 'en-US',
    timezoneId: 'Asia/Tokyo',
    colorScheme: scheme,
    viewport: { width, height: 800 },
    deviceScaleFactor: DENSITY,
  });
  page = await context.newPage();
  page.setDefaultTimeout(120_000);
  errors = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(pathToFileURL(file).href + hash);
  await page.locator('main h1').waitFor();
}

/** Follows a link of the page, without a new load. */
async function goTo(hash: string): Promise<void> {
  await page.evaluate((wanted) => {
    location.hash = wanted;
  }, hash);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

async function picture(name: string): Promise<void> {
  const path = join(images, `report-${name}.png`);
  if (process.env.UPDATE_SCREENSHOTS !== '1' && existsSync(path)) return;
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: Math.min(before.width, 1080), height: 640 });
  await useInter(page);
  await page.screenshot({ path });
  await page.setViewportSize(before);
}

const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
const rowsShown = () => page.locator('[data-row]').count();

describe.skipIf(!chromium)('the page of a report', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'report-'));
    browser = await playwright.launch(chromium);
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    expect(errors).toEqual([]);
    await context?.close();
    context = undefined;
  });

  test('an email costs its own view: a thousand images have a limit, and what cannot be shown is a message', async () => {
    const image = { filename: 'a.png', type: 'image/png', bytes: 700_000, inline: true, contentId: 'a' };
    const attachments = [{ ...image, content: 'A'.repeat(900_000) }];
    const mails = [
      reportMail('1', { html: '<p>The first</p>' }),
      reportMail('2', { html: `<p>Hello</p>${'<img src="cid:a">'.repeat(1_000)}`, attachments }),
      reportMail('3', { html: '<p>The third</p>', links: null as never }),
      reportMail('4', { html: '<p>The fourth</p>', preview: { length: 1 } as never }),
    ];
    await open({ ...emptyReport, sent: 4, mails }, { hash: '#/mails/2' });
    const images = page.frameLocator('.detail iframe').locator('img[src^="data:"]');
    await expect.poll(() => images.count()).toBe(37);
    await goTo('#/mails/3');
    expect(await page.locator('.detail [role="alert"]').textContent()).toContain('This cannot be shown');
    await goTo('#/mails/1');
    await page.frameLocator('.detail iframe').getByText('The first').waitFor();
    expect(await rowsShown()).toBeGreaterThan(1);
  });

  describe.each([
    [320, 'light'],
    [320, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
    [1920, 'light'],
  ] as const)('%i pixels wide, %s', (width, scheme) => {
    test('axe finds no fault in any view, and the window scrolls up and down only', async () => {
      await open(shopReport, { width, scheme });
      await expectInOrder(page);
      const hashes = ['#/mails', '#/mails/7', '#/mails/1', '#/requests', '#/requests/r20', '#/requests/r8'];
      for (const hash of [...hashes, '#/service', '#/service/p1', '#/mails/none']) {
        await goTo(hash);
        await expectInOrder(page);
        if (width < 860) await expectTallControls(page);
      }
      await goTo('#/mails/8');
      for (const name of [
        /^Text/,
        /^Links/,
        /^HTML source/,
        /^Headers/,
        /^Source/,
        /^Attachments/,
        /^HTML$/,
      ]) {
        await page.getByRole('tab', { name }).click();
        await expectInOrder(page);
      }
      await page.getByRole('button', { name: 'Phone' }).click();
      await expectInOrder(page);
      const search = page.getByRole('button', { name: 'Search', exact: true });
      if (await search.isVisible()) await search.click();
      await page.getByLabel('Search').fill('nothing has these words');
      await goTo('#/mails');
      await page.getByText('No email fits the search.').waitFor();
      await expectInOrder(page);
    });

    test('an empty run and an inbox are in order, too', async () => {
      await open(emptyReport, { width, scheme });
      await page.getByText('No email was sent yet').waitFor();
      expect(await page.getByText('curl').count()).toBe(0);
      for (const hash of ['#/', '#/mails', '#/requests', '#/service']) {
        await goTo(hash);
        await expectInOrder(page);
      }
      await context?.close();
      await open(inboxReport, { width, scheme, hash: '#/mails/8' });
      await page.getByText('Spam score').waitFor();
      expect(await page.getByRole('navigation', { name: 'Views' }).getByRole('link').count()).toBe(2);
      await expectInOrder(page);
    });
  });

  test('a person finds the link of an email', async () => {
    await open(shopReport);
    await page.getByRole('link', { name: 'Confirm your address' }).click();
    expect(await page.locator('.detail h2').textContent()).toBe('Confirm your address');
    await page.frameLocator('iframe').getByText('480113').waitFor();
    await picture('mail');
    await page.getByRole('tab', { name: /^Links/ }).click();
    const link = page.getByRole('tabpanel').getByRole('link');
    expect(await link.getAttribute('href')).toBe('https://shop.example.com/confirm?code=480113');
    expect(await link.getAttribute('rel')).toBe('noreferrer noopener');
    await page.getByText('Details', { exact: true }).click();
    await page.getByRole('link', { name: 'sending.send' }).click();
    await page.getByRole('heading', { name: 'POST /api/send' }).waitFor();
    await page.locator('.detail').getByRole('link', { name: 'Confirm your address' }).click();
    await page.getByRole('tab', { name: /^Links/ }).waitFor();
  });

  test('a person finds why a request was refused, and copies it', async () => {
    await open(shopReport);
    await picture('overview');
    await context?.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: /Requests/ }).click();
    await page.getByRole('link', { name: /^422/ }).click();
    const reasons = page.getByRole('region', { name: 'Reasons' });
    expect(await reasons.getByRole('listitem').allTextContents()).toEqual([
      'subject is required',
      'to[1].email is not a valid address',
    ]);
    expect(await page.locator('.line.marked').allTextContents()).toEqual([
      '      "email": "bo@example" ← is not a valid address',
      '  "subject": "", ← is required',
    ]);
    await picture('request');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -X 'POST' 'http/);
  });

  test('a phone shows the list or the email, and leads back', async () => {
    await open(shopReport, { width: 320, hash: '#/mails' });
    await page.locator('[data-row]').first().click();
    await expect.poll(() => page.locator('.list').isVisible()).toBe(false);
    expect(await page.locator('iframe').getAttribute('class')).toBe('phone light');
    await picture('phone');
    await page.getByRole('link', { name: /Back to the list/ }).click();
    await expect.poll(() => page.locator('.list').isVisible()).toBe(true);
  });

  test.each([1280, 375] as const)('the changes of a run, %i pixels wide', async (width) => {
    const [before, after] = ['Hello', 'Welcome'].map((subject) => reportMail('1', { subject }));
    const [earlier, later] = [before, after].map((mail) => ({
      ...emptyReport,
      sent: 1,
      kinds: [{ id: 'k1', name: 'welcome', by: 'template' as const, count: 1 }],
      mails: mail === undefined ? [] : [mail],
    }));
    if (earlier === undefined || later === undefined) throw new Error('There are two runs');
    const invoice = reportMail('2', { kind: 'k2', subject: 'Your invoice' });
    const run: ReportData = {
      ...later,
      kinds: [...later.kinds, { id: 'k2', name: 'invoice', by: 'template', count: 1 }],
      mails: [...later.mails, invoice],
    };
    await open({ ...run, changes: compareData([earlier], run) }, { width });
    await page.getByText('1 of 2 kinds changed, 1 new').waitFor();
    await page.getByText('Ids, tokens, dates').waitFor();
    expect(await page.locator('summary').filter({ hasText: 'new' }).textContent()).toContain('Your invoice');
    expect(await page.locator('.changes del').first().textContent()).toContain('Hello');
    expect(await page.locator('.changes ins').first().textContent()).toContain('Welcome');
    const boxes = await Promise.all(
      ['before', 'after'].map((side) => page.getByTitle(`Phone, ${side}`).boundingBox()),
    );
    const [left, right] = boxes;
    if (!left || !right) throw new Error('Both frames are shown');
    if (width === 375) expect(right.y).toBeGreaterThanOrEqual(left.y + left.height);
    else expect(right.x).toBeGreaterThanOrEqual(left.x + left.width);
    expect(left.width).toBeLessThanOrEqual(width);
    await expectInOrder(page);
  });

  test('the changes of several kinds begin with a line for each, and tell their common edit once', async () => {
    const runOf = (lane: string) => ({
      ...emptyReport,
      kinds: ['order', 'parcel', 'reset'].map((id) => ({ id, name: id, by: 'category' as const, count: 1 })),
      mails: ['order', 'parcel', 'reset'].map((kind, at) =>
        reportMail(String(at), {
          kind,
          html: `<p>Our ${kind}</p><p>${at === 1 ? '12' : lane} Mill Lane</p>`,
        }),
      ),
    });
    const later = runOf('14');
    await open({ ...later, changes: compareData([runOf('12')], later) });
    const shared = page.getByText('in 2 kinds');
    expect(await shared.textContent()).toBe('12 Mill Lane → 14 Mill Lane in 2 kinds');
    expect(await page.locator('.changes summary').allTextContents()).toEqual([
      'changed order HTML',
      'changed reset HTML',
      '1 the same',
    ]);
    expect(await page.locator('.changes details :is(ins, iframe)').count()).toBe(0);
    await page.getByText('reset', { exact: true }).click();
    await page.locator('.changes details ins').first().waitFor();
    expect(await page.locator('.changes details ins').allTextContents()).toEqual(['14 Mill Lane']);
    await expectInOrder(page);
  });

  test('the overview, its tab and the title count bounces, refusals and failed posts as problems', async () => {
    const posts = shopReport.posts.map((post) => ({ ...post, status: 500 }));
    await open({ ...shopReport, posts });
    const problems = page.getByRole('region', { name: 'Problems' }).getByRole('link');
    const rows = await problems.allTextContents();
    expect(rows.join('\n')).toMatch(/bounced[^]*422|422[^]*bounced/);
    expect(rows.join('\n')).toContain('Webhook post');
    await page.getByRole('link', { name: `Overview ${rows.length} problems` }).waitFor();
    expect(await page.locator('.totals').textContent()).toContain(`${rows.length} problems`);
    expect(await page.title()).toContain(`${rows.length} problems`);
    await problems.filter({ hasText: '422' }).click();
    await page.getByText('Why it was refused').waitFor();
  });

  test('the overview has three colours of text, and text follows the browser’s font size', async () => {
    await open(shopReport);
    const texts = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.overview *:not(.badge)')]
          .filter(({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3))
          .map((element) => getComputedStyle(element))
          .map(({ color, fontSize }) => ({ color, size: Number.parseFloat(fontSize) })),
      );
    const before = await texts();
    expect(new Set(before.map(({ color }) => color)).size).toBeLessThanOrEqual(3);
    expect([...new Set(before.map(({ size }) => size))].sort()).toEqual([13, 14, 15, 16, 20]);
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
    expect(await texts()).toEqual(before.map(({ color, size }) => ({ color, size: size * 2 })));
  });

  test('times are those of the reader’s zone', async () => {
    await open(shopReport, { hash: '#/mails/8' });
    // 09:30:08 in UTC.
    await page.getByText('May 12, 2026, 6:30:08 PM').first().waitFor();
    await page.getByText('times in Asia/Tokyo').waitFor();
  });

  test('the keyboard moves through emails and requests, searches, and goes back', async () => {
    await open(shopReport, { hash: '#/mails' });
    // The newest mail is open: the next one is below it.
    await page.keyboard.press('j');
    await expect.poll(() => new URL(page.url()).hash).toBe('#/mails/7');
    await page.keyboard.press('k');
    await expect.poll(() => new URL(page.url()).hash).toBe('#/mails/8');
    await page.keyboard.press('ArrowDown');
    expect(new URL(page.url()).hash).toBe('#/mails/7');
    expect(await focused()).toContain('Receipt for');
    await page.keyboard.press('k');
    expect(new URL(page.url()).hash).toBe('#/mails/8');
    // The list goes on where it is; the details have the focus only after a click or Enter.
    await page.keyboard.press('/');
    await page.keyboard.type('shelves');
    expect(new URL(page.url()).hash).toBe('#/mails/8');
    await expect.poll(rowsShown).toBe(2);
    expect(await page.getByRole('status').first().textContent()).toBe('2 emails and 0 requests found');
    await page.keyboard.press('Enter');
    await page.keyboard.press('j');
    expect(new URL(page.url()).hash).toBe('#/mails/2');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Search').inputValue()).toBe('');
    await expect.poll(rowsShown).toBe(7);
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).hash).toBe('#/mails');
    // The arrow keys of tabs choose a tab.
    await goTo('#/mails/8');
    await page.getByRole('tab', { name: 'HTML', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Text');
    expect(await focused()).toBe('Text');
  });

  test('a link of the overview moves the focus to the heading it leads to', async () => {
    await open(shopReport);
    await page.getByRole('link', { name: /^Receipt/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Receipt for ');
  });

  test('search and recipient keep the emails and requests that match', async () => {
    await open(shopReport, { hash: '#/mails' });
    await page.getByRole('button', { name: 'Newest first' }).click();
    expect(await rowsShown()).toBe(8);
    // What the emulator made up, as delivered or opened, has no badge.
    const badges = new Set(await page.locator('.list .badge').allTextContents());
    expect([...badges].sort()).toEqual(['1 finding', '2 findings', 'bounced', 'bulk']);
    await page.getByLabel('Search').fill('480113 CONFIRM');
    await expect.poll(rowsShown).toBe(1);
    expect(await page.locator('.list mark').allTextContents()).toContain('Confirm');
    await page.getByText('1 of 8', { exact: true }).waitFor();
    await page.getByLabel('Search').fill('to:bo@example.org');
    await expect.poll(rowsShown).toBe(2);
    await page.getByRole('link', { name: /^Requests 2/ }).click();
    await expect.poll(rowsShown).toBe(2);
    await page.locator('[data-row]', { hasText: '→ bo@example.org' }).first().waitFor();
    await page.getByLabel('Search').fill('to:bo@example.org call-8');
    await expect.poll(rowsShown).toBe(1);
    await page.getByLabel('Search').fill('to:bo@example.org');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: '2 emails' }).waitFor();
    expect(await page.locator('.totals').textContent()).toBe('2 emails0 problems0 findings');
    await page.getByLabel('Search').fill('nothing has these words');
    await page.getByText('No email fits the search.').waitFor();
    await goTo('#/mails/8');
    await expect.poll(() => page.locator('.detail .title').count()).toBe(0);
  });

  test('the list follows an email that is opened by its address, and Enter leads into it', async () => {
    await open(hugeReport(200, 1), { hash: '#/mails' });
    await page.getByRole('button', { name: 'Newest first' }).click();
    await goTo('#/mails/3');
    const row = page.locator('.row[aria-current]');
    await expect.poll(async () => (await row.boundingBox())?.y ?? 9_999).toBeLessThan(800);
    await row.focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Subject 3');
  });

  test('in the view Phone, a wider email is scaled whole, and its width is said', async () => {
    const html = '<table width="560"><tr><td>Spade</td><td align="right"><b>29.90</b></td></tr></table>';
    await open({ ...emptyReport, sent: 1, mails: [reportMail('1', { html })] }, { hash: '#/mails/1' });
    await page.getByRole('button', { name: 'Phone' }).click();
    await page.getByText('This email is 560 px wide.').waitFor();
    const stage = await page.locator('.stage').boundingBox();
    const frame = await page.locator('iframe').boundingBox();
    expect(Math.round(frame?.width ?? 0)).toBe(375);
    const price = await page.frameLocator('iframe').locator('b').boundingBox();
    expect((price?.x ?? 9_999) + (price?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + 375);
    expect(stage?.width).toBeGreaterThan(375);
    // The frame stands in the middle.
    const left = (frame?.x ?? 0) - (stage?.x ?? 0);
    expect(Math.abs(left * 2 + 375 - (stage?.width ?? 0))).toBeLessThan(3);
    await page.getByText('375 px ·').waitFor();
    await page.getByRole('button', { name: 'Dark' }).first().click();
    await page.getByText('This email has no dark styles.').waitFor();
  });

  test('a row starts with the words of its email, and names the sender where there are several', async () => {
    const parts = { subject: 'Receipt', preview: 'Shop Receipt Thank you', fromName: 'Shop', toName: 'Ann' };
    const mails = [reportMail('1', parts), reportMail('2', { ...parts, preview: 'Receipt is here' })];
    await open({ ...emptyReport, sent: 2, mails }, { hash: '#/mails' });
    const texts = () => page.locator('[data-row] .second').allTextContents();
    expect(await texts()).toEqual(['Ann', 'Thank you', 'Ann', '… is here']);
    await page.goto('about:blank');
    await context?.close();
    const other = reportMail('2', { ...parts, preview: '', from: 'other@example.com' });
    await open({ ...emptyReport, sent: 2, mails: [reportMail('1', parts), other] }, { hash: '#/mails' });
    expect(await texts()).toEqual(['Shop → Ann', 'Thank you', 'Shop → Ann']);
  });

  test('a kind lists its newest emails, and all on request', async () => {
    await open(shopReport, { hash: '#/mails' });
    expect(await rowsShown()).toBe(7);
    expect(await page.locator('.list ol:not(h2 + ol)').count()).toBe(0);
    await page.getByRole('button', { name: 'All 4 emails' }).click();
    await expect.poll(rowsShown).toBe(8);
    // The address of a mail that the list left out shows it.
    await page.goto('about:blank');
    await context?.close();
    await open(shopReport, { hash: '#/mails/3' });
    expect(await page.locator('[aria-current=true]').textContent()).toContain('order 203');
  });

  test('a template shows its languages side by side', async () => {
    const data = emptyReport;
    const mailIn = (id: string, locale: string, subject: string) =>
      reportMail(id, {
        subject,
        kind: 'k1',
        template: { name: 'Receipt', locale, missing: [], unused: [] },
      });
    const mails = [
      mailIn('3', 'de', 'Bestellung, Ann'),
      mailIn('2', 'de', 'Bestellung, Bob'),
      mailIn('1', 'en', 'Your order, Ann'),
    ];
    await open(
      { ...data, mails, sent: 3, kinds: [{ id: 'k1', name: 'Receipt', by: 'template', count: 3 }] },
      { hash: '#/mails/1' },
    );
    await page.getByRole('tab', { name: 'Languages 2' }).click();
    const columns = page.getByRole('tabpanel').locator('section');
    expect(await columns.locator('h3').allTextContents()).toEqual([
      'de · Bestellung, Ann',
      'en · Your order, Ann',
    ]);
    await columns.first().frameLocator('iframe').getByRole('heading', { name: 'Bestellung, Ann' }).waitFor();
    await columns.first().getByRole('link').click();
    await page.getByRole('heading', { name: 'Bestellung, Ann', level: 2 }).waitFor();
  });

  test('an attachment is saved as it was sent', async () => {
    await open(shopReport, { hash: '#/mails/8' });
    await page.getByRole('tab', { name: /^Attachments/ }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('listitem').filter({ hasText: 'terms.txt' }).getByRole('button').click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('terms.txt');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe('No surprises');
  });

  test('a thousand emails and five thousand requests are listed, in pages of a hundred', async () => {
    await open(hugeReport(1_000, 5_000), { hash: '#/mails' });
    await page.getByRole('button', { name: 'Newest first' }).click();
    await expect.poll(rowsShown).toBe(100);
    await page.locator('[data-row]').last().scrollIntoViewIfNeeded();
    await page.locator('[data-row]').last().click();
    await page.getByRole('heading', { name: 'Subject 901', exact: true }).first().waitFor();
    await goTo('#/requests');
    await expect.poll(rowsShown).toBe(150);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('101–200 of 4,950').waitFor();
    // An address leads to the page of its request.
    await goTo('#/requests/r1');
    await page.getByText('4,901–4,950 of 4,950').waitFor();
  });

  describe('with hostile emails', () => {
    let received: string[] = [];
    let connections = 0;
    let origin: string;
    let close: () => Promise<unknown>;

    beforeAll(async () => {
      const server = createServer((request, response) => {
        received.push(String(request.url));
        response.setHeader('access-control-allow-origin', '*').end();
      });
      server.on('connection', () => (connections += 1));
      const listening = await listen(server);
      origin = `http://127.0.0.1:${listening.port}`;
      ({ close } = listening);
    });
    afterAll(() => close());

    test('the emails reach the server from an ordinary page: the attempts are real', async () => {
      received = [];
      const requests: Readonly<Record<string, string>> = {
        script: 'script',
        handler: 'handler',
        image: 'image',
        style: 'inline',
        frame: 'nested',
        svg: 'svg',
        breakout: 'breakout-image',
      };
      context = await browser.newContext();
      page = await context.newPage();
      const { mails } = hostileReport(origin);
      for (const [name, request] of Object.entries(requests)) {
        const mail = mails.find(({ subject }) => subject.startsWith(`${name} `));
        await page.setContent(mail?.html ?? '');
        await expect.poll(() => received, { timeout: 120_000 }).toContain(`/${request}`);
      }
    });

    test.each([320, 1280])('%i pixels wide, nothing executes and nothing leaves', async (width) => {
      received = [];
      connections = 0;
      const data = hostileReport(origin);
      await open(data, { width });
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      context?.on('page', (opened) => requested.push(opened.url()));
      // Chromium needs ten seconds for its text: once is enough.
      const mails =
        width === 320 ? data.mails.filter(({ subject }) => subject !== 'ten megabytes') : data.mails;
      for (const { id, subject } of mails) {
        await goTo(`#/mails/${id}`);
        for (const tab of (await page.getByRole('tab').all()).reverse()) await tab.dispatchEvent('click');
        if (subject === 'ten megabytes') await page.getByRole('button', { name: 'Show it' }).click();
        const frame = page.frameLocator('.stage iframe');
        await frame.locator('body').waitFor({ state: 'attached' });
        for (const target of ['#link', '#self', '#top', '#ping', '#submit'])
          if ((await frame.locator(target).count()) > 0) await frame.locator(target).click();
        // A frame that a click has led away is no part of the next mail.
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
      }
      for (const hash of ['#/', '#/requests/r1', '#/service/p1', '#/service']) await goTo(hash);
      expect(await page.title()).not.toBe('taken');
      expect(page.url()).toMatch(/^file:/);
      expect(context?.pages()).toHaveLength(1);
      // Some builds of Chromium connect before they look at the policy, and then ask for nothing.
      expect(connections).toBe(0);
      // Requests on their way arrive before that of another page.
      const other = await browser.newPage();
      await other.goto(`${origin}/end`, { waitUntil: 'networkidle' });
      await other.close();
      expect(received.filter((path) => path !== '/favicon.ico')).toEqual(['/end']);
      expect(requested.filter((url) => /^https?:/.test(url) && !url.startsWith(origin))).toEqual([]);
    });
  });
});

test.skipIf(!chromium)(
  'in a window that is not private, an email has no element with which Chromium connects in advance',
  async () => {
    let connections = 0;
    const sender = await listen(createServer().on('connection', () => (connections += 1)));
    const own = mkdtempSync(join(tmpdir(), 'report-'));
    const window = await playwright.launchPersistentContext(join(own, 'profile'), chromium ?? {});
    try {
      const origin = `http://127.0.0.1:${sender.port}`;
      const link = `<link rel="preconnect" href="${origin}/"><link rel="dns-prefetch" href="${origin}/">`;
      const html = `${link}<div><template shadowrootmode="open">${link}</template></div><p>Hello</p>`;
      const tab = await window.newPage();
      const file = join(own, 'report.html');
      writeFileSync(file, await reportHtml({ ...emptyReport, sent: 1, mails: [reportMail('1', { html })] }));
      await tab.goto(`${pathToFileURL(file).href}#/mails/1`);
      const frame = tab.locator('iframe');
      await frame.waitFor();
      await frame.contentFrame().getByText('Hello').waitFor();
      // A Chromium without a window does not connect in advance. The elements with which others do are gone.
      await expect.poll(() => frame.contentFrame().locator('x-link').count()).toBe(4);
      expect(await frame.contentFrame().locator('link').count()).toBe(0);
      expect(connections).toBe(0);
    } finally {
      await window.close();
      await sender.close();
      rmSync(own, { recursive: true });
    }
  },
);
