/**
 * The emulator's control API and a real Chromium: how a browser is let in, what pages of other ports can do with its cookie, and
 * what the HTML of a hostile email can do.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium as playwright, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../support/chromium.ts';
import { listen, type Listening } from '../support/ports.ts';

const chromium = await findChromium();
if (!chromium)
  process.stderr.write(`\n*** The tests of the control API in the browser are SKIPPED. ${NO_CHROMIUM}\n\n`);

let browser: Browser;
let context: BrowserContext;
let page: Page;
let emulator: Emulator;
let server: Emulator.Server;
let other: Listening;
let received: { url: string; headers: IncomingHttpHeaders }[];

/** A page of another port of the same host, such as that of any program under development. */
const pageOfAnotherPort = createServer((request, response) => {
  received.push({ url: request.url ?? '', headers: request.headers });
  response.writeHead(200, { 'content-type': 'text/html' }).end('<title>other</title><p>Another program');
});

const controlUrl = () => server.control?.url ?? '';
/** Lets the browser in, and returns the address of its session. */
async function letIn(): Promise<string> {
  await page.goto(server.control?.browserUrl() ?? '');
  return page.url().replace(/\/$/, '');
}

/** Sends an email, and returns the signed address of its HTML. */
async function mailed(html: string): Promise<string> {
  const { token, hosts } = server.clientOptions();
  await fetch(`${hosts.send}/api/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      from: { email: 'hello@mail.example.com' },
      to: [{ email: 'ann@example.org' }],
      subject: 'Hello',
      html,
    }),
  });
  const answer = await fetch(`${controlUrl()}/messages`, {
    headers: { authorization: `Bearer ${server.control?.token ?? ''}` },
  });
  const { messages } = (await answer.json()) as { messages: { html_url: string }[] };
  return messages.at(-1)?.html_url ?? '';
}

describe.skipIf(!chromium)('The control API in a browser', () => {
  beforeAll(async () => {
    browser = await playwright.launch(chromium);
    other = await listen(pageOfAnotherPort);
  });
  afterAll(async () => {
    await browser.close();
    await other.close();
  });
  beforeEach(async () => {
    received = [];
    emulator = createEmulator();
    // Even where the page of the other port may call the service.
    server = await emulator.listen({
      control: true,
      cors: { origins: [`http://127.0.0.1:${other.port}`] },
    });
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
  });
  afterEach(async () => {
    await context.close();
    await server.close();
  });

  test('the file that --open opens leads to the page', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'control-api-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'open.html');
    const address = server.control?.browserUrl() ?? '';
    writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${address}">`);
    await page.goto(pathToFileURL(file).href);
    await page.waitForURL(/\/_emulator\/s\//);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
  });

  test('an address with a code lets every browser in, by a cookie that no script can read', async () => {
    const url = server.control?.browserUrl() ?? '';
    expect((await page.goto(url))?.status()).toBe(200);
    const { pathname } = new URL(page.url());
    expect(pathname).toMatch(/^\/_emulator\/s\/[\da-f]{48}\/$/);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    const [cookie] = await context.cookies(page.url());
    expect(cookie).toMatchObject({
      name: 'email-platform',
      httpOnly: true,
      sameSite: 'Strict',
      path: pathname,
      expires: -1,
    });
    expect(await context.cookies(`${controlUrl()}/messages`)).toEqual([]);
    expect(cookie?.value).not.toContain(server.control?.token ?? '');
    expect(await page.evaluate(() => document.cookie)).toBe('');
    // A page of its own may also change something.
    expect(await page.evaluate(async () => (await fetch('clock/pause', { method: 'POST' })).status)).toBe(
      200,
    );
    const again = await (await browser.newContext()).newPage();
    expect((await again.goto(`${controlUrl()}/s/${pathname.split('/').at(-2)}/`))?.status()).toBe(401);
    expect(await again.locator('body').innerText()).toContain('Open the address that the emulator printed');
    expect((await again.goto(url))?.status()).toBe(200);
    expect((await again.goto(url))?.status()).toBe(200);
    await again.context().close();
  });

  test('without the code, a visitor cannot sign in', async () => {
    expect((await page.goto(`${controlUrl()}/messages`))?.status()).toBe(401);
    expect((await page.goto(`${controlUrl()}/open?code=guess`))?.status()).toBe(403);
    expect(await context.cookies()).toEqual([]);
  });

  test('a page of another port can do nothing with the cookie', async () => {
    // Even one that knows the path.
    const session = await letIn();
    await mailed('<p>secret</p>');
    const requests = emulator.requests.length;
    await page.goto(`http://127.0.0.1:${other.port}/`);
    const outcomes = await page.evaluate(async (base) => {
      const tried = async (path: string, init: RequestInit) => {
        try {
          const response = await fetch(base + path, { credentials: 'include', ...init });
          return `${response.type} ${response.status}`;
        } catch {
          return 'refused';
        }
      };
      return [
        await tried('/messages', {}),
        await tried('/messages', { mode: 'no-cors' }),
        await tried('/reset', { method: 'POST' }),
        await tried('/reset', { method: 'POST', mode: 'no-cors' }),
        await tried('/clock/advance', { method: 'POST', mode: 'no-cors', body: '{"ms":99}' }),
        await tried('/faults', { method: 'DELETE' }),
      ];
    }, session);
    expect(outcomes.filter((outcome) => outcome !== 'refused' && outcome !== 'opaque 0')).toEqual([]);
    expect(emulator.messages()).toHaveLength(1);
    expect(emulator.requests).toHaveLength(requests);

    // A form, which needs no permission.
    await page.evaluate((base) => {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = `${base}/reset`;
      document.body.append(form);
      form.submit();
    }, session);
    await page.waitForURL(`${session}/reset`);
    expect(await page.textContent('body')).toContain('must come from a page of this emulator');
    expect(emulator.messages()).toHaveLength(1);

    // Neither an image, a script, a frame nor a link leads to anything.
    await page.goto(`http://127.0.0.1:${other.port}/`);
    const framed = await page.evaluate(
      (base) =>
        new Promise<string>((resolve) => {
          const frame = document.createElement('iframe');
          frame.onload = () => resolve('loaded');
          frame.src = `${base}/messages`;
          document.body.append(frame);
        }),
      session,
    );
    expect(framed).toBe('loaded');
    const [frame] = page.frames().slice(1);
    // The browser shows an error of its own, or the refusal; never the emails.
    expect((await frame?.content()) ?? '').not.toContain('secret');
    await page.evaluate((base) => {
      location.href = `${base}/messages`;
    }, session);
    await page.waitForURL(`${session}/messages`);
    expect(await page.textContent('body')).toContain('must come from a page of this emulator');
  });

  test('the program behind another port receives no cookie, whatever its page asks for', async () => {
    const session = await letIn();
    await page.goto(`http://127.0.0.1:${other.port}/_emulator/messages`);
    await page.evaluate(async () => {
      const paths = [
        '/',
        '/_emulator',
        '/_emulator/',
        '/_emulator/messages',
        '/_emulator/s/',
        '/_emulator/s/a/',
      ];
      for (const path of paths) await fetch(path, { credentials: 'include' });
      const image = new Image();
      const over = new Promise((resolve) => (image.onload = image.onerror = resolve));
      image.src = '/_emulator/x.png';
      await over;
    });
    expect(received.length).toBeGreaterThan(7);
    expect(received.filter(({ headers }) => headers.cookie !== undefined)).toEqual([]);
    // The path alone keeps it from there: ports do not.
    const name = new URL(session).pathname;
    expect((await context.cookies(`http://127.0.0.1:${other.port}${name}/`)).length).toBe(1);
    expect((await page.goto(`${session}/messages`))?.status()).toBe(200);
  });

  test('a page of another port cannot lock it out with a cookie of the same name', async () => {
    const session = await letIn();
    await page.goto(`http://127.0.0.1:${other.port}/`);
    await page.evaluate(() => {
      for (const path of ['/', '/_emulator', '/_emulator/s', '/_emulator/messages'])
        document.cookie = `email-platform=x; path=${path}`;
    });
    // The browser keeps a page's cookies a moment after the page has set them.
    await expect.poll(async () => (await context.cookies(`${session}/`)).length, { timeout: 20_000 }).toBe(4);
    expect((await page.goto(`${session}/messages`))?.status()).toBe(200);
  });

  test('the session of another emulator at the same host is not its own', async () => {
    const second = await createEmulator().listen({ control: true });
    const session = await letIn();
    await page.goto(second.control?.browserUrl() ?? '');
    expect(await context.cookies(`${session}/`)).toHaveLength(1);
    expect((await page.goto(`${session}/messages`))?.status()).toBe(200);
    await second.close();
  });

  test('an email makes the browser connect nowhere', async () => {
    let connections = 0;
    const attacker = createTcpServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
    const { port } = attacker.address() as AddressInfo;
    const to = (path: string) => `http://127.0.0.1:${port}/${path}`;
    const elements = [
      `<iframe src="${to('iframe')}"></iframe>`,
      `<IFRAME\n/src=${to('upper')} loading=eager></IFRAME>`,
      `<iframe/src="${to('slash')}">`,
      `<svg><foreignObject><iframe src="${to('svg')}"></iframe></foreignObject></svg>`,
      `<template><iframe src="${to('template')}"></iframe></template>`,
      `<div><template shadowrootmode="open"><iframe src="${to('shadow')}"></iframe></template></div>`,
      `<frameset cols="*"><frame src="${to('frame')}"><FRAME src="${to('frame')}"></frameset>`,
      `<object data="${to('object')}" type="text/html"></object><embed src="${to('embed')}" type="text/html">`,
      ...['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload', 'prerender', 'icon'].map(
        (rel) => `<link rel="${rel}" href="${to(rel)}" as="image">`,
      ),
      `<meta http-equiv="refresh" content="0;url=${to('refresh')}">`,
      `<img srcset="${to('srcset')} 1x" src="${to('img')}"><video src="${to('video')}" poster="${to('poster')}">`,
      `<style>@import "${to('import')}"; @font-face { font-family: a; src: url(${to('font')}) }</style>`,
      `<p style="background: url(${to('background')}); font-family: a">text</p>`,
    ];
    for (const element of elements) {
      await page.goto(await mailed(`<title>mail</title>${element}`));
      await page.waitForLoadState('networkidle');
      // Some builds of Chromium connect to the address of a frame before they look at the policy: there is none.
      expect([element, page.frames().length]).toEqual([element, 1]);
    }
    expect(await page.title()).toBe('mail');
    expect(connections).toBe(0);
    // The same browser does connect for a frame of a page that may have some.
    await page.goto(`http://127.0.0.1:${other.port}/`);
    await page.evaluate((src) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src }));
    }, to('seen'));
    await expect.poll(() => connections).toBeGreaterThan(0);
    await new Promise((resolve) => attacker.close(resolve));
  });

  test('the HTML of a hostile email runs no script, loads nothing, and leads the page nowhere', async () => {
    const attacker = `http://127.0.0.1:${other.port}`;
    const url = await mailed(`<!doctype html><title>mail</title>
      <h1>Hello</h1>
      <script>document.title = 'script'; fetch('${attacker}/script'); top.location = '${attacker}/top'</script>
      <img src="${attacker}/pixel.png" onerror="document.title = 'onerror'">
      <img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" onload="document.title = 'onload'">
      <svg onload="document.title = 'svg'"></svg>
      <link rel="stylesheet" href="${attacker}/style.css">
      <style>@import '${attacker}/import.css'; h1 { background: url(${attacker}/background.png) }</style>
      <meta http-equiv="refresh" content="0;url=javascript:document.title='refresh'">
      <iframe src="${attacker}/frame"></iframe><object data="${attacker}/object"></object>
      <iframe srcdoc="<script>parent.document.title = 'srcdoc'</script>"></iframe>
      <form id="f" action="${attacker}/form" method="post"><button id="b" autofocus>Send</button></form>
      <a id="script" href="javascript:document.title='link'">script</a>
      <a id="top" href="${attacker}/clicked" target="_top">link</a>
      <base href="${attacker}/base/">`);
    const session = await letIn();
    await page.goto(url);
    await page.waitForLoadState('networkidle');
    expect(await page.locator('h1').textContent()).toBe('Hello');
    await page.locator('#b').click();
    await page.locator('#script').click();
    expect(await page.title()).toBe('mail');
    expect(received.map((request) => request.url)).toEqual([]);
    expect(page.url()).toBe(url);

    // In a frame of a page of ours, it does not lead that page elsewhere either.
    await page.goto(`${session}/clock`);
    await page.evaluate(
      (source) =>
        new Promise<void>((resolve) => {
          const frame = document.createElement('iframe');
          frame.onload = () => resolve();
          frame.src = source;
          document.body.append(frame);
        }),
      url,
    );
    const frame = page.frames().find((one) => one.url() === url);
    await frame?.locator('#top').click();
    await page.waitForLoadState('networkidle');
    expect(page.url()).toBe(`${session}/clock`);
    expect(await page.evaluate(() => document.title)).not.toBe('srcdoc');
  });

  test('an email has no origin: it can read neither the control API nor the cookie', async () => {
    const session = await letIn();
    const response = await page.goto(await mailed('<h1>Hello</h1>'));
    expect(response?.headers()['content-security-policy']).toMatch(/^sandbox allow-popups /);
    expect(await page.evaluate(() => self.origin)).toBe('null');
    // A script that a flaw let run would not get further.
    const tried = await page.evaluate(async (base) => {
      try {
        return String((await fetch(`${base}/messages`, { credentials: 'include' })).status);
      } catch {
        return 'refused';
      }
    }, session);
    expect(tried).toBe('refused');
  });
});
