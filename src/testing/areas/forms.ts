import type { Route } from '../route.ts';

/** The two published forms of a path: the account left to the token, or named. */
export type Form = 'token' | 'account';

/** The routes of an endpoint that is published in both forms. */
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
