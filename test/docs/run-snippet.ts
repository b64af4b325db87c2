import { format } from 'node:util';
import { expect, vi } from 'vitest';
import { openWorld, type WorldOptions } from './ambient.ts';
import { asShown, type Written } from './snippets.ts';

/** How a snippet is run. */
interface Surroundings {
  /** What is open around it. */
  readonly world?: WorldOptions;
  /** Called when its world is open, before it begins. */
  readonly begin?: () => void;
  /** Given what it exports, while its world is open. */
  readonly check?: (module: unknown) => void | Promise<void>;
}

/**
 * Runs a snippet of a guide, and expects what it shows: the error that it throws, and what it prints. Returns the lines that
 * it printed. Whoever calls it restores the mocks.
 */
export async function runSnippet(
  { path, prints, throws }: Written,
  { world, begin, check }: Surroundings = {},
): Promise<readonly string[]> {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    printed.push(...format(...values).split('\n'));
  });
  const close = await openWorld(world);
  let thrown: unknown;
  try {
    begin?.();
    const module: unknown = await import(/* @vite-ignore */ path);
    await check?.(module);
  } catch (error) {
    if (throws === undefined) throw error;
    thrown = error;
  } finally {
    await close();
  }
  if (throws !== undefined) expect(asShown(throws, String(thrown))).toBe(throws);
  if (prints !== undefined)
    expect(printed.map((text, index) => asShown(prints[index], text))).toEqual(prints);
  return printed;
}
