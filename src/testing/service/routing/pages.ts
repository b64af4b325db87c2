import type { Exchange } from './route.ts';

/** One page of a list, and the links to the others. */
export interface PageOf<T> {
  readonly items: readonly T[];
  readonly pagination: Readonly<Record<string, unknown>>;
}

/**
 * Returns one page of a list with numbered pages. Clamps `per_page` and `token`, the page number, to their ranges; a JSON
 * number must hold `token` exactly. A page after the end is empty, and its previous page is the last page with data.
 * Ignores a parameter that is not a number.
 */
export function pageOf<T>(all: readonly T[], request: Pick<Exchange, 'query' | 'address'>): PageOf<T> {
  const { query, address } = request;
  const perPage = perPageOf(query);
  const token = within(query.get('token'), 1, Number.MAX_SAFE_INTEGER, 1);
  const from = (token - 1) * perPage;
  const next = from + perPage < all.length ? token + 1 : null;
  const last = Math.ceil(all.length / perPage);
  const prev = Math.min(token - 1, last) || null;
  const url = (page: number | null) => {
    if (page === null) return null;
    const parameters = new URLSearchParams(query);
    parameters.delete('token');
    parameters.append('token', String(page));
    return `${address}?${parameters.toString()}`;
  };
  return {
    items: all.slice(from, from + perPage),
    pagination: {
      token,
      prev_token: prev,
      next_token: next,
      first_url: url(1),
      prev_url: url(prev),
      current_url: url(token),
      next_url: url(next),
    },
  };
}

const MAX_OFFSET = 2n ** 63n - 1n;

/** Whether the offset of a page exceeds a 64-bit integer. */
export function isBeyondOffsets({ query }: Pick<Exchange, 'query'>): boolean {
  const token = query.get('token') ?? '';
  return /^\d+$/.test(token) && (BigInt(token) - 1n) * BigInt(perPageOf(query)) > MAX_OFFSET;
}

const perPageOf = (query: URLSearchParams) => within(query.get('per_page'), 1, 100, 50);

/**
 * The page after the item with the id `last_id`, and the cursor of the next page. An unknown cursor gives the first page, as
 * recorded for another endpoint.
 */
export function pageAfter<T extends { readonly id: string }>(
  all: readonly T[],
  query: URLSearchParams,
  size: number,
): { readonly items: readonly T[]; readonly next: string | null } {
  const lastId = query.get('last_id');
  const from = all.findIndex(({ id }) => id === lastId) + 1;
  const items = all.slice(from, from + size);
  return { items, next: from + size < all.length ? (items.at(-1)?.id ?? null) : null };
}

function within(text: string | null, low: number, high: number, otherwise: number): number {
  if (text === null || !/^-?\d+$/.test(text)) return otherwise;
  return Math.min(high, Math.max(low, Number(text)));
}
