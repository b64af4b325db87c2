/** How campaigns move by themselves: not published, so it is ours to say. */
export interface EmulatorCampaignTiming {
  /** How long a campaign takes from `started` to `finished`, in milliseconds. Default 60 000. */
  sendMs?: number;
  /** How long a campaign takes from `terminating` to `finished`, in milliseconds. Default 5000. */
  terminateMs?: number;
  /** The state a campaign enters when it starts to send. Default `started`. */
  startedState?: 'started' | 'queued';
}

/** The same, with its defaults. */
export type CampaignTiming = Readonly<Required<EmulatorCampaignTiming>>;
