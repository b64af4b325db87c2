import type { RequestSpec } from '../core/request.ts';
import { issuesAt } from '../core/rules.ts';

/**
 * The request for a file at a signed URL, or at the path of one. `name` and `what` describe the caller's argument in
 * messages; `isOne` says whether it is valid.
 */
export const signedFile = (
  operation: string,
  url: string,
  name: string,
  what: string,
  isOne = (given: string) => URL.canParse(given),
) =>
  ({
    operation,
    method: 'GET',
    host: 'api',
    path: '(signed address)',
    signed: { url },
    check: () => issuesAt(name, isOne(url) ? undefined : `must be ${what}`),
  }) satisfies Omit<RequestSpec<unknown>, 'decoder'>;
