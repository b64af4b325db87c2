import type { Fault } from '../records/checked-mail.ts';

/** The fault of a mail that cannot be read, and so has no other check. */
export const unreadable = (reason: string): Fault => ({
  level: 'error',
  message: `cannot be read: ${reason}`,
});
