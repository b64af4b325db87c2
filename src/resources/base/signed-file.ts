import type { RequestSpec } from '../../core/request.ts';
import { issuesAt } from '../../core/rules.ts';
import { tried } from '../../core/tried.ts';

/**
 * The request for a file at a signed URL, or at the path of one. `urlOf` reads it from the caller's argument, which
 * `name` and `what` describe in messages; `isOne` says whether it is valid.
 */
export const signedFile = (
  operation: string,
  urlOf: () => string,
  name: string,
  what: string,
  isOne = (given: string) => URL.canParse(given),
) => {
  const url = tried(urlOf, () => '');
  return {
    operation,
    method: 'GET',
    host: 'api',
    path: '(signed address)',
    signed: { url, maybeApiPath: false },
    check: () => issuesAt(name, isOne(url) ? undefined : `must be ${what}`),
  } satisfies Omit<RequestSpec<unknown>, 'decoder'>;
};
