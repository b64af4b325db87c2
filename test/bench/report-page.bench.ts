import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { chromium as playwright, type Browser } from 'playwright-core';
import { reportHtml } from '../../src/testing/report/file/page-html.ts';
import { findChromium, NO_CHROMIUM } from '../support/chromium.ts';
import { hugeReport } from '../support/report-data.ts';
import { figure, table, type Bench } from './bench.ts';

const MAILS = 1_000;
const REQUESTS = 5_000;
/** Emails of the live page, and those that arrive while it is open. */
const LIVE = 5_000;
const ARRIVING = 8;
/** Steps of the wheel in a list, each of one screen. */
const SCREENS = 40;

/** An event of Chromium's trace; times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest task of the thread that runs the page, in milliseconds. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`))
    .map(({ dur = 0 }) => dur / 1_000);
  return tasks.reduce((longest, task) => Math.max(longest, task), 0);
}

interface Round {
  /** From the start of the navigation to the paint that shows the list. */
  readonly opened: number;
  readonly openTask: number;
  /** Of the time in which the list scrolls. */
  readonly scrollTask: number;
}

async function measure(browser: Browser, address: string): Promise<Round> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
    await page.goto(address);
    await page.locator('[data-row]').first().waitFor();
    const opened = await page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))),
        ),
    );
    const openTask = longestTask(await browser.stopTracing());
    // All rows of the view: those of mails, when listed by time.
    const byTime = page.getByRole('button', { name: 'Newest first' });
    if ((await byTime.count()) > 0) await byTime.click();
    await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
    await page.locator('.list').evaluate(async (list, screens) => {
      for (let screen = 0; screen < screens; screen += 1) {
        list.scrollBy(0, list.clientHeight);
        await new Promise(requestAnimationFrame);
      }
    }, SCREENS);
    return { opened, openTask, scrollTask: longestTask(await browser.stopTracing()) };
  } finally {
    await page.close();
  }
}

interface Live {
  /** From the start of the navigation to the first row, in milliseconds. */
  readonly opened: number;
  /** The processor's time of the page's thread for each new email, and for each with a search typed in, in milliseconds. */
  readonly arrived: readonly number[];
  readonly searched: readonly number[];
}

async function measureLive(browser: Browser, isSmoke: boolean): Promise<Live> {
  const [sent, arrivals, idleMs] = isSmoke ? [100, 1, 300] : [LIVE, ARRIVING, 1_500];
  const emulator = createEmulator({ limits: false });
  const server = await emulator.listen({ control: true });
  const { sending } = new EmailPlatform({ ...emulator.clientOptions(), throttle: false });
  const base = { from: 'hello@mail.example.com', text: 'Your order is on its way.', html: '<h1>Hello</h1>' };
  const send = (subject: string) => sending.send({ ...base, to: 'ann@example.org', subject });
  for (let count = 1; count <= sent; count += 1) await send(`Order ${count} confirmed`);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const cpuMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
    };
    const during = async (work: () => Promise<unknown>) => {
      const before = await cpuMs();
      await work();
      await page.waitForTimeout(idleMs);
      return (await cpuMs()) - before;
    };
    const arriving = async (name: string) => {
      const idle = await during(() => Promise.resolve());
      const costs: number[] = [];
      for (let count = 1; count <= arrivals; count += 1)
        costs.push((await during(() => send(`${name} ${count} confirmed`))) - idle);
      await page.locator('[data-row]').first().getByText(`${name} ${arrivals} `).waitFor();
      return costs;
    };
    await page.goto(server.control?.browserUrl() ?? '');
    await page.locator('[data-row]').first().waitFor();
    const opened = await page.evaluate(() => performance.now());
    await page.locator('[data-row]').first().getByText(`Order ${sent} `).waitFor();
    const arrived = await arriving('New');
    await page.locator('#search').fill('confirm');
    await page.waitForTimeout(idleMs);
    return { opened, arrived, searched: await arriving('Found') };
  } finally {
    await page.close();
    await server.close();
  }
}

const bench: Bench = {
  title: `The page of a report with ${MAILS} mails and ${REQUESTS} requests, and the live page with ${LIVE}, in Chromium`,
  async run({ isSmoke }) {
    const chromium = await findChromium();
    if (!chromium) return { lines: [NO_CHROMIUM], broken: [] };
    const folder = mkdtempSync(join(tmpdir(), 'report-page-'));
    const browser = await playwright.launch(chromium);
    try {
      const file = join(folder, 'report.html');
      const html = await reportHtml(hugeReport(MAILS, REQUESTS));
      writeFileSync(file, html);
      const rows: string[][] = [['', 'opened after', 'longest task', 'longest task while scrolling']];
      const broken: string[] = [];
      for (const view of ['mails', 'requests']) {
        const rounds: Round[] = [];
        for (let round = 0; round < (isSmoke ? 1 : 9); round += 1)
          rounds.push(await measure(browser, `${pathToFileURL(file).href}#/${view}`));
        const column = (name: keyof Round) => rounds.map((round) => round[name]);
        rows.push([
          view,
          ...(['opened', 'openTask', 'scrollTask'] as const).map((name) => figure(column(name), 0, 'ms')),
        ]);
        if (!isSmoke && Math.min(...column('opened')) > 2_000)
          broken.push(`The view of ${view} opens within 2 s`);
        if (!isSmoke && Math.min(...column('scrollTask')) > 200)
          broken.push(`The list of ${view} scrolls without a task of more than 200 ms`);
      }
      const live = await measureLive(browser, isSmoke);
      const lines = [
        `A file of ${(html.length / 1e6).toFixed(1)} MB`,
        ...table(rows),
        '',
        `The live page: first row after ${live.opened.toFixed(0)} ms; a new email costs ${figure(live.arrived, 0, 'ms')} of CPU, with a search ${figure(live.searched, 0, 'ms')}`,
      ];
      if (!isSmoke && live.opened > 1_000) broken.push('The live page has its first row within 1 s');
      for (const costs of [live.arrived, live.searched])
        if (!isSmoke && Math.min(...costs) > 50)
          broken.push('A new email costs the live page 50 ms of CPU at most');
      return { lines, broken };
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true });
    }
  },
};
export default bench;
