import type { Route } from '../route.ts';

/** The two published forms of a path: the token implies the account, or the path names it. */
export type Form = 'token' | 'account';

/** Returns the routes of an endpoint that is published in both forms. */
export function inBothForms(
  path: string | Readonly<Record<Form, string>>,
  route: (form: Form) => Omit<Route, 'path'>,
): Route[] {
  const paths = typeof path === 'string' ? { token: path, account: path } : path;
  return [
    { ...route('token'), path: `/api${paths.token}` },
    { ...route('account'), path: `/api/accounts/:account_id${paths.account}` },
  ];
}
