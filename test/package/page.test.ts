import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Testing from 'email-platform/testing';
import { chromium as playwright } from 'playwright-core';
import { afterEach, expect, inject, test } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../support/chromium.ts';

const dist = join(inject('consumer'), 'node_modules/email-platform/dist');
const chromium = await findChromium();
if (!chromium) process.stderr.write(`\n*** The page test is SKIPPED. ${NO_CHROMIUM}\n\n`);

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A page with one module script that imports the client's built file, without a bundler. */
function pageWith(options: object): string {
  return `<!doctype html><title>waiting</title><script type="module">
    import { EmailPlatform, NotFoundError } from './index.js';
    const client = new EmailPlatform(${JSON.stringify(options)});
    const page = await client.campaigns.list({ per_page: 3 });
    const failure = await client.campaigns.get(4000000).catch((error) => error);
    document.title = [page.items.length, page.hasNextPage, failure instanceof NotFoundError].join();
  </script>`;
}

/** Serves the client, and a page that may still be missing. Returns the origin, and a function that sets the page. */
async function serveFiles(): Promise<{ origin: string; show: (page: string) => void }> {
  let page = '';
  const server: Server = createServer((request, response) => {
    const isScript = request.url === '/index.js';
    response
      .writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      .end(isScript ? readFileSync(join(dist, 'index.js')) : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show: (given) => {
      page = given;
    },
  };
}

test.skipIf(!chromium)('a page can import the built file without a bundler', async () => {
  const testing = pathToFileURL(join(dist, 'testing/index.js')).href;
  const { createEmulator } = (await import(testing)) as typeof Testing;
  const { origin, show } = await serveFiles();
  const emulator = await createEmulator({ seed: 'demo' }).listen({ cors: { origins: [origin] } });
  closing.push(() => emulator.close());
  show(pageWith({ ...emulator.clientOptions(), dangerouslyAllowBrowser: true }));
  const browser = await playwright.launch(chromium);
  closing.push(() => browser.close());
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => document.title !== 'waiting', undefined, { timeout: 20_000 });
  expect(await page.title()).toBe('3,true,true');
  expect(errors).toEqual([]);
});
