import { duration, oneOf } from '../../checks/kind.ts';
import { option, type Options, type Settings } from '../../option.ts';

/** How campaigns change over time. This is not published; the emulator chooses it. */
export interface EmulatorCampaignTiming {
  /**
   * How long a campaign takes from `started` to `finished`, in milliseconds.
   * @defaultValue 60_000
   */
  sendMs?: number;
  /**
   * How long a campaign takes from `terminating` to `finished`, in milliseconds.
   * @defaultValue 5000
   */
  terminateMs?: number;
  /**
   * The state of a campaign when sending begins.
   * @defaultValue 'started'
   */
  startedState?: 'started' | 'queued';
}

export type CampaignSettings = Settings<EmulatorCampaignTiming>;

export const campaignOptions: Options<EmulatorCampaignTiming> = {
  sendMs: option(duration, 60_000, 'not published; long enough to be seen, short enough to be waited for'),
  terminateMs: option(duration, 5000, 'not published'),
  startedState: option(
    oneOf(['started', 'queued']),
    'started',
    'what published clients of the service expect',
  ),
};
