import type { VirtualClock } from '../clock.ts';
import type { CampaignTiming } from './campaigns/timing.ts';
import type { Random } from '../random.ts';

/** What every area is built with. */
export interface Kit {
  readonly clock: VirtualClock;
  readonly random: Random;
  /** The account the emulator's own token belongs to. */
  readonly accountId: number;
  readonly timing: CampaignTiming;
  /** Whether the account may send: part of the sending validation. */
  readonly billing: { withinLimits: boolean };
}
