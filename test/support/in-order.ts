import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Expects that axe finds no violation in a page as it is, outside its frames, and that nothing is wider than its place. */
export async function expectInOrder(page: Page): Promise<void> {
  // The content security policy forbids a script of the page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
      iframes: false,
    }),
  );
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  );
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('main, .list, .detail, .overview')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ className }) => className),
  );
  expect(wide).toEqual([]);
}

/** Expects that a finger can hit each control of a page for phones. */
export async function expectTallControls(page: Page): Promise<void> {
  const low = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'button, .button, select, summary, .row, .switch, .back, header a:not(.skip)',
      ),
    ]
      .filter((control) => control.checkVisibility())
      .filter((control) => control.getBoundingClientRect().height < 43.5)
      .map(({ outerHTML }) => outerHTML),
  );
  expect(low).toEqual([]);
}
