import type { DomainStore } from '../domains/store.ts';
import { emailError } from '../contacts/input.ts';
import type { FieldErrors } from '../field-errors.ts';

/** What the two lists of addresses have in common. */
interface Listed {
  readonly id: string;
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

/**
 * The page after the item that `last_id` names, and the cursor of the next one. A cursor that names none is ignored, as
 * recorded elsewhere: the list begins again.
 */
export function pageAfter<T extends { readonly id: string }>(
  all: readonly T[],
  query: URLSearchParams,
  size: number,
): { readonly items: readonly T[]; readonly next: string | null } {
  const from = all.findIndex(({ id }) => id === query.get('last_id')) + 1;
  const items = all.slice(from, from + size);
  return { items, next: from + size < all.length ? (items.at(-1)?.id ?? null) : null };
}

/** The address and the sending domain of a body. Adds what is wrong to `errors`. */
export function readAddress(
  { email, domain_id: domainId }: Readonly<Record<string, unknown>>,
  domains: DomainStore,
  accountId: number,
  errors: FieldErrors,
): { readonly email: string; readonly domainId: number } {
  const wrong = emailError(email);
  if (wrong !== undefined) errors.add('email', wrong);
  const domain = typeof domainId === 'number' ? domains.get(domainId) : undefined;
  if (domain?.accountId !== accountId) errors.add('domain_id', 'must exist');
  return { email: String(email), domainId: Number(domainId) };
}
