import { sendingRefusal } from '../../route.ts';
import { fits, plainObject } from '../../checks/kind.ts';

const MAX_REQUESTS = 500;
const RECIPIENT_FIELDS = ['to', 'cc', 'bcc'];

/** Returns the emails of a batch, each combined with `base`. Refuses the whole call if its structure is invalid. */
export function mailsOf(body: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const { base = {}, requests } = body;
  const refuse = (message: string) => sendingRefusal(400, message);
  if (!Array.isArray(requests) || requests.length === 0) throw refuse("'requests' must be a non-empty array");
  if (requests.length > MAX_REQUESTS) throw refuse(`'requests' must not exceed ${MAX_REQUESTS} emails`);
  if (base !== null && !fits(plainObject, base)) throw refuse("'base' must be an object");
  const shared = base ?? {};
  for (const name of RECIPIENT_FIELDS) {
    if (Object.hasOwn(shared, name)) throw refuse(`'base' must not have '${name}'`);
  }
  return requests.map((request: unknown) => {
    if (!fits(plainObject, request)) throw refuse("'requests' must hold objects");
    return { ...shared, ...request };
  });
}
