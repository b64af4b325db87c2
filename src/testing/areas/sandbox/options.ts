import type { EmulatorLimit } from '../../limiter.ts';

/** The behavior of test inboxes where it is not published. */
export interface EmulatorSandboxOptions {
  /** How many requests each test inbox accepts, as a plan may limit them. More get a 429. By default, there is no limit. */
  limit?: EmulatorLimit;
}
