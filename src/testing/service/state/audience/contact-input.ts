import { BLANK, type FieldErrors, INVALID, objectFrom, withoutNulls } from '../../wire/fields.ts';
import { arrayOf, emailAddress, fits, flag, integer, mapOf, scalar } from '../../../declare/kind.ts';
import type { ContactRecord, ContactStore, WrittenContact } from './contacts.ts';

/** The properties that all endpoints under `/contacts` share. */
export const CONTACTS = { area: 'contacts', pool: 'contacts' } as const;

/** The field values of a contact or an event. */
export const values = mapOf(scalar);

const ids = arrayOf('ids', integer);

/** The error in an email address; `undefined` if it is valid. */
export function emailError(email: unknown): string | undefined {
  if (email === undefined || email === null || email === '') return BLANK;
  return fits(emailAddress, email) ? undefined : INVALID;
}

/** Returns the attributes of a new contact, or of an existing one after an update. Adds the problems to `errors`. */
export function readContact(
  input: Readonly<Record<string, unknown>>,
  current: ContactRecord | undefined,
  store: ContactStore,
  accountId: number,
  errors: FieldErrors,
): WrittenContact {
  const email = input.email ?? current?.email;
  const wrong = emailError(email);
  if (wrong !== undefined) errors.add('email', wrong);
  const address = typeof email === 'string' ? email : '';
  const taken = store.withIdOrEmail(accountId, address);
  if (taken !== undefined && taken !== current && taken.email.toLowerCase() === address.toLowerCase()) {
    errors.add('email', 'has already been taken');
  }
  const listsIn = (name: string): readonly number[] => {
    const listIds = errors.read(ids, withoutNulls(input[name] ?? undefined), [], name);
    if (listIds.every((id) => store.lists.find(accountId, id))) return listIds;
    errors.add(name, 'must exist');
    return [];
  };
  const excluded = listsIn('list_ids_excluded');
  const listIds = [...(current?.listIds ?? []), ...listsIn('list_ids'), ...listsIn('list_ids_included')];
  const out = errors.read(flag, input.unsubscribed, current?.status === 'unsubscribed', 'unsubscribed');
  const fields = errors.read(values, objectFrom(input.fields ?? undefined), {}, 'fields');
  return {
    email: address,
    fields: { ...current?.fields, ...fields },
    listIds: [...new Set(listIds)].filter((id) => !excluded.includes(id)),
    status: out ? 'unsubscribed' : 'subscribed',
  };
}
