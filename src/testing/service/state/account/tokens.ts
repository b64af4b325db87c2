import type { RequestHeaders } from '../../wire/engine-request.ts';
import { hmac } from '../../../encoding/hashes.ts';
import type { State } from '../base/state.ts';

/** A part of the service that a token can have access to. */
export type EmulatorArea =
  | 'campaigns'
  | 'emailLogs'
  | 'sending'
  | 'templates'
  | 'domains'
  | 'account'
  | 'billing'
  | 'contacts'
  | 'suppressions'
  | 'stats'
  | 'webhooks'
  | 'inbound'
  | 'sandbox';

/** The access of a token to an area: `viewer` can read, `admin` can also make changes. */
export type EmulatorAccess = 'none' | 'viewer' | 'admin';

/** The options of a new token. */
export interface EmulatorTokenOptions {
  /** The access by area. It is `admin` for every area that is left out. */
  permissions?: Partial<Record<EmulatorArea, EmulatorAccess>>;
  /** The ids of the sending domains that the token has access to. By default, every domain of the account. */
  domains?: readonly number[];
  /**
   * The account that the token belongs to. A new account gets a verified and an unverified domain. By default, the account
   * of {@link Emulator.clientOptions}.
   */
  accountId?: number;
}

/** A resource that an API token has access to, with the field names of the paths without an account. */
export interface TokenResource {
  readonly resource_type: string;
  readonly resource_id: number;
  readonly access_level: 100 | 10;
}

/** A token in the emulator's state. */
export interface TokenRecord {
  readonly id: number;
  readonly secret: string;
  readonly accountId: number;
  readonly name: string;
  readonly createdBy: string;
  /** The time of expiry, in milliseconds; `null` for never. */
  readonly expiresAt: number | null;
  readonly resources: readonly TokenResource[];
  readonly permissions: Readonly<Partial<Record<EmulatorArea, EmulatorAccess>>>;
  /** The access to the areas that are not in `permissions`. */
  readonly otherwise: EmulatorAccess;
  /** The sending domains that the token has access to; `undefined` for all. */
  readonly domains: readonly number[] | undefined;
  /** The domains of these that the token may change, and send from; `undefined` for all. */
  readonly ownDomains: readonly number[] | undefined;
}

/** The caller of a request with a signed URL, which needs no token. */
export const NOBODY: TokenRecord = {
  id: 0,
  secret: '',
  accountId: 0,
  name: '',
  createdBy: '',
  expiresAt: null,
  resources: [],
  permissions: {},
  otherwise: 'admin',
  domains: undefined,
  ownDomains: undefined,
};

const RANKS: Readonly<Record<EmulatorAccess, number>> = { none: 0, viewer: 1, admin: 2 };

/** Whether a token has at least this access to an area. */
export function allows(token: TokenRecord, area: EmulatorArea, needed: EmulatorAccess): boolean {
  return RANKS[token.permissions[area] ?? token.otherwise] >= RANKS[needed];
}

/** Whether a token may read the data of a sending domain. */
export function reachesDomain({ domains }: TokenRecord, id: number): boolean {
  return domains?.includes(id) ?? true;
}

/** Whether a token may change a sending domain, and send from it. */
export function ownsDomain(token: TokenRecord, id: number): boolean {
  return reachesDomain(token, id) && (token.ownDomains?.includes(id) ?? true);
}

/** Whether a text has only characters of a bearer token, without `~`, which a shell would expand. */
export function isToken(text: string): boolean {
  return /^[\w.+/=-]+$/.test(text);
}

/** The fields of a new token. */
type NewToken = Omit<TokenRecord, 'id' | 'secret'>;

const FIRST_ID = 7001;

/** All tokens. The later ones are HMACs with the first one as key, so each run has the same, secret tokens. */
export class Tokens {
  readonly #state: { readonly first: string; nextId: number; readonly bySecret: Map<string, TokenRecord> };

  constructor(first: string, ownAccountId: number, state: State) {
    this.#state = state.part('tokens', { first, nextId: FIRST_ID, bySecret: new Map<string, TokenRecord>() });
    if (this.#state.nextId === FIRST_ID) this.#add(first, withOptions({}, ownAccountId));
  }

  get first(): string {
    return this.#state.first;
  }

  /** The values of all tokens. */
  get secrets(): Iterable<string> {
    return this.#state.bySecret.keys();
  }

  /** Creates a token without a request. */
  create(options: EmulatorTokenOptions, ownAccountId: number): string {
    return this.add(withOptions(options, ownAccountId)).secret;
  }

  add(token: NewToken): TokenRecord {
    return this.#add(hmac(this.#state.first, `token ${this.#state.nextId}`).slice(0, 32), token);
  }

  #add(secret: string, token: NewToken): TokenRecord {
    const record = { ...token, id: this.#state.nextId, secret };
    this.#state.nextId += 1;
    this.#state.bySecret.set(secret, record);
    return record;
  }

  /** The token with this value, unless it has expired. */
  find(secret: string, now: number): TokenRecord | undefined {
    const token = this.#state.bySecret.get(secret);
    return token !== undefined && isValid(token, now) ? token : undefined;
  }

  /** The account's tokens, oldest first, without the expired ones. */
  list(accountId: number, now: number): TokenRecord[] {
    return [...this.#state.bySecret.values()].filter(
      (token) => token.accountId === accountId && isValid(token, now),
    );
  }

  /** Stores a token that has changed. */
  put(token: TokenRecord): void {
    this.#state.bySecret.set(token.secret, token);
  }

  remove({ secret }: TokenRecord): void {
    this.#state.bySecret.delete(secret);
  }
}

const isValid = ({ expiresAt }: TokenRecord, now: number) => expiresAt === null || now < expiresAt;

/** The token for the options of `createToken`. Permissions by area are not among its resources, which have no areas. */
function withOptions(options: EmulatorTokenOptions, ownAccountId: number): NewToken {
  const { permissions = {}, domains, accountId = ownAccountId } = options;
  const granted = domains?.map((id) => ({ resource_type: 'domain', resource_id: id })) ?? [
    { resource_type: 'account', resource_id: accountId },
  ];
  return {
    name: 'Emulator',
    createdBy: 'System',
    accountId,
    expiresAt: null,
    resources: granted.map((resource) => ({ ...resource, access_level: 100 })),
    permissions: { ...permissions },
    otherwise: 'admin',
    domains: domains === undefined ? undefined : [...domains],
    ownDomains: undefined,
  };
}

/** The token of a request, from one of the two published headers; empty if there is none. */
export function presentedToken(headers: RequestHeaders): string {
  const apiToken = headers.get('api-token');
  if (apiToken !== null) return apiToken.trim();
  const bearer = /^bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '');
  return bearer?.[1]?.trim() ?? '';
}
