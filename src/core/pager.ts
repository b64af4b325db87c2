import type { ApiPromise, WithResponse } from './api-promise.ts';
import { InvalidRequestError, ResponseFormatError } from './errors.ts';
import { issuesAt, mustBe, objectOf } from './rules.ts';

const toArrayRule = objectOf(
  { limit: mustBe('a number', (limit) => typeof limit === 'number' && !Number.isNaN(limit)) },
  [],
  { what: 'an object: toArray({ limit: 10 })' },
);

/** One page of a list: the wire's own fields, which each list's page type adds, and these beside them. */
export interface Page<Item> {
  /** The page's items, the same array as in the wire's own field. */
  readonly items: readonly Item[];
  /** Whether another page follows. */
  readonly hasNextPage: boolean;
  /** Fetches the page after this one; resolves to undefined on the last. */
  nextPage(): Promise<this | undefined>;
}

/** A page as it comes over the wire; one that is nothing but a list stands under `items`. */
export type PageBody<P extends Page<unknown>> = Omit<P, keyof Page<unknown>> & Partial<Pick<P, 'items'>>;

/** The query parameter that leads to a page; none for the first. */
export type PageQuery = Readonly<Record<string, string | number>>;

/** How an endpoint is paged. The pager knows no more of it than this. */
export interface PageStrategy<Item, Body> {
  /** The method that lists, for errors. */
  readonly operation: string;
  /** The items of a page. */
  readonly items: (body: Body) => readonly Item[];
  /** What leads to the next page; undefined on the last. */
  readonly next: (body: Body) => PageQuery | undefined;
  /**
   * What makes an item itself. Given where pages can shift while they are read, so that an item pushed onto the next
   * page is not yielded twice; left out where the cursor itself is stable.
   */
  readonly identity?: (item: Item) => unknown;
}

/**
 * A list that is fetched as it is read. Nothing is sent before it is used:
 *
 * - `for await (const item of pager)` yields every item of every page; leaving the loop sends nothing more,
 * - `await pager` gives the first page, as `pager.withResponse()` does with its response,
 * - `pager.pages()` iterates page by page,
 * - `pager.toArray({ limit })` collects.
 *
 * Every loop reads the list anew; the first page that `await` gives is fetched once.
 */
export class Pager<Item, P extends Page<Item> = Page<Item>> implements AsyncIterable<Item>, PromiseLike<P> {
  readonly #fetch: (query: PageQuery) => ApiPromise<PageBody<P>>;
  readonly #strategy: PageStrategy<Item, PageBody<P>>;
  #first: Promise<WithResponse<P>> | undefined;

  /** @internal */
  constructor(
    fetch: (query: PageQuery) => ApiPromise<PageBody<P>>,
    strategy: PageStrategy<Item, PageBody<P>>,
  ) {
    this.#fetch = fetch;
    this.#strategy = strategy;
  }

  /** Every item of every page, in the service's order, none twice. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const { identity } = this.#strategy;
    const seen = new Set<unknown>();
    for await (const page of this.pages()) {
      for (const item of page.items) {
        if (identity !== undefined) {
          const id = identity(item);
          // One that has no identity is not one that came before.
          if (id !== undefined && seen.has(id)) continue;
          seen.add(id);
        }
        yield item;
      }
    }
  }

  /**
   * Page by page, each as the service sent it: while the list grows, a page may start with items of the one before.
   *
   * @throws {@link ResponseFormatError} with code `pagination_loop` when the service leads back to a page it already gave.
   */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let page: P | undefined = this.#wrap(await this.#fetch({}), 0, new Map());
    while (page !== undefined) {
      yield page;
      page = await page.nextPage();
    }
  }

  /**
   * Collects the items of every page, or the first `limit` of them.
   *
   * @throws {@link InvalidRequestError} for a limit that is no number, and whatever reading a page throws
   */
  async toArray(options: { readonly limit?: number } = {}): Promise<Item[]> {
    // `toArray(10)` would read everything, and so would a misspelt limit.
    const issues = issuesAt('options', toArrayRule(options));
    if (issues.length > 0) throw new InvalidRequestError(issues);
    const { limit = Infinity } = options;
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }

  /** The first page together with its response. */
  withResponse(): Promise<WithResponse<P>> {
    this.#first ??= this.#fetch({})
      .withResponse()
      .then(({ data, response }) => ({ data: this.#wrap(data, 0, new Map()), response }));
    return this.#first;
  }

  /** Makes `await pager` give the first page. */
  then<A = P, B = never>(
    onFulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }

  /** As `promise.catch`, on the first page. */
  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<P | B> {
    return this.then(undefined, onRejected);
  }

  /** As `promise.finally`, on the first page. */
  finally(onFinally?: (() => void) | null): Promise<P> {
    return this.then().finally(onFinally);
  }

  /** `positions` remembers where in the list each query stood: one that leads back to where we were is a loop. */
  #wrap(body: PageBody<P>, position: number, positions: Map<string | number, number>): P {
    const next = this.#strategy.next(body);
    const page: Page<Item> = {
      ...body,
      items: this.#strategy.items(body),
      hasNextPage: next !== undefined,
      nextPage: async () => {
        if (next === undefined) return undefined;
        // What leads there, by itself: very many pages may have to be remembered.
        const [key] = Object.values(next);
        if (key !== undefined && (positions.get(key) ?? Infinity) <= position) {
          throw new ResponseFormatError(
            `${this.#strategy.operation}: the service led back to a page it already gave; the list would never end`,
            {
              code: 'pagination_loop',
              effect: 'none',
            },
          );
        }
        if (key !== undefined) positions.set(key, position + 1);
        return this.#wrap(await this.#fetch(next), position + 1, positions);
      },
    };
    return page as P;
  }
}
