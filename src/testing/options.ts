import type { EmulatorAccountOptions } from './areas/accounts/options.ts';
import type { EmulatorCampaignTiming } from './areas/campaigns/timing.ts';
import type { EmulatorDomainTiming } from './areas/domains/timing.ts';
import type { EmulatorLogOptions } from './areas/logs/options.ts';
import type { EmulatorSandboxOptions } from './areas/sandbox/options.ts';
import type { EmulatorSeed } from './areas/seed.ts';
import type { EmulatorSendingOptions } from './areas/sending/options.ts';
import type { EmulatorCors } from './cors.ts';
import type { EmulatorLimits } from './limiter.ts';
import type { EmulatorWindowKind } from './windows.ts';

/** How an emulator is set up. Everything is optional. */
export interface EmulatorOptions {
  /**
   * What it holds to begin with. `demo`: several domains, 240 campaigns in every state, templates, and a week of
   * email logs, always the same. `empty`: one verified and one unverified domain. Both have one test inbox and three
   * people with access to the account. Default `empty`.
   */
  seed?: EmulatorSeed;
  /**
   * Limits by pool in place of the published ones (150 requests in 10 s per token, and the account pools); `false`
   * switches a pool off, or all of them.
   */
  limits?: EmulatorLimits | false;
  /** How a rate-limit window behaves. Default `aligned`, as seen in exchanges recorded against the service. */
  window?: EmulatorWindowKind;
  /**
   * Whether requests to the sending hosts count in the token's pool. Default `true`: the limit is published for all
   * endpoints, although those hosts show it in no header.
   */
  countSending?: boolean;
  /** How long campaigns take to send, and the state in which they do. */
  campaigns?: EmulatorCampaignTiming;
  /** How mail is accepted, and how soon things happen to it. */
  sending?: EmulatorSendingOptions;
  /** How email logs answer. */
  logs?: EmulatorLogOptions;
  /** How long sending domains take to be verified and reviewed. */
  domains?: EmulatorDomainTiming;
  /** Where account endpoints are found. */
  accounts?: EmulatorAccountOptions;
  /** How test inboxes answer. */
  sandbox?: EmulatorSandboxOptions;
  /** What a browser page may read of the answers of `emulator.listen`. */
  cors?: EmulatorCors;
  /**
   * The time source, in milliseconds since the Unix epoch. With a function that always returns the same number the
   * clock stands still but for `clock.advance`. Default: real time.
   */
  now?: () => number;
}
