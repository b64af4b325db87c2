import { createHash } from 'node:crypto';
import type { PoolName } from '../core/limits.ts';
import { invalid } from '../core/rules.ts';
import type { ThrottleKey } from '../throttle/permit.ts';

/** Stands for every token that is a function: all of them have the one name, and so are one token. */
const NAMED = Symbol('tokenName');

/**
 * The key by which a process keeps its pools. Refuses a token that is a function and has no name: no two processes
 * could know that they have the same.
 */
export function namedKey({ token, accountId }: ThrottleKey, tokenName: string | undefined): ThrottleKey {
  if (typeof token !== 'function') return { token, accountId };
  if (tokenName !== undefined) return { token: NAMED, accountId };
  throw invalid('tokenName', 'is needed by redisThrottle for a client whose token is a function');
}

/** What a pool is called in Redis, in every process. Whoever reads it learns neither token nor account. */
export function poolKey(
  prefix: string,
  name: PoolName,
  { token, accountId }: ThrottleKey,
  tokenName: string | undefined,
): string {
  const isAccount = name !== 'token' && accountId !== undefined;
  const ofToken = token === NAMED ? `name ${tokenName ?? ''}` : `token ${String(token)}`;
  const owner = isAccount ? `account ${accountId}` : ofToken;
  const hash = createHash('sha256').update(`email-platform ${owner}`).digest('hex').slice(0, 32);
  return `${prefix}:${hash}:${name}`;
}
