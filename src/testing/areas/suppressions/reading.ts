import { INVALID, type FieldErrors } from '../../checks/fields.ts';
import { Refusal } from '../../route.ts';
import { emailError } from '../contacts/input.ts';
import type { DomainStore } from '../sending-domains/store.ts';

/** What the two lists of addresses have in common. */
interface Listed {
  readonly email: string;
  readonly createdAt: number;
}

/** Whether an item is one that the query of a list asks for. */
export function wantedBy(query: URLSearchParams): (item: Listed) => boolean {
  const email = query.get('email')?.toLowerCase();
  const time = (name: string) => Date.parse(query.get(name) ?? '');
  const from = time('start_time');
  const to = time('end_time');
  return (item) =>
    (email === undefined || item.email.toLowerCase() === email) &&
    !(item.createdAt < from) &&
    !(item.createdAt > to);
}

/** Refuses with 404, in the form that these lists have, what was not found. */
export function orNotListed<T>(found: T | undefined, what: string): T {
  if (found === undefined)
    throw new Refusal({ status: 404, json: { errors: { base: [`${what} not found`] } } });
  return found;
}

/** The address and the sending domain of a body. Adds what is wrong to `errors`. */
export function readAddress(
  { email, domain_id: domainId }: Readonly<Record<string, unknown>>,
  domains: DomainStore,
  accountId: number,
  errors: FieldErrors,
): { readonly email: string; readonly domainId: number } {
  const wrong = emailError(email);
  if (wrong !== undefined) errors.add('email', wrong === INVALID ? 'format is invalid' : wrong);
  const domain = typeof domainId === 'number' ? domains.anywhere(domainId) : undefined;
  if (domain?.accountId !== accountId) errors.add('domain_id', 'must exist');
  return { email: String(email), domainId: Number(domainId) };
}
