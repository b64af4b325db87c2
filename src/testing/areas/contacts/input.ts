import { BLANK, FieldErrors, flag, INVALID } from '../field-errors.ts';
import type { ContactRecord, ContactStore } from './store.ts';

type Written = Pick<ContactRecord, 'email' | 'fields' | 'listIds' | 'status'>;

/** Returns the attributes of a new contact, or of an existing one after an update. Refuses with a map of messages. */
export function writeContact(
  given: Readonly<Record<string, unknown>>,
  current: ContactRecord | undefined,
  store: ContactStore,
  accountId: number,
): Written {
  const errors = new FieldErrors();
  const email = emailOf(given.email, current, errors);
  const taken = store.find(accountId, email);
  if (taken !== undefined && taken !== current) errors.add('email', 'has already been taken');
  const ids = (name: string): readonly number[] => {
    const value = given[name] ?? [];
    if (Array.isArray(value) && value.every((id) => Number.isSafeInteger(id))) return value as number[];
    errors.add(name, INVALID);
    return [];
  };
  const excluded = ids('list_ids_excluded');
  const listIds = [...(current?.listIds ?? []), ...ids('list_ids'), ...ids('list_ids_included')];
  const out = flag(given.unsubscribed, current?.status === 'unsubscribed', 'unsubscribed', errors);
  const fields = given.fields ?? {};
  if (typeof fields !== 'object' || Array.isArray(fields)) errors.add('fields', INVALID);
  errors.throwIfAny();
  return {
    email,
    fields: { ...current?.fields, ...(fields as Record<string, unknown>) },
    listIds: [...new Set(listIds)].filter((id) => !excluded.includes(id)),
    status: out ? 'unsubscribed' : 'subscribed',
  };
}

function emailOf(given: unknown, current: ContactRecord | undefined, errors: FieldErrors): string {
  const email = given ?? current?.email ?? '';
  if (email === '') errors.add('email', BLANK);
  else if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email)) errors.add('email', INVALID);
  return typeof email === 'string' ? email : '';
}
