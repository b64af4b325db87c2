/**
 * Compares the content of emails with a real Chromium; and signs up there with a link and a code, twenty times at once.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { connectEmulator, createEmulator, mailbox, type Mailbox } from 'email-platform/testing';
import fc from 'fast-check';
import { chromium as playwright, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readContent } from '../../src/testing/reading/content/content.ts';
import { findChromium, NO_CHROMIUM } from '../support/chromium.ts';
import { listen } from '../support/ports.ts';

const chromium = await findChromium();
if (!chromium)
  process.stderr.write(`\n*** The tests of mailboxes in the browser are SKIPPED. ${NO_CHROMIUM}\n\n`);

let browser: Browser;
let page: Page;

/**
 * Ordinary markup, and markup that parsers read differently. Without a space in the name of a host, which Chromium alone
 * takes, against the URL standard.
 */
const MARKUP = [
  '<a href="https://a.test/?b=1&amp;c=2&copy=3&lang=en">A &amp; B</a>',
  "<a href=https://a.test/b/../c>x</a><A HREF='HTTPS://A.TEST/%7e?q=ä b#ü'>y</A>",
  '<a href="https://a.test:443/">x</a><a href="http://0x7f.1/">y</a><a href="https://bücher.test/">ü</a>',
  '<a href="mailto:a@b.test?subject=x y">m</a><a href="tel:+1 2">t</a><a href="sms:1">s</a><a href="data:,x">d</a><a href="ftp://a.test">f</a>',
  '<a href="/b">x</a><a href="">y</a><a href="#top">z</a><a href="?q">q</a><a href="//a.test">p</a><a href="{{url}}">u</a><a href="http:">h</a>',
  '<a href="javascript:x">x</a><a href=" JaVaScRiPt:x">y</a><a href="java\nscript:x">z</a><a href="&#1;java&Tab;script:x">w</a><a href="java\0script:x">v</a>',
  '<a href="\t https://a.test/b\n\tc \r">x</a><a href="https://a.test/\u0000\u001f">y</a><a href="https:a.test">z</a><a href="https:\\\\a.test\\b">w</a>',
  '<base href="https://a.test/b/"><a href="c">x</a><a href="//d.test">y</a><a href="#z">z</a><a href="">e</a>',
  '<a href="c">x</a><base><base href="https://a.test/"><base href="https://b.test/"><a href="d">y</a>',
  '<base href="data:,x"><a href="c">x</a>',
  '<base href="/b/"><base href="https://a.test/"><a href="c">x</a>',
  '<template><base href="https://t.test/"></template><svg><base href="https://s.test/"></base></svg><a href="c">x</a>',
  '<a href="https://a.test/">x<a href="https://b.test/">y</a>z</a>',
  '<a href="https://a.test/"><table><tr><td>x<a href="https://b.test/">y</a></table>z</a>',
  '<a href="https://a.test/">x<p>y<a href="https://b.test/">z</p></a>w',
  '<p><a href="https://a.test/">x<div>y</p>z</div>w</a>',
  '<b><a href="https://a.test/">x</b>y</a><i>z',
  '<table><a href="https://a.test/">x</a><tr><td>y<a href="https://b.test/">z',
  '<!-- <a href="https://a.test/">x</a> --><!--[if mso]><a href="https://b.test/">y</a><![endif]--><![if !mso]><a href="https://c.test/">z</a><![endif]>',
  '<!--><a href="https://a.test/">x</a>--><!-- --!><a href="https://b.test/">y</a><!- ><a href="https://c.test/">z</a>',
  '<noscript><a href="https://a.test/">x</a></noscript><template><a href="https://b.test/">y</a></template>',
  '<textarea><a href="https://a.test/">x</a></textarea><title><a href="https://b.test/">y</a></title><xmp><a href="https://c.test/">z</a></xmp>',
  '<style><a href="https://a.test/">x</a></style><iframe><a href="https://b.test/">y</a></iframe><a href="https://c.test/">z</a>',
  '<svg><a href="https://a.test/"><text>x</text></a><title><a href="https://b.test/">y</a></title></svg><math><a href="https://c.test/">z</a></math>',
  '<svg><foreignObject><a href="https://a.test/">x</a></foreignObject><style><a href="https://b.test/">y</a></style></svg>',
  '<frameset><a href="https://a.test/">x</a></frameset>',
  '<a href="https://a.test/" href="https://b.test/">x</a><a/href="https://c.test/"/>y<a href = "https://d.test/"title=x>z',
  '<a href="https://a.test/?x=&#x41;&#0;&#128;&notit;&not;&amp">x</a>',
  '<a href="https://a.test/"><!-- x -->1<wbr>2&shy;3\u200b4<br>5</a><a href="https://b.test/">\u00a0 \n x \t</a>',
  '<div hidden><a href="https://a.test/">x</a></div><a href="https://b.test/" style="display:none">y</a>',
  '<plaintext><a href="https://a.test/">x</a>',
  '</p><a href="https://a.test/">x</br>y</a></body></html><a href="https://b.test/">z</a>',
];

/** The links that a browser follows: those of the first two kinds of elements, unless they lead nowhere or run a script. */
const linksInChromium = (all: readonly string[]): Promise<string[][]> =>
  page.evaluate(
    (documents) =>
      documents.map((html) => {
        const parsed = new DOMParser().parseFromString(html, 'text/html');
        return [...parsed.querySelectorAll('a[href]')].flatMap((element) => {
          if (element.namespaceURI === 'http://www.w3.org/1998/Math/MathML') return [];
          // An anchor resolves as the browser does; that of an SVG is asked through one.
          const anchor = parsed.createElement('a');
          anchor.href = element.getAttribute('href') ?? '';
          parsed.body.append(anchor);
          const { protocol, href } = anchor;
          anchor.remove();
          // The page itself is `about:blank`: what leads to a place in it has no address in an email.
          return [':', 'javascript:', 'about:'].includes(protocol) ? [] : [href];
        });
      }),
    all as string[],
  );

const ours = (html: string) => readContent({ html, text: null });

/** Text as both are compared: without any white space, and without what nobody sees. */
const letters = (text: string) => text.replace(/[\s\u00ad\u200b\u2060\ufeff]/g, '');

describe.skipIf(!chromium)('An email', () => {
  beforeAll(async () => {
    browser = await playwright.launch(chromium);
    page = await (await browser.newContext()).newPage();
  });
  afterAll(() => browser.close());

  test('has the links that Chromium has', async () => {
    const found = await linksInChromium(MARKUP);
    for (const [index, html] of MARKUP.entries())
      expect([html, ours(html).links.map(({ url }) => url)]).toEqual([html, found[index]]);
    expect(found.flat().length).toBeGreaterThan(40);
  });

  test('has them whatever its markup is', async () => {
    const tag = fc.constantFrom(
      ...'a b i p div table tr td svg math style title textarea template noscript font li ul h1 form button nobr'.split(
        ' ',
      ),
    );
    const piece = fc.oneof(
      fc.constantFrom(
        '<a href="https://a.test/1">',
        '<a href=c>',
        '</a>',
        '<a href="mailto:x@y.z">',
        '<base href="https://b.test/">',
      ),
      tag.map((name) => `<${name}>`),
      tag.map((name) => `</${name}>`),
      fc.constantFrom(
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        'x',
        ' ',
        '&amp;',
        '<br>',
        '<',
        '"',
        '\0',
        '<foreignObject>',
        '</svg>',
      ),
    );
    const markup = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    const documents = fc.sample(markup, 2_000);
    const found = await linksInChromium(documents);
    for (const [index, html] of documents.entries())
      expect([html, ours(html).links.map(({ url }) => url)]).toEqual([html, found[index]]);
  });

  test('has the text of links that Chromium shows', async () => {
    const shown = [
      '<a href="https://a.test/">x <b>y</b>\n z&nbsp;w</a>',
      '<a href="https://a.test/"><div>One</div><div>two</div></a>',
      '<a href="https://a.test/">a<span style="display:none">b</span><span hidden>c</span>d</a>',
      '<style>.a { display: none } #b { visibility: hidden } td.c { display: none !important }</style><a href="https://a.test/">a<i class="x a">b</i><i id=b>c</i><table><td class=c>d<td>e</table></a>',
      '<div style="visibility:hidden"><a href="https://a.test/">a<b style="visibility:visible">b</b></a></div>',
      '<a href="https://a.test/"><select><option>x</select><textarea>y</textarea>z</a>',
      '<a href="https://a.test/"><ul><li>x<li>y</ul><table><tr><td>1<td>2<tr><td>3</table></a>',
      '<a href="https://a.test/">a<script>b</script><style>c</style><template>d</template><noscript>e</noscript></a>',
      '<style>@media print { a { display: none } } @media (max-width: 600px) { a { display: none } } @media screen and (min-width: 600px) { i { display: none } }</style><a href="https://a.test/">a<i>b</i></a>',
      '<p style="display:none !important;display:block">x<a href="https://a.test/">y</a></p><a href="https://b.test/">z</a>',
    ].map((html) => html.replace(/<select>.*?<\/select><textarea>.*?<\/textarea>/, ''));
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 1024, height: 700 },
    });
    const reader = await context.newPage();
    const server = await listen(
      createServer(({ url = '' }, response) => {
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(`<!doctype html>${shown[Number(url.slice(1))] ?? ''}`);
      }),
    );
    for (const [index, html] of shown.entries()) {
      await reader.goto(`http://127.0.0.1:${server.port}/${index}`);
      const texts = await reader.evaluate(() =>
        // An element that is not rendered has the text of its source as `innerText`, so it counts as empty.
        [...document.querySelectorAll('a')].map((link) => (link.checkVisibility() ? link.innerText : '')),
      );
      expect([html, ours(html).links.map(({ text }) => letters(text))]).toEqual([html, texts.map(letters)]);
      const all = await reader.evaluate(() => document.body.innerText);
      expect([html, letters(ours(html).text)]).toEqual([html, letters(all)]);
    }
    await context.close();
    await server.close();
  });

  test('made of templates of others has the links and the text that Chromium shows', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 1024, height: 700 },
    });
    const reader = await context.newPage();
    // An alternative text is no text of the page.
    const all = templates().map(
      ([name, html]) => [name, html.replace(/\balt=("[^"]*"|'[^']*')/g, '')] as const,
    );
    await reader.route('**', (route) => {
      const { pathname, hostname } = new URL(route.request().url());
      const [, body = ''] = all[Number(pathname.slice(1))] ?? [];
      return hostname === 'email.test'
        ? route.fulfill({ contentType: 'text/html; charset=utf-8', body })
        : route.abort();
    });
    let links = 0;
    for (const [index, [name, html]] of all.entries()) {
      await reader.goto(`http://email.test/${index}`);
      const theirs = await reader.evaluate(() => ({
        text: document.body.innerText,
        links: [...document.querySelectorAll('a')]
          .filter((link) => /^[a-z]+:/i.test(link.getAttribute('href') ?? ''))
          .map((link) => [link.href, link.checkVisibility() ? link.innerText : ''] as const),
      }));
      const own = ours(html);
      // A style may show a text in capital letters.
      const plain = (text: string) => letters(text).toLowerCase();
      expect([name, own.links.map(({ url, text }) => [url, plain(text)])]).toEqual([
        name,
        theirs.links.map(([url, text]) => [url, plain(text)]),
      ]);
      expect([name, plain(own.text)]).toEqual([name, plain(theirs.text)]);
      links += own.links.length;
    }
    expect([all.length, links]).toEqual([17, 62]);
    await context.close();
  });
});

/** Templates that other packages send, with a link or a word in the place of each variable. */
function templates(): [name: string, html: string][] {
  const folder = join(import.meta.dirname, '../entries/templates/corpus');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => name.endsWith('.hbs') && !parentPath.endsWith('partials'))
    .map(({ name, parentPath }) => {
      const partial = (tag: string, wanted: string) => {
        const path = join(parentPath, 'partials', `${wanted}.hbs`);
        return existsSync(path) ? readFileSync(path, 'utf8') : tag;
      };
      let links = 0;
      const html = readFileSync(join(parentPath, name), 'utf8')
        .replace(/\{\{>\s*(\S+?)(?:\s[^}]*)?\}\}/g, partial)
        .replace(/(href\s*=\s*["'])[^"'>]*\{\{[^"'>]*/g, (_, start: string) => {
          links += 1;
          return `${start}https://a.test/${links}?b=1&amp;c=2`;
        })
        .replace(/\{\{(?:[#/!^>]|else)[^]*?\}\}/g, '')
        .replace(/\{\{\{?[^]*?\}?\}\}/g, 'Word');
      return [`${parentPath.slice(folder.length)}/${name}`, html];
    });
}

/** An application with a sign-up: its emails have a link and a code, and a page asks for the code. */
async function application(options: EmailPlatformOptions) {
  const client = new EmailPlatform(options);
  const codes = new Map<string, string>();
  const confirmed = new Set<string>();
  const form = (action: string, label: string, button: string) =>
    `<form method="post" action="${action}"><label>${label} <input name="value"></label><button>${button}</button></form>`;
  const server = await listen(
    createServer((request, response) => {
      const origin = `http://${request.headers.host ?? ''}`;
      const { pathname, searchParams } = new URL(request.url ?? '/', origin);
      const answer = async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const value = new URLSearchParams(Buffer.concat(chunks).toString()).get('value') ?? '';
        if (request.method === 'GET')
          return pathname === '/'
            ? form('/sign-up', 'Email', 'Sign up')
            : form(`/code?${searchParams.toString()}`, 'Code', 'Confirm');
        if (pathname === '/sign-up') {
          const code = String(100_000 + codes.size * 37);
          codes.set(value, code);
          await client.sending.send({
            from: 'hello@mail.example.com',
            to: value,
            subject: 'Please confirm your address',
            html: `<p>Order 48213. Your code: <b>${code}</b></p><p>© 2026 Shop</p>
              <a href="${origin}/confirm?lang=en&amp;user=${encodeURIComponent(value)}">Confirm <i>your</i>&nbsp;address</a>
              <a href="${origin}/help">Help</a>`,
          });
          return '<p>Look into your inbox</p>';
        }
        const user = searchParams.get('user') ?? '';
        if (codes.get(user) !== value) return '<p>Wrong code</p>';
        confirmed.add(user);
        return '<p>Your address is confirmed</p>';
      };
      answer().then(
        (html) => response.writeHead(200, { 'content-type': 'text/html' }).end(html),
        () => response.writeHead(500).end(),
      );
    }),
  );
  return { url: `http://127.0.0.1:${server.port}`, confirmed, close: () => server.close() };
}

/** The services between an application and a mailbox. */
const PLACES: Record<string, () => Promise<{ options: EmailPlatformOptions; box: Mailbox }>> = {
  'an emulator over its port': async () => {
    const server = await createEmulator().listen({ control: true });
    onTestFinished(() => server.close());
    const { url = '', token = '' } = server.control ?? {};
    return { options: server.clientOptions(), box: mailbox(connectEmulator(url, { controlToken: token })) };
  },
  'a test inbox': async () => {
    const server = await createEmulator().listen();
    onTestFinished(() => server.close());
    const options = server.clientOptions();
    return { options: { ...options, stream: 'sandbox' }, box: mailbox(new EmailPlatform(options)) };
  },
};

describe.skipIf(!chromium)('Twenty sign-ups at the same time', () => {
  beforeAll(async () => {
    browser = await playwright.launch(chromium);
  });
  afterAll(() => browser.close());

  test.each(Object.entries(PLACES))('with a link and a code, by %s', async (_, made) => {
    const { options, box } = await made();
    const app = await application(options);
    onTestFinished(async () => {
      await app.close();
    });
    const context = await browser.newContext();
    const signUp = async (name: string) => {
      const ann = box.address(name);
      const tab = await context.newPage();
      tab.setDefaultTimeout(120_000);
      await tab.goto(app.url);
      await tab.getByLabel('Email').fill(ann);
      const came = box.waitFor({ to: ann, subject: /confirm/i, timeoutMs: 120_000 });
      await tab.getByRole('button', { name: 'Sign up' }).click();
      const mail = await came;
      await tab.goto(mail.link('Confirm your address'));
      await tab.getByLabel('Code').fill(mail.code());
      await tab.getByRole('button', { name: 'Confirm' }).click();
      await tab.getByText('Your address is confirmed').waitFor();
      await tab.close();
      return ann;
    };
    const all = await Promise.all(Array.from({ length: 20 }, (__, index) => signUp(`user${index}`)));
    expect([...app.confirmed].sort()).toEqual(all.sort());
    await context.close();
  });
});
