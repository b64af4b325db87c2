import type { RequestSpec } from '../core/request.ts';
import { issuesAt } from '../core/rules.ts';

/** The request for a file at a signed URL; `name` and `what` say what the caller gave that has to be one. */
export const signedFile = (operation: string, url: string, name: string, what: string) =>
  ({
    operation,
    method: 'GET',
    host: 'api',
    path: '(signed address)',
    signedUrl: url,
    check: () => issuesAt(name, URL.canParse(url) ? undefined : `must be ${what}`),
  }) satisfies Omit<RequestSpec<unknown>, 'result'>;
