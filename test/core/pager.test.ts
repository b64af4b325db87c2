import { type EmailPlatform, Pager, ResponseFormatError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import type { PageQuery } from '../../src/core/pager.ts';
import { answered, apiPromise } from '../support/api-promise.ts';
import { rejection } from '../support/expect-error.ts';
import { fromAsync } from '../support/from-async.ts';

interface Body {
  readonly rows: readonly string[];
  readonly next: string | null;
}
type Rows = EmailPlatform.Page<string> & Body;

/** A list whose pages are linked by cursors; the first has none. */
function source(pages: Readonly<Record<string, Body>>) {
  const asked: PageQuery[] = [];
  const pager = new Pager<string, Rows>(
    (query) => {
      asked.push(query);
      const body = pages[String(query.after ?? '')];
      return apiPromise(
        body ? Promise.resolve(answered({ ...body, items: body.rows })) : Promise.reject(new Error('broken')),
      );
    },
    'rows.list',
    {
      next: (body) => (body.next === null ? undefined : { after: body.next }),
    },
  );
  return { pager, asked };
}

const threePages = () =>
  source({
    '': { rows: ['a', 'b'], next: 'p2' },
    p2: { rows: ['c', 'd'], next: 'p3' },
    p3: { rows: ['e'], next: null },
  });

/** Everything that an iterable yields. */
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test('Items without an identity are never taken for duplicates', async () => {
  const pager = new Pager<string, Rows>(
    () => apiPromise(Promise.resolve(answered({ items: ['a', 'b'], rows: ['a', 'b'], next: null }))),
    'rows.list',
    { next: () => undefined, identity: () => undefined },
  );
  expect(await pager.toArray()).toEqual(['a', 'b']);
});

test.skipIf(!fromAsync)('Array.fromAsync collects every item of every page', async () => {
  const { pager, asked } = threePages();
  expect(await fromAsync?.(pager)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(asked).toHaveLength(3);
});

test('an async function that returns a pager returns its first page, and one in an object stays a pager', async () => {
  const { pager, asked } = threePages();
  const lazy = async () => Promise.resolve().then(() => pager);
  expect((await lazy()).items).toEqual(['a', 'b']);
  const inAnObject = async () => Promise.resolve({ rows: pager });
  const { rows } = await inAnObject();
  expect(rows).toBe(pager);
  expect(asked).toHaveLength(1);
});

describe('A pager is lazy', () => {
  test('making one sends nothing', () => {
    expect(threePages().asked).toEqual([]);
  });

  test('a loop fetches each page when it reaches it, and none ahead', async () => {
    const { pager, asked } = threePages();
    const seen: [string, number][] = [];
    for await (const item of pager) seen.push([item, asked.length]);
    expect(seen).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 2],
      ['d', 2],
      ['e', 3],
    ]);
    expect(asked).toEqual([{}, { after: 'p2' }, { after: 'p3' }]);
  });

  test('break sends nothing more, also on the last item of a page', async () => {
    const { pager, asked } = threePages();
    for await (const item of pager) if (item === 'b') break;
    expect(asked).toHaveLength(1);
  });

  test('an exception in the loop sends nothing more', async () => {
    const { pager, asked } = threePages();
    const loop = async () => {
      for await (const item of pager) throw new Error(`stop at ${item}`);
    };
    await expect(loop()).rejects.toThrow('stop at a');
    expect(asked).toHaveLength(1);
  });

  test('every loop reads the list anew', async () => {
    const { pager, asked } = threePages();
    expect(await all(pager)).toEqual(await all(pager));
    expect(asked).toHaveLength(6);
  });
});

test('a response without items is an empty page', async () => {
  const pager = new Pager<string, Rows>(
    () => apiPromise(Promise.resolve(answered({ rows: [], next: null }))),
    'rows.list',
    { next: () => undefined },
  );
  expect(await pager.toArray()).toEqual([]);
  expect((await pager).items).toEqual([]);
});

describe('await pager', () => {
  test('resolves to the first page: its items, the response’s own fields, and whether more follow', async () => {
    const page = await threePages().pager;
    expect(page).toMatchObject({ items: ['a', 'b'], rows: ['a', 'b'], next: 'p2', hasNextPage: true });
    expect(page.items).toBe(page.rows);
  });

  test('twice, and with its response, is one request', async () => {
    const { pager, asked } = threePages();
    const [first, second, third] = await Promise.all([pager, pager, pager.withResponse()]);
    expect(second).toBe(first);
    expect(third.data).toBe(first);
    expect(third.response.status).toBe(200);
    expect(asked).toHaveLength(1);
  });

  test('passes a failure on, however the pager is used', async () => {
    const broken = () => source({}).pager;
    await expect(broken()).rejects.toThrow('broken');
    await expect(broken().withResponse()).rejects.toThrow('broken');
    await expect(all(broken())).rejects.toThrow('broken');
    expect(await broken().catch((error: unknown) => String(error))).toBe('Error: broken');
    let isOver = false;
    await expect(broken().finally(() => (isOver = true))).rejects.toThrow('broken');
    expect(isOver).toBe(true);
  });

  test('after a failure, the next one requests the first page again', async () => {
    const pages: Record<string, Body> = {};
    const { pager, asked } = source(pages);
    await expect(pager).rejects.toThrow('broken');
    pages[''] = { rows: ['a'], next: null };
    expect((await pager).items).toEqual(['a']);
    expect(asked).toHaveLength(2);
  });

  test('a failure on a later page comes after the items before it', async () => {
    const { pager } = source({ '': { rows: ['a'], next: 'gone' } });
    const seen: string[] = [];
    const loop = async () => {
      for await (const item of pager) seen.push(item);
    };
    await expect(loop()).rejects.toThrow('broken');
    expect(seen).toEqual(['a']);
  });
});

describe('Pages', () => {
  test('can be iterated', async () => {
    const pages = await all(threePages().pager.pages());
    expect(pages.map(({ items, hasNextPage }) => [items.join(''), hasNextPage])).toEqual([
      ['ab', true],
      ['cd', true],
      ['e', false],
    ]);
  });

  test('lead to each other; nextPage of the last is undefined', async () => {
    const { pager, asked } = threePages();
    const third = await (await (await pager).nextPage())?.nextPage();
    expect(third?.items).toEqual(['e']);
    expect(await third?.nextPage()).toBeUndefined();
    expect(asked).toHaveLength(3);
  });

  test('nextPage may be called twice, or at the same time', async () => {
    const { pager } = threePages();
    const first = await pager;
    const both = await Promise.all([first.nextPage(), first.nextPage()]);
    expect(both.map((page) => page?.items)).toEqual([
      ['c', 'd'],
      ['c', 'd'],
    ]);
    expect((await both[0]?.nextPage())?.items).toEqual(['e']);
    expect((await both[1]?.nextPage())?.items).toEqual(['e']);
  });

  test('parallel calls of next() return every item once, in order', async () => {
    const { pager, asked } = threePages();
    const iterator = pager[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 7 }, () => iterator.next()));
    expect(results.map(({ value }) => value ?? '-').join('')).toBe('abcde--');
    expect(asked).toHaveLength(3);
  });

  test('an empty page in the middle does not end the list', async () => {
    const { pager } = source({
      '': { rows: [], next: 'p2' },
      p2: { rows: ['x'], next: null },
    });
    expect(await all(pager)).toEqual(['x']);
    expect((await pager).hasNextPage).toBe(true);
  });

  test.each([
    ['all with an item', () => ['x']],
    ['every second one empty', (page: number) => (page % 2 === 1 ? ['x'] : [])],
  ])('a list of 250 pages is read to its end, %s', async (_, rowsOf) => {
    const pages = Array.from({ length: 250 }, (_, page): [string, Body] => [
      page === 0 ? '' : String(page),
      { rows: rowsOf(page), next: page === 249 ? null : String(page + 1) },
    ]);
    const { pager, asked } = source(Object.fromEntries(pages));
    expect(await all(pager)).toEqual(pages.flatMap(([, { rows }]) => rows));
    expect(asked).toHaveLength(250);
  });
});

describe('A list that would never end', () => {
  test.each([
    ['a page that leads to itself', { '': { rows: ['a'], next: 'p2' }, p2: { rows: ['b'], next: 'p2' } }],
    [
      'a page that leads back',
      {
        '': { rows: ['a'], next: 'p2' },
        p2: { rows: ['b'], next: 'p3' },
        p3: { rows: ['c'], next: 'p2' },
      },
    ],
  ])('%s: stops with an error', async (_, pages) => {
    const { pager, asked } = source(pages);
    const error = await rejection(all(pager), ResponseFormatError);
    expect(error).toMatchObject({ code: 'pagination_loop', effect: 'none' });
    // The line that requested the list, not the loop that read it.
    expect(error.stack).toContain('at source (');
    expect(asked.length).toBe(Object.keys(pages).length);
  });

  test('a page that leads back to the first one: stops with an error', async () => {
    let requests = 0;
    const pager = new Pager<string, Rows>(
      () => {
        requests += 1;
        return apiPromise(Promise.resolve(answered({ items: ['a'], rows: ['a'], next: null })));
      },
      'rows.list',
      { next: () => ({ after: undefined }) },
    );
    await rejection(all(pager), ResponseFormatError);
    expect(requests).toBe(1);
  });

  test.each([
    [99, 'reads on', ['x'], 100],
    [100, 'stops with an error', undefined, 100],
  ])('after %i pages without an item, it %s', async (count, _, items, requests) => {
    const pages: Record<string, Body> = { [`p${count}`]: { rows: ['x'], next: null } };
    for (let page = 0; page < count; page += 1)
      pages[page === 0 ? '' : `p${page}`] = { rows: [], next: `p${page + 1}` };
    const { pager, asked } = source(pages);
    if (items === undefined) await rejection(all(pager), ResponseFormatError);
    else expect(await all(pager)).toEqual(items);
    expect(asked).toHaveLength(requests);
  });

  test('one loop does not affect the next', async () => {
    const { pager } = threePages();
    await all(pager);
    await expect(all(pager.pages())).resolves.toHaveLength(3);
  });
});

describe('toArray', () => {
  test.each([
    [undefined, 'abcde', 3],
    [Infinity, 'abcde', 3],
    [9, 'abcde', 3],
    [5, 'abcde', 3],
    [4, 'abcd', 2],
    [3, 'abc', 2],
    [2, 'ab', 1],
    [1, 'a', 1],
    [0, '', 0],
    [-1, '', 0],
  ])('with limit %s returns %o in %i requests', async (limit, items, requests) => {
    const { pager, asked } = threePages();
    const array = await pager.toArray(limit === undefined ? undefined : { limit });
    expect(array.join('')).toBe(items);
    expect(asked).toHaveLength(requests);
  });

  test.each([10, null, { limit: '10' }, { limit: NaN }, { max: 10 }])(
    'refuses %j, which would read everything',
    async (given) => {
      const { pager, asked } = threePages();
      await expect(pager.toArray(given as never)).rejects.toThrow(
        /^rows\.list\.toArray was not sent: options(\.limit: must be a number|\.max: is not a known field|: must be an object)/,
      );
      expect(asked).toHaveLength(0);
    },
  );
});
