import type { Page } from '../../core/pager.ts';

/** The position of a page in a list of numbered pages. */
export interface TokenPagination {
  /** Number of this page. */
  token: number;
  /** Number of the previous page; null on the first. */
  prev_token: number | null;
  /** Number of the next page; null on the last. */
  next_token: number | null;
  /** URL of the first page. */
  first_url: string;
  /** URL of the previous page; null on the first. */
  prev_url: string | null;
  /** URL of this page. */
  current_url: string;
  /** URL of the next page; null on the last. */
  next_url: string | null;
}

/** One page of a list of numbered pages. */
export interface NumberedPage<Item> extends Page<Item> {
  /** The page's items, in the service's order. */
  readonly data: Item[];
  /** The page's position in the list. */
  readonly pagination: TokenPagination;
}

/** Parameters of a list of numbered pages. */
export interface NumberedPageParams {
  /**
   * Number of the page to start at, from 1. To resume a list, pass the `pagination.next_token` of the last page read.
   * @defaultValue 1
   */
  token?: number | undefined;
  /**
   * Items per page, 1 to 100.
   * @defaultValue 50
   */
  per_page?: number | undefined;
}
