import { readFileSync } from 'node:fs';
import { format } from 'node:util';
import type ts from 'typescript';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openWorld } from '../docs/ambient.ts';
import { asShown, compile, extract, guides, root, write } from '../docs/snippets.ts';

/**
 * Compiles and runs the snippets of all guides that need the packages of a folder of test/peers. `count` is how many there
 * are, so that one that is no longer found is missed; `options` are those of the compiler that the packages need. `check` is
 * given what a snippet exports, while its world is open.
 */
export function testPeerSnippets(
  peer: string,
  count: number,
  options?: ts.CompilerOptions,
  check: (module: unknown) => void | Promise<void> = () => undefined,
): void {
  const all = guides.flatMap((file) => extract(file, readFileSync(root + file, 'utf8')));
  const snippets = write(
    all.filter((snippet) => snippet.peer === peer),
    `${root}test/peers/${peer}/.tmp/`,
  );

  test('the snippets of the guides compile', () => {
    expect(snippets).toHaveLength(count);
    expect(compile(snippets, options)).toEqual([]);
  });

  describe('a snippet does what the guide shows:', () => {
    afterEach(() => {
      vi.restoreAllMocks();
    });

    test.each(snippets.map((snippet) => [`${snippet.file}:${snippet.line}`, snippet] as const))(
      '%s',
      async (_, { path, prints, throws }) => {
        const printed: string[] = [];
        vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
          printed.push(...format(...values).split('\n'));
        });
        const close = await openWorld();
        let thrown: unknown;
        try {
          await check(await import(/* @vite-ignore */ path));
        } catch (error) {
          if (throws === undefined) throw error;
          thrown = error;
        } finally {
          await close();
        }
        if (throws !== undefined) expect(asShown(throws, String(thrown))).toBe(throws);
        if (prints !== undefined)
          expect(printed.map((text, index) => asShown(prints[index], text))).toEqual(prints);
      },
    );
  });
}
