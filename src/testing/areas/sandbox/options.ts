import type { EmulatorLimit } from '../../limiter.ts';

/** How the sandbox behaves where nothing published says how. */
export interface EmulatorSandboxOptions {
  /** Requests each test inbox takes, as a plan may limit them; more get 429. Default: as many as there are. */
  limit?: EmulatorLimit;
}
