import { BLANK, type FieldErrors, flag, INVALID } from '../../checks/fields.ts';
import type { ContactRecord, ContactStore, WrittenContact } from './store.ts';

/** What is wrong with a text as an email address; `undefined` if nothing is. */
export function emailError(email: unknown): string | undefined {
  if (email === undefined || email === null || email === '') return BLANK;
  return typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email) ? undefined : INVALID;
}

/** Returns the attributes of a new contact, or of an existing one after an update. Adds what is wrong to `errors`. */
export function readContact(
  given: Readonly<Record<string, unknown>>,
  current: ContactRecord | undefined,
  store: ContactStore,
  accountId: number,
  errors: FieldErrors,
): WrittenContact {
  const email = given.email ?? current?.email;
  const wrong = emailError(email);
  if (wrong !== undefined) errors.add('email', wrong);
  const address = typeof email === 'string' ? email : '';
  const taken = store.withIdOrEmail(accountId, address);
  if (taken !== undefined && taken !== current && taken.email.toLowerCase() === address.toLowerCase()) {
    errors.add('email', 'has already been taken');
  }
  const ids = (name: string): readonly number[] => {
    const value = given[name] ?? [];
    if (!Array.isArray(value) || !value.every((id) => Number.isSafeInteger(id))) errors.add(name, INVALID);
    else if (!value.every((id: number) => store.lists.find(accountId, id))) errors.add(name, 'must exist');
    else return value as number[];
    return [];
  };
  const excluded = ids('list_ids_excluded');
  const listIds = [...(current?.listIds ?? []), ...ids('list_ids'), ...ids('list_ids_included')];
  const out = flag(given.unsubscribed, current?.status === 'unsubscribed', 'unsubscribed', errors);
  const fields = given.fields ?? {};
  if (!isValues(fields)) errors.add('fields', INVALID);
  return {
    email: address,
    fields: { ...current?.fields, ...(isValues(fields) ? fields : {}) },
    listIds: [...new Set(listIds)].filter((id) => !excluded.includes(id)),
    status: out ? 'unsubscribed' : 'subscribed',
  };
}

/** Whether a value is an object of scalars. */
export function isValues(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => one === null || typeof one !== 'object');
}
