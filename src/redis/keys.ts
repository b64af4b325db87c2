import { createHash } from 'node:crypto';
import type { PoolName } from '../core/limits.ts';
import { invalid } from '../core/rules.ts';

/**
 * The owner of a pool, an account id or a token, as text. Refuses a token function without a name: processes could not
 * know that they use the same token.
 */
export function ownerText(owner: unknown, tokenName: string | undefined): string {
  if (typeof owner === 'number') return `account ${owner}`;
  if (typeof owner !== 'function') return `token ${String(owner)}`;
  if (tokenName !== undefined) return `name ${tokenName}`;
  throw invalid('tokenName', 'is needed by redisThrottle for a client whose token is a function');
}

/** The name of a pool in Redis, the same in every process. It shows neither the token nor the account. */
export function poolKey(prefix: string, name: PoolName, owner: string): string {
  const hash = createHash('sha256').update(`email-platform ${owner}`).digest('hex').slice(0, 32);
  return `${prefix}:${hash}:${name}`;
}
