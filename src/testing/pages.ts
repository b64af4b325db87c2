import type { Exchange } from './route.ts';

/** One page of a list, and the links to the others. */
export interface PageOf<T> {
  readonly items: readonly T[];
  readonly pagination: Readonly<Record<string, unknown>>;
}

/**
 * Returns one page of a list with numbered pages. A `per_page` that is out of range is brought into range, and so is a
 * `token`, which a JSON number has to hold exactly. Past the end there is no data, and the previous page is the last one
 * that has some. A parameter that is not a number is ignored.
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
    const given = new URLSearchParams(query);
    given.delete('token');
    given.append('token', String(page));
    return `${address}?${given.toString()}`;
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

/** Whether a page begins at a place in the list that no 64-bit integer can count. */
export function isBeyondOffsets({ query }: Pick<Exchange, 'query'>): boolean {
  const token = query.get('token') ?? '';
  return /^\d+$/.test(token) && (BigInt(token) - 1n) * BigInt(perPageOf(query)) > MAX_OFFSET;
}

const perPageOf = (query: URLSearchParams) => within(query.get('per_page'), 1, 100, 50);

/**
 * The page after the item that `last_id` names, and the cursor of the next one. A cursor that names none is ignored, as
 * recorded elsewhere: the list begins again.
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

function within(given: string | null, low: number, high: number, otherwise: number): number {
  if (given === null || !/^-?\d+$/.test(given)) return otherwise;
  return Math.min(high, Math.max(low, Number(given)));
}
