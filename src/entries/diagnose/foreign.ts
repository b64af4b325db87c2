/** Tells the service's responses from those of a firewall, a web site or a proxy. */
import type { ApiError } from '../../core/api-errors.ts';
import { isRecord } from '../../core/record.ts';

/** Whether a body is a page: of a web site, or of a proxy. */
export const isPage = ({ body }: Pick<ApiError, 'body'>): boolean =>
  typeof body === 'string' && /^\s*</.test(body);

/** Whether a 403 is the service's, whose body has an error. A firewall and a web site refuse with a 403, too. */
export const isRefusal = ({ status, body }: ApiError): boolean =>
  status === 403 && isRecord(body) && ('error' in body || 'errors' in body);

/** Whether a body has no content, as some refusals: it does not tell who responded. */
const isEmpty = (body: unknown) => (isRecord(body) ? Object.keys(body).length === 0 : (body ?? '') === '');

/** Whether an error is a response that does not come from the service: its status says nothing about the token. */
export const isForeign = (error: ApiError): boolean =>
  isPage(error) || (error.status === 403 && !isRefusal(error) && !isEmpty(error.body));

/** The status of a response, for a sentence that begins with its host. */
export const answerText = (error: ApiError): string =>
  `answered ${error.status}${isPage(error) ? ' with a page' : ''}`;

/** The likely causes of a response that is not the service's. */
export const ELSEWHERE =
  'the address leads elsewhere: to a wrong path, a web site, or a proxy that asks for a login';
