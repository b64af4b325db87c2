import type { ApiPromise, WithResponse } from './api-promise.ts';
import { callSite, type CallSite } from './call-site.ts';
import { thrownFrom } from './error-base.ts';
import { refuseCall, ResponseFormatError } from './errors.ts';
import { asyncContext } from './platform.ts';
import { isolated } from './isolated.ts';
import { memberOf } from './record.ts';
import { queryString } from './query.ts';
import { issuesIn, mustBe, objectOf } from './rules.ts';
import { tried } from './tried.ts';

const toArrayRule = objectOf({ limit: mustBe('a number', (limit) => limit === Number(limit)) });

/** The number of consecutive pages without an item after which a list counts as endless. */
const MAX_EMPTY_PAGES = 100;

/** One page of a list. Each list's own page type adds the fields of the response. */
export interface Page<Item> {
  /** The page's items; the same array as in the response's own field. */
  readonly items: readonly Item[];
  /** Whether another page follows. */
  readonly hasNextPage: boolean;
  /**
   * Fetches the next page; resolves to undefined on the last page.
   *
   * @throws {@link ResponseFormatError} with code `pagination_loop` when the service leads back to an earlier page, or
   * has sent 100 pages without an item one after the other; and whatever fetching a page throws
   */
  nextPage(): Promise<this | undefined>;
}

/** A page as the service sends it. A body that is a bare array is under `items`. */
export type PageBody<P extends Page<unknown>> = Omit<P, keyof Page<unknown>> & Partial<Pick<P, 'items'>>;

/** The query parameter that selects a page; empty for the first. An undefined parameter is removed. */
export type PageQuery = Readonly<Record<string, string | number | undefined>>;

/** The way from one page of a list to the next; part of the list's decoder. */
export interface Paging<P extends Page<unknown>> {
  /** The query of the next page; undefined on the last. */
  readonly next: (body: PageBody<P>) => PageQuery | undefined;
  /**
   * The identity of an item. Set for a list whose items can shift while it is read, so that an item pushed onto the
   * next page is yielded once; absent for a stable cursor.
   */
  readonly identity?: (item: P['items'][number]) => unknown;
}

/**
 * A paginated list, fetched as it is read. The first use sends the first request:
 *
 * - `for await (const item of pager)` yields every item of every page; leaving the loop stops fetching.
 * - `await pager` resolves to the first page, `pager.withResponse()` to the first page with its response.
 * - `pager.pages()` yields page by page.
 * - `pager.toArray({ limit })` collects items in an array.
 *
 * Every loop reads the list anew; the first page that `await` resolves to is fetched only once.
 */
export class Pager<Item, P extends Page<Item> = Page<Item>> implements AsyncIterable<Item>, PromiseLike<P> {
  readonly #fetch: (query: PageQuery, site: CallSite) => ApiPromise<PageBody<P>>;
  /** The line that requested the list: its pages may be fetched long after. */
  readonly #site = callSite();
  readonly #operation: string;
  readonly #paging: Paging<P>;
  /** The first page; undefined before its first use. */
  #page: Promise<P> | undefined;
  /** The body of {@link #page}. */
  #body!: ApiPromise<PageBody<P>>;

  /** @internal */
  constructor(
    fetch: (query: PageQuery, site: CallSite) => ApiPromise<PageBody<P>>,
    operation: string,
    paging: Paging<P>,
  ) {
    // The first use may be elsewhere: a token function that reads the tenant must find the one of this call.
    const inContext = asyncContext();
    this.#fetch = (query, site) => inContext(() => fetch(query, site));
    this.#operation = operation;
    this.#paging = paging;
  }

  /** Yields every item of every page, in the service's order, none twice. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const { identity } = this.#paging;
    const seen = new Set<unknown>();
    for await (const page of this.pages()) {
      for (const item of page.items) {
        const id = identity?.(item);
        // Items without an identity are all different.
        if (id !== undefined && seen.has(id)) continue;
        seen.add(id);
        yield item;
      }
    }
  }

  /**
   * Yields each page as the service sent it: while the list grows, a page may start with items of the previous one.
   *
   * @throws {@link ResponseFormatError} with code `pagination_loop` when the service leads back to an earlier page, or
   * has sent 100 pages without an item one after the other; and whatever fetching a page throws
   */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let page: P | undefined = this.#wrap(await this.#fetch({}, this.#site));
    while (page !== undefined) {
      yield page;
      page = await page.nextPage();
    }
  }

  /**
   * Collects the items of every page, or the first `limit` of them.
   *
   * @throws {@link InvalidRequestError} when `limit` is not a number, and whatever fetching a page throws
   */
  async toArray(options: { readonly limit?: number } = {}): Promise<Item[]> {
    // Without this check, `toArray(10)` or a misspelt limit would read every page.
    refuseCall(
      `${this.#operation}.toArray`,
      issuesIn('options', () => toArrayRule(options)),
    );
    const limit = (memberOf(options, 'limit') ?? Infinity) as number;
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }

  /** Resolves to the first page together with its response. */
  withResponse(): Promise<WithResponse<P>> {
    return this.then(async (data) => ({ data, response: (await this.#body.withResponse()).response }));
  }

  /** Makes `await pager` resolve to the first page. */
  then<A = P, B = never>(
    onFulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#page ??= (this.#body = this.#fetch({}, this.#site)).then(
      (body) => this.#wrap(body),
      (error: unknown) => {
        // The next use sends the request again.
        this.#page = undefined;
        throw error;
      },
    );
    return this.#page.then(onFulfilled, onRejected);
  }

  /** Like `Promise.prototype.catch`, for the first page. */
  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<P | B> {
    return this.then(undefined, onRejected);
  }

  /** Like `Promise.prototype.finally`, for the first page. */
  finally(onFinally?: (() => void) | null): Promise<P> {
    return this.then().finally(onFinally);
  }

  /**
   * Creates a page from a body. `positions` maps each query to the number of its page: a query of an earlier page is a
   * loop.
   */
  #wrap(input: PageBody<P>, position = 0, emptyBefore = 0, positions = new Map([['', 0]])): P {
    // Read by each list's own `next`, so without fields of `Object.prototype`.
    const body = isolated(input);
    const next = this.#paging.next(body);
    const items = body.items ?? [];
    const empty = items.length === 0 ? emptyBefore + 1 : 0;
    const page: Page<Item> = {
      ...body,
      items,
      hasNextPage: next !== undefined,
      nextPage: async () => {
        if (next === undefined) return undefined;
        // As text: a cursor may be any JSON. A cursor that cannot be serialized counts as the first page's.
        const query = tried(
          () => queryString(next),
          () => '',
        );
        if ((positions.get(query) ?? Infinity) <= position || empty >= MAX_EMPTY_PAGES) {
          const what = `the service repeated a page, or sent ${MAX_EMPTY_PAGES} pages without an item`;
          const message = `${this.#operation} would not end: ${what}`;
          const error = new ResponseFormatError(message, { code: 'pagination_loop', effect: 'none' });
          throw thrownFrom(this.#site, error);
        }
        positions.set(query, position + 1);
        return this.#wrap(await this.#fetch(next, this.#site), position + 1, empty, positions);
      },
    };
    return page as P;
  }
}
