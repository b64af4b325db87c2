import type { Random } from './random.ts';

/** A part of the service a token can be given access to. */
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

/** How much a token may do in an area: `viewer` reads, `admin` changes as well. */
export type EmulatorAccess = 'none' | 'viewer' | 'admin';

/** What a new token may do. */
export interface EmulatorTokenOptions {
  /** Access by area. An area that is not named here has `admin`. */
  permissions?: Partial<Record<EmulatorArea, EmulatorAccess>>;
  /** Ids of the sending domains the token can reach. Every domain of its account when left out. */
  domains?: readonly number[];
  /** The account the token belongs to. The emulator's own when left out. */
  accountId?: number;
}

/** A token as the emulator keeps it. */
export interface TokenRecord {
  readonly secret: string;
  readonly accountId: number;
  readonly permissions: Readonly<Partial<Record<EmulatorArea, EmulatorAccess>>>;
  readonly domains: readonly number[] | undefined;
}

const rank: Readonly<Record<EmulatorAccess, number>> = { none: 0, viewer: 1, admin: 2 };

/** Whether a token has at least this access to an area. */
export function allows(token: TokenRecord, area: EmulatorArea, needed: EmulatorAccess): boolean {
  return rank[token.permissions[area] ?? 'admin'] >= rank[needed];
}

/** Every token there is. */
export class Tokens {
  readonly #random: Random;
  readonly #bySecret = new Map<string, TokenRecord>();

  constructor(random: Random) {
    this.#random = random;
  }

  create(options: EmulatorTokenOptions, ownAccountId: number): string {
    const { permissions = {}, domains, accountId = ownAccountId } = options;
    const secret = this.#random.hex(32);
    this.#bySecret.set(secret, {
      secret,
      accountId,
      permissions: { ...permissions },
      domains: domains === undefined ? undefined : [...domains],
    });
    return secret;
  }

  find(secret: string): TokenRecord | undefined {
    return this.#bySecret.get(secret);
  }
}

/** The token a request carries, in either of the two published forms; empty when it carries none. */
export function presentedToken(headers: Headers): string {
  const apiToken = headers.get('api-token');
  if (apiToken !== null) return apiToken.trim();
  const bearer = /^bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '');
  return bearer?.[1]?.trim() ?? '';
}
