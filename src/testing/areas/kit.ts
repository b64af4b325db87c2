import type { Answers } from '../answers.ts';
import type { VirtualClock } from '../clock.ts';
import type { CampaignTiming } from './campaigns/timing.ts';
import type { Random } from '../random.ts';
import type { Tokens } from '../tokens.ts';

/** What areas are built with. */
export interface Kit {
  readonly clock: VirtualClock;
  readonly random: Random;
  /** The account that the emulator's own token belongs to. */
  readonly accountId: number;
  /** The organization that it belongs to. */
  readonly organizationId: number;
  /** The emulator's own token, which only those who may read its emails know. */
  readonly secret: string;
  readonly tokens: Tokens;
  readonly answers: Answers;
  readonly timing: CampaignTiming;
  /** Whether billing allows campaigns to be sent. The sending validation checks it. */
  readonly billing: { withinLimits: boolean };
}
