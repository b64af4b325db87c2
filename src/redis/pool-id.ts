import { createHash } from 'node:crypto';
import { ConfigurationError } from '../core/errors.ts';
import type { PoolName, ThrottleKey } from '../core/throttle.ts';

/**
 * What a pool is called in Redis: the same in every process with the same token or account. Whoever reads the keys
 * learns neither.
 */
export function poolId(
  prefix: string,
  name: PoolName,
  { token, accountId }: ThrottleKey,
  tokenName: string | undefined,
): string {
  const owner =
    name !== 'token' && accountId !== undefined
      ? `account ${accountId}`
      : `token ${typeof token === 'string' ? `text ${token}` : `name ${tokenName ?? ''}`}`;
  const hash = createHash('sha256').update(`email-platform ${owner}`).digest('hex').slice(0, 32);
  return `${prefix}:${hash}:${name}`;
}

/** Stands for every token that is a function: all of them have the one name, and so are one token. */
const NAMED = Symbol('tokenName');

/** The key by which a throttle keeps its pools. Each call may come with another function; what counts is the name. */
export function namedKey(key: ThrottleKey): ThrottleKey {
  return typeof key.token === 'function' ? { token: NAMED, accountId: key.accountId } : key;
}

/** Refuses a token that is a function and has no name: no two processes could know that they have the same. */
export function checkToken({ token }: ThrottleKey, tokenName: string | undefined): void {
  if (typeof token !== 'function' || tokenName !== undefined) return;
  throw new ConfigurationError(
    'tokenName is needed by redisThrottle for a client whose token is a function',
    { option: 'tokenName' },
  );
}
