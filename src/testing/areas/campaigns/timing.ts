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

/** The same options, with their defaults. */
export type CampaignTiming = Readonly<Required<EmulatorCampaignTiming>>;
