import { createHash } from 'node:crypto';
import type { PoolName } from '../core/limits.ts';
import { invalid } from '../core/rules.ts';

/**
 * The owner of a pool, an account id or a token, as text. Refuses a token that is a function and has no name: no two
 * processes could know that they have the same.
 */
export function ownerText(owner: unknown, tokenName: string | undefined): string {
  if (typeof owner === 'number') return `account ${owner}`;
  if (typeof owner !== 'function') return `token ${String(owner)}`;
  if (tokenName !== undefined) return `name ${tokenName}`;
  throw invalid('tokenName', 'is needed by redisThrottle for a client whose token is a function');
}

/** What a pool is called in Redis, in every process. It shows neither the token nor the account. */
export function poolKey(prefix: string, name: PoolName, owner: string): string {
  const hash = createHash('sha256').update(`email-platform ${owner}`).digest('hex').slice(0, 32);
  return `${prefix}:${hash}:${name}`;
}
