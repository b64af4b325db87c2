import type { JournalClaim } from 'email-platform/journal';

/** A claim of a key, in the namespace that a journal has by default. */
export const claimOf = (key: string, attempt = 'one', more: Partial<JournalClaim> = {}): JournalClaim => ({
  namespace: 'default',
  key,
  hash: '1:hash',
  stream: 'transactional',
  attempt,
  leaseMs: 60_000,
  ...more,
});
