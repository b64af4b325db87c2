/** The configuration and the test of the guide, from the packed tarball, with pages in a real Chromium. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { extract, root } from '../../docs/snippets.ts';
import { findChromium, NO_CHROMIUM } from '../../support/chromium.ts';
import { installPacked, pack } from '../../support/packed.ts';
import { closedPort } from '../../support/ports.ts';

const file = 'docs/end-to-end-tests.md';
const snippets = extract(file, readFileSync(root + file, 'utf8')).filter(({ peer }) => peer === 'playwright');
const chromium = await findChromium();
if (!chromium) process.stderr.write(`\n*** The guide's test with Playwright is SKIPPED. ${NO_CHROMIUM}\n\n`);

/** An application with a form, whose emails have a link and a code. */
const APP = `
import { createServer } from 'node:http';
import { EmailPlatform } from 'email-platform';

const client = new EmailPlatform();
const origin = 'http://127.0.0.1:3000';
const FORM = '<form method="post" action="/sign-up"><label>Email <input name="email"></label><button>Sign up</button></form>';
const CODE = '<form method="post" action="/code"><label>Code <input name="code"></label><button>Confirm</button></form>';

createServer(async (request, response) => {
  response.setHeader('content-type', 'text/html');
  if (request.url.startsWith('/confirm')) return response.end(CODE);
  if (request.method !== 'POST') return response.end(FORM);
  const body = await new Response(request).text();
  if (request.url === '/code')
    return response.end(new URLSearchParams(body).get('code') === '123456' ? '<p>Your address is confirmed</p>' : '<p>No</p>');
  await client.sending.send({
    from: 'hello@mail.example.com',
    to: new URLSearchParams(body).get('email'),
    subject: 'Confirm your address',
    html: '<p>Order 48213, code <b>123456</b></p><a href="' + origin + '/confirm?user=7&amp;lang=en">Confirm your address</a>',
  });
  response.end('<p>Look into your inbox</p>');
}).listen(3000, '127.0.0.1');
`;

/** Inside the folder of what it imports. */
const folder = join(import.meta.dirname, 'end-to-end/.tmp');
let ports: readonly [string, string];
beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  installPacked(pack(), folder);
  ports = [String(await closedPort()), String(await closedPort())];
});

/** Writes a file, with ports that are free here. */
const write = (name: string, text: string) =>
  writeFileSync(join(folder, name), text.replaceAll('4010', ports[0]).replaceAll('3000', ports[1]));

/** A shorter wait for what does not come than the 30 s of Playwright. */
const SOON = ['--workers=1', '--timeout=10000'];

/** Runs Playwright. Resolves with whether it passed, and with what it printed. */
async function play(app: string, more = ['--workers=1']): Promise<{ passed: boolean; output: string }> {
  const [config = '', spec = ''] = snippets.map(({ code }) => code);
  const launch = `launchOptions: ${JSON.stringify(chromium)}`;
  write('package.json', '{"type":"module"}');
  write('playwright.config.ts', config.replace("use: { baseURL: '", `use: { ${launch}, baseURL: '`));
  write('sign-up.spec.ts', spec);
  write('app.mjs', app);
  const others = Object.entries(process.env).filter(
    ([key]) => !/^(VITEST|NODE_OPTIONS|TEST|FORCE_COLOR)/.test(key),
  );
  const cli = join(import.meta.dirname, 'node_modules/@playwright/test/cli.js');
  return new Promise((resolve) => {
    const args = [cli, 'test', '--reporter=line', ...more];
    execFile(
      process.execPath,
      args,
      { cwd: folder, env: Object.fromEntries(others) },
      (error, stdout, stderr) => resolve({ passed: error === null, output: stdout + stderr }),
    );
  });
}

test.skipIf(!chromium)('the configuration starts both, and the test passes', async () => {
  expect(snippets).toHaveLength(2);
  const { passed, output } = await play(APP);
  expect(passed ? 'passed' : output).toBe('passed');
  expect(output).toContain('1 passed');
});

test.skipIf(!chromium)('the test passes eight times, in four processes with one emulator', async () => {
  const { passed, output } = await play(APP, ['--workers=4', '--repeat-each=8']);
  expect(passed ? 'passed' : output).toBe('passed');
  expect(output).toContain('8 passed');
});

test.skipIf(!chromium)('the test fails for an application whose email has another code', async () => {
  const { passed, output } = await play(APP.replace('<b>123456</b>', '<b>654321</b>'), SOON);
  expect(passed).toBe(false);
  expect(output).toContain('1 failed');
});

test.skipIf(!chromium)('the test fails for an application whose link leads elsewhere', async () => {
  const { passed, output } = await play(APP.replace('/confirm?user=7', '/elsewhere?user=7'), SOON);
  expect(passed).toBe(false);
  expect(output).toContain('1 failed');
});
