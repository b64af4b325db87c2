import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { runSnippet } from '../docs/run-snippet.ts';
import { compile, extract, guides, root, write, type CompilerOptions } from '../docs/snippets.ts';

/** Removes the globals that packages add, because the next file shares the process. */
export function removesNewGlobals(): void {
  const before = new Set(Object.getOwnPropertyNames(globalThis));
  afterAll(() => {
    for (const name of Object.getOwnPropertyNames(globalThis))
      if (!before.has(name) && !name.startsWith('__')) Reflect.deleteProperty(globalThis, name);
  });
}

/**
 * Compiles and runs the snippets of all guides that need the packages of a folder of test/peers. `count` is the
 * expected number of snippets, so that a missing one fails the test. `options` are the compiler options that the
 * packages need. `check` gets the exports of a snippet while its world is open.
 */
export function testPeerSnippets(
  peer: string,
  count: number,
  options?: CompilerOptions,
  check: (module: unknown) => void | Promise<void> = () => undefined,
): void {
  removesNewGlobals();
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
      async (_, snippet) => {
        await runSnippet(snippet, { check });
      },
    );
  });
}
