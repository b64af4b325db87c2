import type { Random } from '../../random.ts';
import { created, ok, Refusal, type Area } from '../../route.ts';
import type { DomainStore } from '../domains/store.ts';
import { FieldErrors } from '../field-errors.ts';
import { pageAfter, readAddress, wantedBy } from './reading.ts';

/** An address whose opens and clicks are not tracked. */
export interface OptOutRecord {
  readonly id: string;
  readonly accountId: number;
  readonly email: string;
  readonly domainId: number;
  readonly createdAt: number;
}

const keyOf = (email: string, domainId: number) => `${domainId} ${email.toLowerCase()}`;

/** All tracking opt-outs. */
export class OptOutStore {
  readonly #byId = new Map<string, OptOutRecord>();
  readonly #counts = new Map<string, number>();

  add(optOut: OptOutRecord): OptOutRecord {
    this.#byId.set(optOut.id, optOut);
    this.#count(optOut, 1);
    return optOut;
  }

  /** The account's opt-outs, newest first. */
  list(accountId: number): OptOutRecord[] {
    return [...this.#byId.values()].filter((one) => one.accountId === accountId).reverse();
  }

  /** Removes an opt-out and returns it. */
  remove(accountId: number, id: string): OptOutRecord | undefined {
    const found = this.#byId.get(id.toLowerCase());
    if (found?.accountId !== accountId) return undefined;
    this.#byId.delete(found.id);
    this.#count(found, -1);
    return found;
  }

  /** Whether email to an address is not tracked. */
  has(email: string, domainId: number): boolean {
    return (this.#counts.get(keyOf(email, domainId)) ?? 0) > 0;
  }

  #count({ email, domainId }: OptOutRecord, by: number): void {
    const key = keyOf(email, domainId);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
  }
}

/** Tracking opt-outs. They are published in one form only, and count in no pool of the account. */
export function createOptOuts(
  store: OptOutStore,
  domains: DomainStore,
  random: Random,
  pageSize: number,
): Area {
  const path = '/api/tracking_opt_outs';
  const view = ({ id, email, domainId, createdAt }: OptOutRecord) => ({
    id,
    email,
    created_at: new Date(createdAt).toISOString(),
    domain_name: domains.get(domainId)?.name ?? '',
  });
  return {
    routes: [
      {
        method: 'GET',
        path,
        permission: ['suppressions', 'viewer'],
        handler: ({ token, query }) => {
          const { items, next } = pageAfter(
            store.list(token.accountId).filter(wantedBy(query)),
            query,
            pageSize,
          );
          return ok({ data: items.map(view), last_id: next });
        },
      },
      {
        method: 'POST',
        path,
        permission: ['suppressions', 'admin'],
        handler: ({ body, token, now }) => {
          const errors = new FieldErrors();
          const address = readAddress(body(), domains, token.accountId, errors);
          errors.throwIfAny();
          const { accountId } = token;
          return created({
            data: view(store.add({ id: random.uuid(), accountId, createdAt: now, ...address })),
          });
        },
      },
      {
        method: 'DELETE',
        path: `${path}/:id`,
        permission: ['suppressions', 'admin'],
        handler: ({ params, token }) => {
          const removed = store.remove(token.accountId, params.id ?? '');
          if (removed === undefined) throw new Refusal({ status: 404, json: { errors: 'Not found' } });
          return ok(view(removed));
        },
      },
    ],
  };
}
