import { sendingRefusal } from '../../route.ts';
import { isObject } from './parts.ts';

const maxRequests = 500;
const recipients = ['to', 'cc', 'bcc'];

/** The mails of a batch, each with what all of them share. Refuses the whole call when they cannot be told apart. */
export function mailsOf(body: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const { base = {}, requests } = body;
  const refuse = (message: string) => sendingRefusal(400, message);
  if (!Array.isArray(requests) || requests.length === 0) throw refuse("'requests' must be a non-empty array");
  if (requests.length > maxRequests) throw refuse(`'requests' must not exceed ${maxRequests} emails`);
  if (base !== null && !isObject(base)) throw refuse("'base' must be an object");
  const shared = base ?? {};
  for (const name of recipients) {
    if (Object.hasOwn(shared, name)) throw refuse(`'base' must not have '${name}'`);
  }
  return requests.map((request: unknown) => {
    if (!isObject(request)) throw refuse("'requests' must hold objects");
    return { ...shared, ...request };
  });
}
