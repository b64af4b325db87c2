import { type EmailPlatform, Pager } from 'email-platform';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answered, apiPromise } from '../support/api-promise.ts';

interface Body {
  readonly rows: readonly number[];
  readonly next: number | null;
}

/** What happens to the list before a page is read: rows added at its front, rows removed by position. */
interface Change {
  readonly added: number;
  readonly removed: readonly number[];
}

/** A list in numbered pages, newest first, that changes while it is read. */
function changingList(size: number, perPage: number, changes: readonly Change[]) {
  let rows = Array.from({ length: size }, (_, index) => size - index);
  let newest = size;
  let read = 0;
  const pager = new Pager<number, EmailPlatform.Page<number> & Body>(
    ({ page = 1 }) => {
      const { added, removed } = changes[read - 1] ?? { added: 0, removed: [] };
      read += 1;
      rows = rows.filter((_, index) => !removed.includes(index));
      for (let count = 0; count < added; count += 1) rows.unshift((newest += 1));
      const start = (Number(page) - 1) * perPage;
      const next = start + perPage < rows.length ? Number(page) + 1 : null;
      return apiPromise(Promise.resolve(answered({ rows, items: rows.slice(start, start + perPage), next })));
    },
    'rows.list',
    {
      next: (body) => (body.next === null ? undefined : { page: body.next }),
      identity: (row) => row,
    },
  );
  return { pager, original: [...rows] };
}

const sizes = fc.record({ size: fc.nat(40), perPage: fc.integer({ min: 1, max: 7 }) });
const position = fc.nat(40);

describe('While a list of numbered pages changes', () => {
  test('property: while it grows, no original item is missed and none is yielded twice', async () => {
    const growth = fc.array(fc.record({ added: fc.nat(3), removed: fc.constant([]) }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(sizes, growth, async ({ size, perPage }, changes) => {
        const { pager, original } = changingList(size, perPage, changes);
        const seen = await pager.toArray();
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((row) => row <= size)).toEqual(original);
      }),
    );
  });

  test('property: while it grows and shrinks, no item is yielded twice', async () => {
    const change = fc.record({ added: fc.nat(2), removed: fc.array(position, { maxLength: 3 }) });
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(change, { maxLength: 40 }), async ({ size, perPage }, changes) => {
        const seen = await changingList(size, perPage, changes).pager.toArray();
        expect(new Set(seen).size).toBe(seen.length);
      }),
    );
  });

  test('pages() yields pages as they were sent, including repeated rows', async () => {
    const { pager } = changingList(4, 2, [{ added: 1, removed: [] }]);
    const pages: number[][] = [];
    for await (const page of pager.pages()) pages.push([...page.items]);
    expect(pages).toEqual([[4, 3], [3, 2], [1]]);
  });
});
