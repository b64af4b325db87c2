import type { Surroundings } from './surroundings.ts';

/** Opens a page where a person sits in front of it, and again with a key. */
export function offerPage(
  url: string,
  isOpened: boolean,
  { keys, browse, isTerminal, env, err }: Surroundings,
): void {
  if (browse === undefined || !isTerminal.err || (env.CI ?? '') !== '') return;
  if (isOpened) browse(url);
  keys?.((key) => {
    if (key === 'o') browse(url);
  });
  if (keys !== undefined) err('# Press o to open the page.\n');
}
