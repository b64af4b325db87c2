/**
 * The live page of an emulator in a real Chromium, as a person would use it: mails and requests as they come, the clock, faults,
 * a lost connection, two browsers, and hostile mails and pages.
 */
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { chromium as playwright, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../support/chromium.ts';
import { expectInOrder } from '../support/in-order.ts';
import { DENSITY, useInter } from '../support/pictures.ts';
import { listen, type Listening } from '../support/ports.ts';
import { hostileReport, shopReport } from '../support/report-data.ts';

const chromium = await findChromium();
if (!chromium) process.stderr.write(`\n*** The test of the live page is SKIPPED. ${NO_CHROMIUM}\n\n`);

const images = join(import.meta.dirname, '../../docs/images');

let browser: Browser;
let emulator: Emulator;
let server: Emulator.Server;
let contexts: BrowserContext[] = [];
let page: Page;
let errors: string[];
let posted: string[];

/** Opens the page in a browser of its own, by a new address. */
async function open({
  width = 1280,
  scheme = 'light',
}: { readonly width?: number; readonly scheme?: 'light' | 'dark' } = {}): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-US',
    colorScheme: scheme,
    viewport: { width, height: 800 },
    deviceScaleFactor: DENSITY,
  });
  contexts.push(context);
  const opened = await context.newPage();
  opened.setDefaultTimeout(120_000);
  opened.on('pageerror', ({ message }) => errors.push(message));
  await opened.goto(server.control?.browserUrl() ?? '');
  await opened.getByRole('navigation', { name: 'Views' }).waitFor();
  return opened;
}

const call = (path: string, body: object) => {
  const { token, hosts } = server.clientOptions();
  return fetch(`${hosts.send}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
};
const send = (changes: object = {}) =>
  call('/api/send', {
    from: { email: 'shop@mail.example.com' },
    to: [{ email: 'ann@example.org' }],
    subject: 'Confirm your address',
    text: 'Confirm: https://shop.example.com/confirm?code=480113',
    html: '<h1>Hello</h1><p><a href="https://shop.example.com/confirm?code=480113">Confirm</a></p>',
    ...changes,
  });

const view = (name: string, of = page) =>
  of.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click();

async function picture(name: string): Promise<void> {
  const path = join(images, `${name}.png`);
  if (process.env.UPDATE_SCREENSHOTS !== '1' && existsSync(path)) return;
  await page.setViewportSize({ width: 1080, height: 640 });
  await useInter(page);
  await page.screenshot({ path });
  await page.setViewportSize({ width: 1280, height: 800 });
}

describe.skipIf(!chromium)('the live page', () => {
  beforeAll(async () => {
    browser = await playwright.launch(chromium);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    errors = [];
    posted = [];
    emulator = createEmulator({
      now: () => Date.UTC(2026, 4, 12, 9, 30),
      webhooks: {
        receive: async (request) => {
          posted.push(await request.text());
          return new Response(null, { status: 204 });
        },
      },
    });
    server = await emulator.listen({ control: true });
    page = await open();
  });
  afterEach(async () => {
    expect(errors).toEqual([]);
    for (const context of contexts) await context.close();
    contexts = [];
    await server.close();
  });

  test('a person clicks the link of an email that arrives, and its page opens in a new tab', async () => {
    const asked: IncomingMessage[] = [];
    const shop = await listen(
      createServer((request, response) => {
        asked.push(request);
        response
          .setHeader('content-type', 'text/html')
          .end(`<script>document.title = 'Welcome, ' + document.cookie + (opener === null)</script>`);
      }),
    );
    try {
      const origin = `http://localhost:${shop.port}`;
      await page.context().addCookies([{ name: 'cart', value: '3', url: origin }]);
      await page.getByText('No email was sent yet').waitFor();
      await send({
        html: `<h1>Hello</h1><p><a target="_self" rel="opener" href="${origin}/confirm?code=480113">Confirm</a></p>`,
      });
      const opened = page.context().waitForEvent('page');
      await page.frameLocator('iframe').getByRole('link', { name: 'Confirm' }).click();
      const tab = await opened;
      await expect.poll(() => tab.title()).toBe('Welcome, cart=3true');
      expect(tab.url()).toBe(`${origin}/confirm?code=480113`);
      expect(asked[0]?.headers.referer).toBe(undefined);
      expect(await page.frameLocator('iframe').locator('h1').textContent()).toBe('Hello');
      await page.getByRole('tab', { name: /^Links/ }).click();
      const link = page.getByRole('tabpanel').getByRole('link');
      expect(await link.getAttribute('href')).toBe(`${origin}/confirm?code=480113`);
      expect(await link.getAttribute('rel')).toBe('noreferrer noopener');
      await page
        .getByText('New email: Confirm your address, to ann@example.org')
        .waitFor({ state: 'attached' });
    } finally {
      await shop.close();
    }
  });

  test('the newest email is open, its body begins high up, and the next one takes its place', async () => {
    await send({ subject: 'First' });
    const title = page.locator('.detail .title');
    await expect.poll(() => title.textContent()).toBe('First');
    await expect.poll(async () => (await page.locator('iframe').boundingBox())?.y ?? 999).toBeLessThan(220);
    await send({ subject: 'Second' });
    await expect.poll(() => title.textContent()).toBe('Second');
    await page.locator('.detail').hover();
    await send({ subject: 'Third' });
    await page.getByRole('link', { name: 'Emails 3' }).waitFor();
    expect(await title.textContent()).toBe('Second');
  });

  test('a phone has one row of tabs, and at most 96 pixels of head and foot', async () => {
    page = await open({ width: 375 });
    await send();
    await send({ to: [] });
    const faults = await page.getByRole('link', { name: '1 problem', exact: true }).boundingBox();
    expect((faults?.x ?? 999) + (faults?.width ?? 999)).toBeLessThan(375);
    await page.locator('[data-row]').click();
    await page.locator('iframe').waitFor();
    const heights = await Promise.all(
      ['header', 'footer'].map(async (name) => (await page.locator(name).boundingBox())?.height ?? 999),
    );
    expect(heights.reduce((sum, height) => sum + height)).toBeLessThanOrEqual(96);
    const [stage, frame] = await Promise.all([
      page.locator('.stage').boundingBox(),
      page.locator('iframe').boundingBox(),
    ]);
    expect(frame?.width).toBeLessThanOrEqual(stage?.width ?? 0);
    await page.getByRole('button', { name: 'Search' }).click();
    const search = page.getByRole('searchbox', { name: 'Search' });
    await expect.poll(() => search.evaluate((one) => one === document.activeElement)).toBe(true);
    await search.fill('480113');
    await page.getByRole('link', { name: 'Emails 1' }).waitFor();
    await expectInOrder(page);
  });

  test('remote images load on request, attached ones at once', async () => {
    const asked: string[] = [];
    const other = await listen(
      createServer((request, response) => {
        asked.push(String(request.url));
        response.end();
      }),
    );
    try {
      const png =
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
      await send({
        html: `<img id="own" src="cid:qr" alt="QR"><img src="http://127.0.0.1:${other.port}/logo.png" alt="Logo">`,
        attachments: [
          { filename: 'qr.png', type: 'image/png', content: png, content_id: 'qr', disposition: 'inline' },
        ],
      });
      const own = page.frameLocator('iframe').locator('#own');
      await expect.poll(() => own.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);
      expect(asked).toEqual([]);
      await page.getByRole('button', { name: 'Load images' }).click();
      await expect.poll(() => asked).toEqual(['/logo.png']);
    } finally {
      await other.close();
    }
  });

  test('an email is shown light and dark', async () => {
    await send({
      html: '<style>@media (prefers-color-scheme: dark){p{color:rgb(1,2,3)}}</style><p>Hello</p>',
    });
    const colour = () =>
      page
        .frameLocator('iframe')
        .locator('p')
        .evaluate((one) => getComputedStyle(one).color);
    await expect.poll(colour).toBe('rgb(0, 0, 0)');
    await page.getByRole('main').getByRole('button', { name: 'Dark' }).click();
    await expect.poll(colour).toBe('rgb(1, 2, 3)');
  });

  test('the search finds what only the emulator has: HTML, addresses of links, headers', async () => {
    await send({ html: '<p>word-of-html</p>', headers: { 'X-Order': 'word-of-header' } });
    await send({
      subject: 'Other',
      html: `<p>${'x '.repeat(500)}</p><a href="https://shop.example.com/?a=1&amp;b=2">Go</a>`,
    });
    await page.getByRole('link', { name: 'Emails 2' }).waitFor();
    for (const [text, found] of [
      ['word-of-html', 'Confirm your address'],
      ['x-order: word-of-header', 'Confirm your address'],
      ['?a=1&b=2', 'Other'],
    ] as const) {
      await page.getByRole('searchbox', { name: 'Search' }).fill(text);
      await page.getByRole('link', { name: 'Emails 1' }).waitFor();
      expect(await page.locator('[data-row] .name').first().textContent()).toBe(found);
    }
  });

  test('the list shows the outcome of an email, and a deleted one is gone everywhere', async () => {
    const other = await open();
    await send({ to: [{ email: 'bounce@example.org' }], subject: 'Lost' });
    await page.getByRole('link', { name: 'Emails 1' }).waitFor();
    await page.getByRole('button', { name: '+1 h' }).click();
    await page.locator('[data-row]').getByText('bounced').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    for (const one of [page, other]) await one.getByRole('link', { name: 'Emails 0' }).waitFor();
    const reloaded = await open();
    await reloaded.getByRole('link', { name: 'Emails 0' }).waitFor();
    expect(emulator.messages()).toHaveLength(1);
  });

  test('a bounced mail says when and why, and the search finds the reason', async () => {
    await send({ to: [{ email: 'bounce@example.org' }], subject: 'Lost' });
    await send({ to: [{ email: 'soft-bounce@example.org' }], subject: 'Full' });
    await page.getByRole('link', { name: 'Emails 2' }).waitFor();
    await page.getByRole('button', { name: '+1 min' }).click();
    await page.locator('[data-row]').getByText('Lost').click();
    const failures = page.locator('.failures');
    await failures.getByText('Bounced: 550 5.1.1 <bounce@example.org>: Recipient address rejected').waitFor();
    expect(await failures.locator('time').count()).toBe(1);
    await page.getByRole('link', { name: 'Overview 2 problems' }).click();
    const lost = page.getByRole('listitem').filter({ hasText: 'Lost → bounce@example.org' });
    expect(await lost.textContent()).toMatch(/bounced.*550 5\.1\.1/);
    await lost.getByRole('link').click();
    await expectInOrder(page);
    await page.getByLabel('Search').fill('mailbox full');
    await page.getByRole('link', { name: 'Emails 1' }).waitFor();
    expect(await page.locator('[data-row]').textContent()).toContain('Full');
  });

  test('a deleted mail comes back at its place, in every browser, until the next one is opened', async () => {
    const other = await open();
    for (const subject of ['First', 'Second', 'Third']) await send({ subject });
    await page.locator('[data-row]').getByText('Second').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    for (const one of [page, other]) await one.getByRole('link', { name: 'Emails 2' }).waitFor();
    await page.getByText('Deleted “Second”').waitFor();
    await expectInOrder(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    for (const one of [page, other]) {
      await one.getByRole('link', { name: 'Emails 3' }).waitFor();
      expect(await one.locator('[data-row] .first .name').allTextContents()).toEqual([
        'Third',
        'Second',
        'First',
      ]);
    }
    await page.getByRole('button', { name: 'Delete' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await page.locator('[data-row]').getByText('First').click();
    await expect.poll(() => undo.count()).toBe(0);
  });

  test('each mail opens with its preview', async () => {
    await send({ subject: 'First' });
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('tabpanel').getByText('Confirm: https://').waitFor();
    await send({ subject: 'Second' });
    await page.locator('[data-row]').getByText('Second').click();
    await page.locator('iframe').waitFor();
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('HTML');
  });

  test('a link to the program under development is not a fault, but a relative one is', async () => {
    await send({ html: '<a href="http://localhost:3000/confirm">Confirm</a> <a href="/terms">Terms</a>' });
    await view('Overview');
    await page.getByText('1 link leads to this machine').waitFor();
    expect(
      await page.getByRole('region', { name: 'Findings' }).getByRole('listitem').allTextContents(),
    ).toEqual([expect.stringContaining('a relative URL')]);
  });

  test('the theme is chosen, and remembered', async () => {
    await send();
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    const theme = (name: string) => page.getByRole('group', { name: 'Theme' }).getByRole('button', { name });
    await theme('dark').click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await expectInOrder(page);
    await page.reload();
    await page.locator('[data-row]').waitFor();
    expect([await theme('dark').getAttribute('aria-pressed'), await ground()]).toEqual(['true', dark]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await theme('light').click();
    expect(await ground()).toBe(light);
    await theme('system').click();
    expect(await ground()).toBe(dark);
  });

  test('an email leads to its posts, and a failed post to its email', async () => {
    emulator = createEmulator({
      now: () => Date.UTC(2026, 4, 12, 9, 30),
      webhooks: { receive: () => new Response(null, { status: 500 }) },
    });
    await server.close();
    server = await emulator.listen({ control: true });
    page = await open();
    const { token, hosts } = server.clientOptions();
    await fetch(`${hosts.api}/api/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        webhook: {
          url: 'https://receiver.example.com/',
          webhook_type: 'email_sending',
          event_types: ['delivery'],
          sending_stream: 'transactional',
        },
      }),
    });
    await send({ custom_variables: { order: '4711' } });
    await page.getByRole('link', { name: 'Emails 1' }).waitFor();
    await page.getByRole('button', { name: '+1 min' }).click();
    await page
      .getByRole('list', { name: 'Timeline' })
      .getByRole('link', { name: 'webhook post failed: 500' })
      .click();
    await page.getByRole('heading', { name: /^Failed/ }).waitFor();
    await page.getByText(/^Next attempt: May 12, 2026, 9:35:\d\d AM/).waitFor();
    await page.getByRole('button', { name: '+1 h' }).click();
    // Each attempt of a post counts as this post.
    await page.getByRole('link', { name: 'Overview 1 problem' }).waitFor();
    await page
      .locator('[data-row]')
      .getByText(/^\d+ attempts$/)
      .waitFor();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
    await expect.poll(() => page.locator('.detail .plain li').count()).toBeGreaterThan(5);
    await page.locator('.detail').getByRole('link', { name: 'Confirm your address' }).click();
    await page.getByText('Details', { exact: true }).click();
    await page.getByText('{"order":"4711"}').waitFor();
  });

  test('a person pastes the command for a first email into a shell without variables', async () => {
    const command = await page.getByRole('region', { name: 'Command for a first email' }).textContent();
    const env = { PATH: process.env.PATH };
    await promisify(execFile)('sh', ['-c', String(command)], { env });
    await page.getByText('New email: Hello, to reader@example.com').waitFor({ state: 'attached' });
    expect(emulator.messages()).toMatchObject([{ to: 'reader@example.com', text: 'It works.' }]);
  });

  test('a person looks at one of several emails', async () => {
    for (const { to, subject, html, text } of shopReport.mails.toReversed())
      // Without attachments, which an inline image would be.
      await send({
        to: [{ email: to }],
        subject,
        html: html?.replace(/<img[^>]*>/, ''),
        text: text ?? undefined,
      });
    await view('Emails');
    await page.locator('[data-row]').getByText('Your order 206').first().click();
    const mail = page.frameLocator('iframe');
    expect(await mail.locator('h1').textContent()).toBe('Your order 206 is on its way');
    await mail.getByText('Track the parcel').waitFor();
    await picture('live-mail');
    await page.locator('[data-row]').getByText('Confirm your address').first().click();
    await mail.getByText('Your code is').waitFor();
    await picture('sign-up');
  });

  test('a person finds why a request was refused, and makes the next one like it fail', async () => {
    await send({ subject: undefined });
    await view('Requests');
    await page.locator('[data-row]').click();
    await page.getByText('Why it was refused').waitFor();
    expect(await page.locator('.reasons').textContent()).toMatch(/subject/);
    const row = page.locator('[data-row]');
    await row.getByText('No subject → ann@example.org').waitFor();
    expect(await row.locator('.bad .name').getAttribute('title')).toContain('subject: ');
    await page.getByText('Headers of the request').waitFor();
    await page.getByText('Fail the next request like this one').click();
    await page.getByLabel('How it fails').selectOption('A status 503');
    await page.getByRole('button', { name: 'Fail the next one' }).click();
    await page.getByText('The next POST /api/send gets status 503.').waitFor();
    await page.getByRole('link', { name: 'Service 1' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => emulator.faults.list()).toEqual([]);
    await page.getByRole('button', { name: 'Fail the next one' }).click();
    await page.getByText('The next POST /api/send gets status 503.').waitFor();
    expect(emulator.faults.list()).toMatchObject([
      { kind: 'status', status: 503, match: { method: 'POST', host: 'send', path: '/api/send' } },
    ]);
    expect((await send()).status).toBe(503);
    expect((await send()).status).toBe(200);
    await page.getByText('Accepted').first().waitFor();
  });

  test('a refused request has the cause that the emulator knows, and each reason once', async () => {
    await send({ from: { email: 'shop@unverified.example' } });
    const { hosts } = server.clientOptions();
    await fetch(`${hosts.send}/api/send`, { method: 'POST', headers: { authorization: 'Bearer wrong' } });
    await view('Requests');
    const reasons = page.getByRole('region', { name: 'Reasons' }).getByRole('listitem');
    await page.locator('[data-row]').last().click();
    await expect
      .poll(() => reasons.allTextContents())
      .toEqual([
        expect.stringMatching(
          /^The sender's domain unverified\.example is not a sending domain of the account; .*; to verify it, call/,
        ),
      ]);
    await page.locator('[data-row]').first().click();
    await expect
      .poll(() => reasons.allTextContents())
      .toEqual(['The request has no token that the emulator knows']);
  });

  test('checks that run say so, and the lists below keep their place', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/live/findings', async (route) => {
      await released;
      await route.continue();
    });
    await view('Overview');
    await send();
    await page.getByText('Checking …').waitFor();
    const kinds = page.getByRole('heading', { name: /^Kinds of email/ });
    const before = await kinds.boundingBox();
    release();
    await expect.poll(() => page.getByText('Checking …').count()).toBe(0);
    expect(await kinds.boundingBox()).toEqual(before);
  });

  test('a person moves the clock, and what is due happens', async () => {
    await send();
    await view('Emails');
    await page.locator('[data-row]').click();
    const before = emulator.clock.now();
    await page.getByRole('button', { name: '+1 h' }).click();
    await expect.poll(() => emulator.clock.now() - before).toBe(3_600_000);
    await page.getByRole('list', { name: 'Timeline' }).getByText('delivered').waitFor();
    await page.getByText('May 12, 2026, 10:30:00 AM').first().waitFor();
    await page.getByText(/^1 hour later: \d+ events?$/).waitFor();
    await page.getByRole('button', { name: '+1 day' }).click();
    await page.getByText('1 day later: no event was due').waitFor();
    const step = page.getByRole('button', { name: '+1 h' });
    const place = await step.boundingBox();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    expect(emulator.clock.isPaused).toBe(true);
    await page.getByText('(paused)').waitFor();
    expect(await step.boundingBox()).toEqual(place);
  });

  test('two browsers switch and remove faults, and none is lost', async () => {
    const other = await open();
    for (const status of [500, 501, 502]) emulator.faults.next({ kind: 'status', status, always: true });
    await Promise.all([view('Service'), view('Service', other)]);
    const switchOf = (of: Page, status: number) =>
      of.getByRole('switch', { name: `Every request → status ${status}, always` });
    await switchOf(page, 500).waitFor();
    await switchOf(other, 502).waitFor();
    await Promise.all([
      switchOf(page, 500).click(),
      other.getByRole('button', { name: /^Remove Every request → status 501/ }).click(),
    ]);
    for (const one of [page, other]) {
      await expect.poll(() => switchOf(one, 500).isChecked()).toBe(false);
      await expect.poll(() => switchOf(one, 501).count()).toBe(0);
      expect(await switchOf(one, 502).isChecked()).toBe(true);
    }
    expect((await send()).status).toBe(502);
    await switchOf(other, 500).click();
    await expect.poll(() => switchOf(page, 500).isChecked()).toBe(true);
    expect((await send()).status).toBe(500);
    await expectInOrder(page);
  });

  test('an inbox receives a message that a person writes, and the reply to an email', async () => {
    await view('Received');
    await page.getByRole('link', { name: 'Receive a message' }).click();
    await page.getByRole('button', { name: 'Add an inbox' }).click();
    await page.getByText(/^Added .+@/).waitFor();
    await page.getByLabel('Subject').fill('A question');
    await page.getByLabel('Text', { exact: true }).fill('Is it there?');
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    await page.getByText(/^Received by /).waitFor();
    await page.locator('[data-row]').getByText('A question').click();
    await page.getByText('Is it there?').waitFor();
    await send({
      to: [{ email: 'ann@example.org', name: 'Ann' }],
      reply_to: { email: 'help@mail.example.com' },
    });
    await view('Emails');
    await page.getByRole('link', { name: 'Reply' }).click();
    expect(await page.getByLabel('From').inputValue()).toBe('Ann <ann@example.org>');
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('help@mail.example.com');
    expect(await page.getByLabel('Subject').inputValue()).toBe('Re: Confirm your address');
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    await page.getByText('None of the recipients is the address of an inbox').waitFor();
  });

  test('a reset asks first', async () => {
    emulator.campaigns.add({ name: 'Spring' });
    await view('Service');
    await page.getByRole('button', { name: 'Reset the emulator …' }).click();
    await expectInOrder(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(emulator.campaigns.stateOf(1001)).toBe('draft');
    await page.getByRole('button', { name: 'Reset the emulator …' }).click();
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await page.getByText('The emulator is as it began.').waitFor();
    expect(() => emulator.campaigns.stateOf(1001)).toThrow();
  });

  test('a post to a webhook is made again', async () => {
    const { token, hosts } = server.clientOptions();
    await fetch(`${hosts.api}/api/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        webhook: { url: 'https://receiver.example.com/', webhook_type: 'audit_log', event_types: [] },
      }),
    });
    emulator.webhooks.emit('audit_log', { action: 'login' });
    await emulator.webhooks.flush();
    expect(posted).toHaveLength(1);
    await view('Service');
    await page.locator('[data-row]').first().click();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Posted again: 204').waitFor();
    expect(posted).toHaveLength(2);
    expect(posted[1]).toBe(posted[0]);
    await page.locator('[data-row]').getByText('2 attempts').waitFor();
  });

  test('a lost connection is said, and mended by itself', async () => {
    await view('Emails');
    await page.context().setOffline(true);
    await page.getByRole('alert').getByText('The emulator does not respond.').waitFor();
    await expectInOrder(page);
    await send();
    await page.context().setOffline(false);
    await page.locator('[data-row]').waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  test('a page whose emulator was started again says that its address has ended', async () => {
    const { port } = new URL(server.url);
    await server.close();
    server = await emulator.listen({ control: true, port: Number(port) });
    await page.getByText('This address has ended. Open the one that the emulator prints now.').waitFor();
  });

  test.each([
    [320, 'light'],
    [320, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('%i pixels wide, %s: axe finds no fault', async (width, scheme) => {
    page = await open({ width, scheme });
    await expectInOrder(page);
    await send();
    await send({ subject: undefined });
    emulator.faults.next({ kind: 'slow' });
    for (const name of ['Service', 'Received', 'Requests', 'Emails']) {
      await view(name);
      await expectInOrder(page);
    }
    await page.locator('[data-row]').first().click();
    await page.locator('iframe').waitFor();
    await expectInOrder(page);
    await view('Requests');
    await page.locator('[data-row]').first().click();
    await page.getByText('Headers of the request').waitFor();
    await expectInOrder(page);
  });

  test('a thousand emails a second do not stall it', async () => {
    await view('Emails');
    await page.getByText('No email was sent yet').waitFor();
    await page.evaluate(() => {
      const state = { added: 0 };
      (globalThis as unknown as { rows: typeof state }).rows = state;
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes)
            if (node instanceof Element) state.added += node.querySelectorAll('[data-row]').length + 1;
      }).observe(document.body, { childList: true, subtree: true });
    });
    const { token, hosts, fetch: reach } = emulator.clientOptions();
    for (let batch = 0; batch < 30; batch += 1) {
      await reach(`${hosts.bulk}/api/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          base: {
            from: { email: 'shop@mail.example.com' },
            subject: 'News',
            html: '<p>News</p>'.repeat(500),
          },
          requests: Array.from({ length: 100 }, (_, at) => ({
            to: [{ email: `p${batch}-${at}@example.org` }],
          })),
        }),
      });
    }
    await page.getByRole('link', { name: 'Emails 3,000' }).waitFor();
    const added = await page.evaluate(
      () => (globalThis as unknown as { rows: { added: number } }).rows.added,
    );
    // A page that made all rows again at each view would stall.
    expect(added).toBeLessThan(2 * 3_000);
  });

  describe('with hostile emails and pages', () => {
    let other: Listening;
    let connections = 0;
    let posts: string[] = [];

    beforeEach(async () => {
      posts = [];
      const hostile = createServer((request, response) => {
        if (request.method !== 'GET') posts.push(`${request.method} ${request.url}`);
        response.setHeader('content-type', 'text/html').end('<title>other</title><p>Another program');
      });
      hostile.on('connection', () => (connections += 1));
      other = await listen(hostile);
      connections = 0;
    });
    afterEach(() => other.close());

    test('nothing in an email executes, and nothing leaves', async () => {
      const { mails } = hostileReport(`http://127.0.0.1:${other.port}`);
      const links = {
        subject: 'links',
        html: `<a id="script-link" href="javascript:top.document.title='taken'">a</a> <a id="data-link" href="data:text/html,<script>alert(1)</script>">b</a> <a id="own" href="../../../reset">c</a>`,
        text: null,
      };
      const hostile = [...mails.filter(({ subject }) => subject !== 'ten megabytes'), links];
      for (const { html, text, subject } of hostile)
        expect(
          (await send({ html, text: text ?? undefined, subject: subject.replaceAll('\n', ' ') })).status,
        ).toBe(200);
      await expect.poll(() => page.locator('[data-row]').count()).toBe(hostile.length);
      const opened: string[] = [];
      page.context().on('page', (one) => opened.push(one.url()));
      /** The frame of a mail that is chosen, when it has loaded: an earlier one may have the same links. */
      const frameOf = async (at: number) => {
        const row = page.locator('[data-row]').nth(at);
        await row.click();
        const id = (await row.getAttribute('href'))?.split('/').at(-1) ?? '';
        await page.getByRole('tab', { name: /^Source/ }).click();
        await page.getByRole('tab', { name: 'HTML source' }).click();
        await page.getByRole('tab', { name: 'HTML', exact: true }).click();
        const found = () => page.frames().find((one) => one.url().includes(`/live/mails/${id}/html`));
        await expect.poll(found).toBeDefined();
        const frame = found();
        if (frame === undefined) throw new Error(`no frame of mail ${id}`);
        await frame.waitForLoadState();
        return frame;
      };
      for (let at = 0; at < hostile.length; at += 1) {
        const frame = await frameOf(at);
        if ((await frame.locator('#submit').count()) > 0) await frame.locator('#submit').click();
      }
      expect(opened).toEqual([]);
      expect(connections).toBe(0);
      // A click opens a tab, which knows nothing of the page.
      for (let at = 0; at < hostile.length; at += 1) {
        const frame = await frameOf(at);
        for (const target of ['#link', '#self', '#top', '#script-link', '#data-link', '#own']) {
          if ((await frame.locator(target).count()) === 0) continue;
          await frame.locator(target).click();
        }
      }
      const tabs = page
        .context()
        .pages()
        .filter((one) => one !== page);
      for (const tab of tabs) expect(await tab.evaluate(() => opener === null)).toBe(true);
      expect(posts).toEqual([]);
      await view('Requests');
      expect(await page.title()).not.toBe('taken');
      expect(page.url()).toContain('/_emulator/s/');
    });

    test('a page of another port can neither frame it nor read it', async () => {
      await send({ subject: 'secret' });
      const address = page.url().replace(/#.*/, '');
      const stranger = await page.context().newPage();
      await stranger.goto(`http://127.0.0.1:${other.port}/`);
      const outcome = await stranger.evaluate(async (url) => {
        const frame = document.createElement('iframe');
        const loaded = new Promise((resolve) => (frame.onload = resolve));
        frame.src = url;
        document.body.append(frame);
        await loaded;
        return fetch(`${url}live`, { credentials: 'include' }).then(
          ({ status }) => String(status),
          () => 'refused',
        );
      }, address);
      expect(outcome).toBe('refused');
      const [, frame] = stranger.frames();
      expect((await frame?.content()) ?? '').not.toContain('<div id="app">');
      const response = await stranger.goto(address);
      expect(response?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(response?.headers()['referrer-policy']).toBe('no-referrer');
    });
  });

  test('the bare address says which address signs in', async () => {
    const blank = await page.context().newPage();
    await blank.goto(server.url);
    expect(await blank.locator('body').innerText()).toContain('after “Page:”');
    const closed = await createEmulator().listen();
    await blank.goto(closed.url);
    expect(await blank.locator('body').innerText()).toContain('email-platform emulator --control');
    await closed.close();
  });
});
