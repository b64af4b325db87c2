/**
 * The example in the browser, used as a person would, in a real Chromium, small and large. What the browser receives goes
 * through a relay that remembers every byte.
 *
 * `UPDATE_SCREENSHOTS=1` writes the pictures of the example anew; without it only those that are missing.
 */
import { existsSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { chromium as playwright, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startExample, type RunningExample } from '../../examples/browser/server.ts';
import { findChromium, NO_CHROMIUM } from '../support/chromium.ts';
import { expectInOrder } from '../support/in-order.ts';
import { listen, type Listening } from '../support/ports.ts';

const chromium = await findChromium();
if (!chromium)
  process.stderr.write(`\n*** The test of the example in the browser is SKIPPED. ${NO_CHROMIUM}\n\n`);

const root = join(import.meta.dirname, '../..');

let browser: Browser;
let example: RunningExample;
let relay: Listening;
let context: BrowserContext;
let page: Page;
let received: Buffer[];
let errors: string[];

/** Passes everything on to the example, and remembers what comes back. */
const relayTo = (port: number): Promise<Listening> =>
  listen(
    createServer((socket) => {
      const server = connect(port, '127.0.0.1');
      socket.pipe(server);
      server.on('data', (bytes) => received.push(bytes));
      server.pipe(socket);
      for (const side of [socket, server])
        side.on('error', () => {
          socket.destroy();
          server.destroy();
        });
    }),
  );

const open = async (width: number): Promise<void> => {
  context = await browser.newContext({ locale: 'en-US', viewport: { width, height: 800 } });
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(`http://127.0.0.1:${relay.port}/`);
  await page.waitForSelector('.campaigns li');
};

/** The pictures of the example, each with the width it is taken at. The tarball contains those of the gallery. */
const PICTURES = {
  campaigns: { file: 'examples/browser/images/campaigns.png', width: 1280 },
  statistics: { file: 'docs/images/example-statistics.png', width: 1280 },
  draft: { file: 'examples/browser/images/draft.png', width: 320 },
  'test-mail': { file: 'docs/images/example-test-mail.png', width: 1280 },
} as const;

async function picture(name: keyof typeof PICTURES): Promise<void> {
  const { file, width } = PICTURES[name];
  const path = join(root, file);
  const isWanted = process.env.UPDATE_SCREENSHOTS === '1' || !existsSync(path);
  if (isWanted && page.viewportSize()?.width === width) await page.screenshot({ path });
}

const namesShown = () => page.locator('.campaigns a').allTextContents();
const toFirst = (state: string) => page.locator(`.campaigns li:has(.${state}) a`).first().click();
const alert = () => page.locator('[role=alert]');

describe.skipIf(!chromium)('the example in the browser', () => {
  beforeAll(async () => {
    browser = await playwright.launch(chromium);
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    received = [];
    errors = [];
    example = await startExample();
    relay = await relayTo(Number(new URL(example.url).port));
  });
  afterEach(async () => {
    await context.close();
    await relay.close();
    await example.close();
  });

  describe.each([320, 1280])('%i pixels wide', (width) => {
    beforeEach(() => open(width));

    afterEach(() => {
      expect(errors).toEqual([]);
      const all = Buffer.concat(received).toString('latin1');
      // Not `toContain`: it would print all of it.
      expect(all.includes('HTTP/1.1 200') && all.includes('"recipient_total_count"')).toBe(true);
      expect(/\r\ncontent-encoding:/i.test(all)).toBe(false);
      const { token } = example;
      for (const form of [token, encodeURIComponent(token), btoa(token).replace(/=+$/, '')])
        expect(all.includes(form)).toBe(false);
    });

    test('lists campaigns, page by page, and finds them', async () => {
      const first = await namesShown();
      expect(first).toHaveLength(10);
      await expectInOrder(page);
      await picture('campaigns');

      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Page 2').waitFor();
      const second = await namesShown();
      expect(second).toHaveLength(10);
      expect(second.filter((name) => first.includes(name))).toEqual([]);
      await page.getByRole('button', { name: 'Previous' }).click();
      await page.getByText('Page 1').waitFor();
      expect(await namesShown()).toEqual(first);

      await page.getByLabel('Search').fill('lookbook');
      await page.waitForFunction(() =>
        [...document.querySelectorAll('.campaigns a')].every(({ textContent }) =>
          /lookbook/i.test(textContent),
        ),
      );
      expect((await namesShown()).length).toBeGreaterThan(0);
      await page.getByLabel('Search').fill('nothing is called this');
      await page.getByText('No campaign fits.').waitFor();
      await expectInOrder(page);
    });

    test('shows the figures of a campaign', async () => {
      await toFirst('finished');
      await page.locator('.figures').waitFor();
      const figures = await page.locator('.figures dd').allTextContents();
      const id = Number(/\d+$/.exec(page.url())?.[0]);
      const stats = await new (await import('email-platform')).EmailPlatform(
        example.emulator.clientOptions(),
      ).campaigns.stats(id);
      const counts = [
        stats.sent_count,
        stats.delivery_count,
        stats.open_count,
        stats.click_count,
        stats.bounce_count,
      ];
      expect(counts[0]).toBeGreaterThan(0);
      expect(figures).toEqual(counts.map((count) => count.toLocaleString('en')));
      // The bars are drawn: the canvas has their colour.
      const blue = await page.evaluate(() => {
        const canvas = document.querySelector('canvas');
        const { data = [] } = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
        let count = 0;
        for (let at = 0; at < data.length; at += 4)
          if (data[at] === 0x2f && data[at + 1] === 0x5f && data[at + 2] === 0xb3) count += 1;
        return count;
      });
      expect(blue).toBeGreaterThan(1_000);
      await expectInOrder(page);
      await picture('statistics');
      await page.getByRole('link', { name: 'All campaigns' }).click();
      await page.waitForSelector('.campaigns li');
    });

    test('edits a draft, with what is wrong beside its field', async () => {
      await toFirst('draft');
      // The service's own word.
      await page.getByLabel('Name', { exact: true }).fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      const name = page.getByLabel('Name', { exact: true });
      await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
      expect(
        await page.locator(`#${String(await name.getAttribute('aria-describedby'))}`).textContent(),
      ).toMatch(/blank/);
      await expectInOrder(page);
      await picture('draft');
      // The client's, before anything is sent.
      const sent = example.emulator.requests.length;
      await name.fill('Spring, once more');
      await page.getByLabel('Subject').fill('x'.repeat(256));
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => page.locator('#subject-error').textContent()).toMatch(/255/);
      expect(await name.getAttribute('aria-invalid')).toBe('false');
      expect(example.emulator.requests).toHaveLength(sent);
      await page.getByLabel('Subject').fill('Spring is here once more');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.getByRole('heading', { name: 'Spring, once more' }).waitFor();
      await expectInOrder(page);
    });

    test('sends a test email, and shows it as it arrived', async () => {
      await toFirst('draft');
      await page.getByRole('button', { name: 'Send a test mail' }).click();
      await page.getByText(/^Arrived at /).waitFor();
      const [message] = example.emulator.sandbox.messages();
      expect(example.emulator.messages()).toHaveLength(1);
      expect(await page.locator('iframe').getAttribute('title')).toContain(message?.subject);
      expect(await page.locator('iframe').getAttribute('srcdoc')).toBe(message?.html);
      expect(await page.frameLocator('iframe').locator('h1').textContent()).not.toBe('');
      await expectInOrder(page);
      await picture('test-mail');
    });

    test('says that it is offline, and goes on when it is not', async () => {
      await context.setOffline(true);
      await page.getByRole('button', { name: 'Next' }).click();
      await alert().getByText('You are offline.').waitFor();
      await expectInOrder(page);
      await context.setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Page 2').waitFor();
      expect(await alert().count()).toBe(0);
    });

    test('says that it is slow', async () => {
      example.emulator.faults.next({ kind: 'slow', delayMs: 3_600_000 });
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Still loading …').waitFor();
      await expectInOrder(page);
      example.emulator.clock.advance(3_600_000);
      await page.getByText('Page 2').waitFor();
      expect(await page.getByText('Still loading …').count()).toBe(0);
    });

    test('says how long to wait after too many requests', async () => {
      await page.clock.install();
      example.emulator.faults.next({
        kind: 'status',
        status: 429,
        headers: { 'retry-after': '90' },
        body: { errors: 'Throttled' },
      });
      await page.getByRole('button', { name: 'Next' }).click();
      await page.clock.runFor(1_000);
      await alert()
        .getByText(/^Too many requests/)
        .waitFor();
      expect(await alert().textContent()).toMatch(/Try again in (8\d|90) s\./);
      const retry = page.getByRole('button', { name: 'Try again' });
      expect(await retry.isDisabled()).toBe(true);
      await expectInOrder(page);
      await page.clock.runFor(91_000);
      await expect.poll(() => retry.isEnabled()).toBe(true);
      // The proxy's client does not retry what takes longer than a page waits, and the page's not at all.
      expect(example.emulator.requests.filter(({ status }) => status === 429)).toHaveLength(1);
    });

    test('says that the service does not answer', async () => {
      example.emulator.faults.next({ kind: 'html', times: Infinity });
      await page.getByRole('button', { name: 'Next' }).click();
      await alert().getByText('The email service does not answer.').waitFor();
      await expectInOrder(page);
    });
  });

  test('a page of another origin gets nothing', async () => {
    await open(1280);
    const before = example.emulator.requests.length;
    const blank = createHttpServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<p>'),
    );
    const { port, close } = await listen(blank);
    // Another port is another origin, but the same site: the cookie goes along.
    const elsewhere = await context.newPage();
    await elsewhere.goto(`http://127.0.0.1:${port}/`);
    const address = `http://127.0.0.1:${relay.port}/email/api/api/email_campaigns`;
    const outcomes = await elsewhere.evaluate(async (url) => {
      const inits: RequestInit[] = [{ credentials: 'include' }, { credentials: 'include', mode: 'no-cors' }];
      return Promise.all(
        inits.map((init) =>
          fetch(url, init).then(
            ({ status }) => status,
            () => 'failed',
          ),
        ),
      );
    }, address);
    expect(outcomes).toEqual(['failed', 'failed']);
    expect(example.emulator.requests).toHaveLength(before);
    await close();
  });
});
