import { portOf, type ClientPort } from '../../client/port.ts';
import { isolatedIfPlain } from '../../core/isolated.ts';
import { invalid } from '../../core/rules.ts';
import type { Authorization, ProxyClient, ProxyOptions, Visitor } from './options.ts';
import { emptyResponse } from './responses.ts';
import type { Match } from './routes.ts';
import type { Visit } from './visit.ts';

/** A visitor that `authorize` allowed. */
export interface Admitted extends Visitor {
  /** The client for the visitor's calls. */
  readonly own: ProxyClient;
  readonly sender: ClientPort;
}

/** The visitor to allow, or a response that refuses the request. */
export async function visitorOf(
  { request, refused, failed }: Visit,
  { route, params, accountId: asked }: Match,
  { authorize, client }: Pick<ProxyOptions, 'authorize' | 'client'>,
): Promise<Response | Admitted> {
  const { operation, host, hasAccount } = route;
  let visit: Authorization;
  try {
    visit = await authorize(request, operation, { host, params });
  } catch (error) {
    // The error may quote a response of another service, so the page gets an empty response.
    return failed(error, emptyResponse(500));
  }
  if (visit instanceof Response) return visit;
  if (typeof visit !== 'object' || visit === null) return refused('visitor');
  // Without fields of `Object.prototype`: they could give a visitor another account.
  const { visitor, accountId, client: own = client } = isolatedIfPlain(visit);
  const sender = portOf(own);
  const isAccount = accountId === undefined || (Number.isSafeInteger(accountId) && accountId > 0);
  if (!sender || typeof visitor !== 'string' || !isAccount)
    throw invalid('authorize', 'must return { visitor, accountId?, client? }');
  const isOther = asked !== undefined && asked !== (accountId ?? sender.accountId);
  if (isOther || (accountId !== undefined && !hasAccount)) return refused('account');
  return { visitor, accountId, sender, own };
}
