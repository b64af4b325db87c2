/** Decides for every response whether the service may have acted. */
import type { Effect } from './error-base.ts';
import type { HttpMethod } from './request.ts';

/** A 4xx or 501 is a refusal. After any other 5xx, a 408, a redirect or no status at all, the service may have acted. */
export const effectOfStatus = (status: number): Effect =>
  (status >= 400 && status < 500 && status !== 408) || status === 501 ? 'none' : 'unknown';

/** After a 2xx with an undocumented body, the service has probably acted on the request. */
export const effectOfUnreadable = (method: HttpMethod): Effect => (method === 'GET' ? 'none' : 'unknown');
