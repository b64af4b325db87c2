/** The emulator behind the worker of MSW, in a page. */
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium as playwright } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../../support/chromium.ts';
import { listen } from '../../support/ports.ts';
import { treeWith } from '../majors/tree.ts';

const chromium = await findChromium();
if (!chromium) process.stderr.write(`\n*** The tests of MSW's worker are SKIPPED. ${NO_CHROMIUM}\n\n`);

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Sends, and reads the emulator beside it: what an application's test in a page does. */
const PAGE = `
  import { EmailPlatform } from 'email-platform';
  import { createEmulator } from 'email-platform/testing';
  import { handlers } from 'email-platform/testing/msw';
  import { setupWorker } from 'msw/browser';
  const emulator = createEmulator();
  const hosts = { send: 'https://send.example.com', api: 'https://api.example.com/v1' };
  await setupWorker(...handlers(emulator, { hosts })).start({ onUnhandledRequest: 'bypass', quiet: true });
  const { token } = emulator.clientOptions();
  const client = new EmailPlatform({ token, hosts, dangerouslyAllowBrowser: true, retry: false });
  const mail = { to: 'ann@example.org', from: 'hello@mail.example.com', subject: 'Grüße', text: 'Hi' };
  const { message_ids } = await client.sending.send(mail);
  const refused = await client.campaigns.get(4000000).catch((error) => error.status);
  const [{ subject }] = emulator.messages();
  document.title = JSON.stringify([message_ids.length, subject, refused]);
`;

test.skipIf(!chromium).each(['msw-2', 'msw-3'])('%s: a page sends to the emulator', async (folder) => {
  const msw = join(import.meta.dirname, 'node_modules', folder);
  const tree = treeWith(`${folder}-in-a-page`, 'msw', msw);
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: tree },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    tsconfig: join(tree, 'tsconfig.json'),
    // Imported only where the emulator listens or writes a report.
    external: ['node:*', 'esbuild'],
  });
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', '<!doctype html><title></title><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', outputFiles[0]?.text ?? ''],
    '/mockServiceWorker.js': ['text/javascript', readFileSync(join(msw, 'lib/mockServiceWorker.js'), 'utf8')],
  };
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', ''];
    response.writeHead(files[url] ? 200 : 404, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  const { port } = await listen(server);
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const browser = await playwright.launch(chromium);
  closing.push(() => browser.close());
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`http://127.0.0.1:${port}/`);
  await expect.poll(async () => [await page.title(), errors], { timeout: 60_000 }).not.toEqual(['', []]);
  expect(errors).toEqual([]);
  expect(JSON.parse(await page.title())).toEqual([1, 'Grüße', 404]);
});
