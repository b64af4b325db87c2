import type { EmulatorCampaignState } from '../../state/delivery/campaigns.ts';

/** The fields of a campaign for {@link Emulator.Campaigns.add}: the service's fields, and the initial state. */
export interface EmulatorCampaignFields {
  /** The service's writable fields. Fields that are left out get values that make the campaign ready to send. */
  [field: string]: unknown;
  /** Fields of the template, with defaults of the same kind. */
  template_attributes?: Record<string, unknown>;
  /**
   * The initial state.
   * @defaultValue 'draft'
   */
  state?: EmulatorCampaignState;
  /** The `current_state_metadata` of that state. */
  metadata?: Record<string, unknown>;
}

/** Changes campaigns without a request. */
export interface EmulatorCampaigns {
  /**
   * Adds a campaign that is ready to send, unless its fields say otherwise.
   *
   * @returns The id of the campaign.
   * @throws `TypeError` for an unknown field, `RangeError` for a value that the service would refuse.
   */
  add(fields?: EmulatorCampaignFields): number;
  /**
   * Puts a campaign into any state, even one that no request leads to. The campaign stays in that state until an action
   * changes it: the clock only moves campaigns that an action started or scheduled.
   *
   * @throws `RangeError` if there is no such campaign or no such state.
   */
  setState(id: number, state: EmulatorCampaignState, metadata?: Record<string, unknown>): void;
  /**
   * Returns the current state of a campaign.
   *
   * @throws `RangeError` if there is no such campaign.
   */
  stateOf(id: number): EmulatorCampaignState;
}
