import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../support/chromium.ts';
import { guides, root } from '../docs/snippets.ts';
import { Site, type Entry } from './site.ts';

const chromium = await findChromium();
if (!chromium) process.stderr.write(`\n*** The search of the reference is NOT tested. ${NO_CHROMIUM}\n\n`);

const folder = mkdtempSync(join(tmpdir(), 'email-platform-reference-'));
let site: Site;
beforeAll(() => {
  const typedoc = join(root, 'node_modules/typedoc/bin/typedoc');
  execFileSync(process.execPath, [typedoc, '--out', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  site = new Site(folder);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const headingOf = (guide: string) => /^# (.+)$/m.exec(read(guide))?.[1] ?? '';
const pageOf = (guide: string) => `documents/${headingOf(guide).replaceAll(' ', '_')}.html`;
/** The page that leads to all other guides, by task and by question. */
const INDEX = 'docs/README.md';
const inDocs = guides.filter((guide) => guide !== 'README.md');
/** The groups of guides, and at the end that of what is imported. */
const groupsOf = () => site.navigation();
/** The guides and the entries of the package, out of their groups. */
const pagesOf = () => groupsOf().flatMap(({ children = [] }) => children);
const entry = (name: string): Entry | undefined => pagesOf().find(({ text }) => text === name);
const textsOf = (entries: readonly Entry[] = []) => entries.map(({ text }) => text);

test('its front page is the README, and leads to the index, which leads to every guide', () => {
  expect(site.read('index.html')).toContain('send.mjs');
  expect(site.linksOf('index.html')).toContain(pageOf(INDEX));
  const links = site.linksOf(pageOf(INDEX));
  for (const guide of inDocs.filter((one) => one !== INDEX)) expect(links).toContain(pageOf(guide));
});

test('every link of every page leads somewhere, to the very heading', () => {
  expect(site.pages.length).toBeGreaterThan(300);
  expect(site.linksOf(pageOf('docs/errors.md')).filter((link) => link.includes('#')).length).toBeGreaterThan(
    10,
  );
  expect(site.brokenLinks()).toEqual([]);
});

test('guides lead to each other and to the reference', () => {
  const links = site.linksOf(pageOf('docs/getting-started.md'));
  expect(links).toContain(`${pageOf('docs/connecting.md')}#options-of-a-client`);
  for (const name of ['ValidationError', 'RateLimitError', 'NotFoundError'])
    expect(site.linksOf(pageOf('docs/errors.md'))).toContain(`classes/email-platform.${name}.html`);
  expect(site.linksOf('index.html')).toContain('classes/email-platform.InvalidRequestError.html');
});

/** The words of a page, in order, from its title on. */
const wordsOf = (page: string) =>
  (site.read(page).split('class="col-content"')[1] ?? '')
    .replace(/<svg[^]*?<\/svg>|<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ');

test.each([
  ['Sending', 'client.sending'],
  ['ContactLists', 'client.contacts.lists'],
  ['Stats', 'client.stats'],
  ['SubAccounts', 'client.organizations.subAccounts(organizationId)'],
])('the page of %s is titled %s, and begins with a call', (name, title) => {
  const words = wordsOf(`interfaces/email-platform.EmailPlatform.${name}.html`);
  const [before = '', after = ''] = words.split(` ${title} `);
  expect(before).not.toMatch(/Class |Interface /);
  const start = title.replace(/\(.*/, '').replaceAll('.', ' . ');
  expect(after.slice(0, 200).replace(/ ?\. ?/g, ' . ')).toContain(start);
});

test('no page has a hierarchy, and no class an index before its members', () => {
  expect(site.pages.filter((page) => site.read(page).includes('tsd-hierarchy-item'))).toEqual([]);
  const groups = ['Sending', 'Contacts', 'ContactLists', 'Stats', 'SubAccounts'].map(
    (name) => `interfaces/email-platform.EmailPlatform.${name}.html`,
  );
  const classes = [...groups, ...site.pages.filter((page) => page.startsWith('classes/'))];
  expect(classes.length).toBeGreaterThan(30);
  expect(classes.filter((page) => site.read(page).includes('tsd-index-panel'))).toEqual([]);
});

describe('the navigation', () => {
  test('begins with the guides, in the order of their index', () => {
    const names = [...read(INDEX).matchAll(/^- \[.*?\]\(([\w/-]+\.md)\)/gm)].map(
      ([, name = '']) => `docs/${name}`,
    );
    const listed = [INDEX, ...names];
    expect(listed.toSorted()).toEqual(inDocs.toSorted());
    expect(textsOf(pagesOf()).slice(0, inDocs.length)).toEqual(listed.map(headingOf));
  });

  test('has the groups of that index, and then what is imported', () => {
    const groups = ['Send', 'Test', 'Operate', 'Reference', 'How far to trust this'];
    expect([...read(INDEX).matchAll(/^## (.+)$/gm)].map(([, name]) => name)).toEqual([...groups, 'Examples']);
    expect(textsOf(groupsOf())).toEqual([...groups, 'Imports']);
    for (const { children = [] } of groupsOf().slice(0, -1)) expect(children.length).toBeGreaterThan(1);
  });

  test('names every entry of the package as it is imported', () => {
    const { exports } = JSON.parse(read('package.json')) as { readonly exports: object };
    const imports = Object.keys(exports).map((path) => path.replace('.', 'email-platform'));
    const modules = pagesOf().filter(({ path }) => path?.startsWith('modules/'));
    expect(textsOf(modules).sort()).toEqual(imports.sort());
  });

  test('groups what the client exports', () => {
    const groups = entry('email-platform')?.children ?? [];
    const [client] = groups;
    const namespace = client?.children?.find(({ children = [] }) => children.length > 0)?.children ?? [];
    const first = ['Client', 'Resources', 'Errors', 'Lists', 'Rate limits'];
    expect(textsOf(groups).slice(0, 5)).toEqual(first);
    expect(textsOf(namespace).slice(0, 5)).toEqual(first);
    const members = (group: string) =>
      [...groups, ...namespace]
        .filter(({ text }) => text === group)
        .flatMap(({ children }) => textsOf(children));
    expect(members('Client')).toEqual(
      expect.arrayContaining(['EmailPlatform', 'EmailPlatformOptions', 'Hooks']),
    );
    expect(members('Resources')).toEqual(expect.arrayContaining(['Campaigns', 'Sending', 'Contacts']));
    expect(members('Errors')).toEqual(
      expect.arrayContaining(['EmailPlatformError', 'ApiError', 'PreviousSend']),
    );
    expect(members('Lists').sort()).toEqual([
      'NumberedPage',
      'NumberedPageParams',
      'Page',
      'Pager',
      'TokenPagination',
    ]);
    expect(members('Rate limits')).toEqual(
      expect.arrayContaining(['createThrottle', 'Throttle', 'RateLimit']),
    );
    expect(members('Data: campaigns')).toContain('CampaignCreateParams');
    // Nothing is left over.
    expect([...textsOf(groups), ...textsOf(namespace)]).not.toContain('Other');
  });
});

test('llms.txt lists every guide and every entry, each by its page', () => {
  const text = site.read('llms.txt');
  const links = [...text.matchAll(/^- \[(.+?)\]\((.+?)\)/gm)].map(([, name = '', page = '']) => [name, page]);
  const entries = textsOf(pagesOf().filter(({ path }) => path?.startsWith('modules/')));
  expect(links.map(([name]) => name)).toEqual([
    // Behind the guides, the changelog.
    ...textsOf(pagesOf()).slice(0, inDocs.length + 1),
    ...entries,
  ]);
  expect(links.filter(([, page = '']) => !site.pages.includes(decodeURIComponent(page)))).toEqual([]);
});

test('the search knows every guide, method and schema', () => {
  const [names, urls] = [site.searchable().map(({ name }) => name), site.searchable().map(({ url }) => url)];
  expect(names).toEqual(expect.arrayContaining(inDocs.map(headingOf)));
  expect(urls).toContain('interfaces/email-platform.EmailPlatform.Sending.html#batchall');
  expect(urls).toContain('variables/email-platform_schemas.campaign.html');
});

test.skipIf(!chromium)('the search finds the words of a guide', async () => {
  const browser = await playwright.launch(chromium);
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    const found = async (words: string) => {
      await page.keyboard.press('Control+k');
      await page.fill('#tsd-search-input', words);
      await page.waitForSelector('#tsd-search-results li a');
      return page.$$eval('#tsd-search-results li a', (links) =>
        links.map((link) => link.getAttribute('href') ?? ''),
      );
    };
    expect((await found('captive portal')).join()).toContain(pageOf('docs/sending.md'));
  } finally {
    await browser.close();
  }
});
