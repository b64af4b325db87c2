import { duration } from '../../checks/kind.ts';
import { option, type Options, type Settings } from '../../option.ts';

/** How sending domains change over time. This is not published; the emulator chooses it. */
export interface EmulatorDomainTiming {
  /**
   * How long after the creation of a domain the last of its DNS records passes, in milliseconds. The others pass one
   * after another until then. With `Infinity`, only `domains.setVerified` verifies a domain.
   * @defaultValue 60_000
   */
  propagateMs?: number;
  /**
   * How long a verified domain is `under_review`, and then `awaiting_questionnaire`, before it is `compliant`: the
   * milliseconds of each.
   * @defaultValue 60_000
   */
  reviewMs?: number;
}

export type DomainSettings = Settings<EmulatorDomainTiming>;

export const domainOptions: Options<EmulatorDomainTiming> = {
  propagateMs: option(duration, 60_000, 'not published; DNS takes as long as it takes'),
  reviewMs: option(duration, 60_000, 'not published'),
};
