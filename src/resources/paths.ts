import type { RequestContext } from '../core/request.ts';

/** The path of an account's resource: under the account where one is known, else in the token's own form. */
export const inAccount = ({ accountId }: RequestContext, resource: string): string =>
  accountId === undefined ? `/api/${resource}` : `/api/accounts/${accountId}/${resource}`;
