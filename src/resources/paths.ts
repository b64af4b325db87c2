import type { RequestContext } from '../core/request.ts';

/** The path of an account's resource: under the account where one is set, otherwise in the form without an account. */
export const inAccount = ({ accountId }: RequestContext, resource: string): string =>
  accountId === undefined ? `/api/${resource}` : `/api/accounts/${accountId}/${resource}`;
