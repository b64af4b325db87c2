/** How the pictures of the guides are taken: with a font that every machine has here, at twice the density. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

export const DENSITY = process.env.UPDATE_SCREENSHOTS === '1' ? 2 : 1;

/** Shows a page with Inter, which its style sheet names first. */
export async function useInter(page: Page): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  for (const weight of ['400', '500', '600']) {
    const file = resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`);
    await page.evaluate(
      async ([bytes = '', of = '']) => {
        const data = Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0));
        document.fonts.add(await new FontFace('Inter', data.buffer, { weight: of }).load());
      },
      [readFileSync(file).toString('base64'), weight],
    );
  }
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
