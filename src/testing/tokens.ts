import { hmac } from './hmac.ts';

/** A part of the service that a token can have access to. */
export type EmulatorArea =
  | 'campaigns'
  | 'emailLogs'
  | 'sending'
  | 'templates'
  | 'domains'
  | 'account'
  | 'contacts'
  | 'suppressions'
  | 'stats'
  | 'sandbox';

/** What a token may do in an area: `viewer` can read, `admin` can also make changes. */
export type EmulatorAccess = 'none' | 'viewer' | 'admin';

/** The options of a new token. */
export interface EmulatorTokenOptions {
  /** The access by area. It is `admin` for every area that is left out. */
  permissions?: Partial<Record<EmulatorArea, EmulatorAccess>>;
  /** The ids of the sending domains that the token has access to. By default, every domain of the account. */
  domains?: readonly number[];
  /**
   * The account that the token belongs to; one that is new comes with a verified and an unverified domain. By default,
   * the account of {@link Emulator.clientOptions}.
   */
  accountId?: number;
}

/** A token as the emulator keeps it. */
export interface TokenRecord {
  readonly secret: string;
  readonly accountId: number;
  readonly permissions: Readonly<Partial<Record<EmulatorArea, EmulatorAccess>>>;
  readonly domains: readonly number[] | undefined;
}

/** Stands for whoever makes a request that needs no token. */
export const NOBODY: TokenRecord = { secret: '', accountId: 0, permissions: {}, domains: undefined };

const RANKS: Readonly<Record<EmulatorAccess, number>> = { none: 0, viewer: 1, admin: 2 };

/** Whether a token has at least this access to an area. */
export function allows(token: TokenRecord, area: EmulatorArea, needed: EmulatorAccess): boolean {
  return RANKS[token.permissions[area] ?? 'admin'] >= RANKS[needed];
}

/** The characters of a bearer token, except `~`, which a shell would replace. */
export function isToken(text: string): boolean {
  return /^[\w.+/=-]+$/.test(text);
}

/** All tokens. The others are derived from the first: they are the same in every run, but only for those who know it. */
export class Tokens {
  readonly first: string;
  readonly #bySecret = new Map<string, TokenRecord>();

  constructor(first: string, ownAccountId: number) {
    this.first = first;
    this.#add(first, {}, ownAccountId);
  }

  create(options: EmulatorTokenOptions, ownAccountId: number): string {
    const secret = hmac(this.first, `token ${this.#bySecret.size}`).slice(0, 32);
    this.#add(secret, options, ownAccountId);
    return secret;
  }

  #add(secret: string, options: EmulatorTokenOptions, ownAccountId: number): void {
    const { permissions = {}, domains, accountId = ownAccountId } = options;
    this.#bySecret.set(secret, {
      secret,
      accountId,
      permissions: { ...permissions },
      domains: domains === undefined ? undefined : [...domains],
    });
  }

  find(secret: string): TokenRecord | undefined {
    return this.#bySecret.get(secret);
  }
}

/** The token of a request, in either of the two published headers; empty if there is none. */
export function presentedToken(headers: Headers): string {
  const apiToken = headers.get('api-token');
  if (apiToken !== null) return apiToken.trim();
  const bearer = /^bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '');
  return bearer?.[1]?.trim() ?? '';
}
