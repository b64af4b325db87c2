// After a lost response and a refused retry, the campaign's state shows whether the action succeeded.
import type { CampaignScheduleParams, Campaign } from './types.ts';
import { momentOf } from '../../core/moment.ts';

/** Whether the campaign is being sent, or has been sent; false for a response without the state. */
export const wasStarted = ({ current_state }: Campaign) =>
  typeof current_state === 'string' && !['draft', 'scheduled'].includes(current_state);
/** Whether the campaign is back in draft. */
export const isDraft = ({ current_state }: Campaign) => current_state === 'draft';

/** Whether the campaign is scheduled for that time (the service may round to seconds), or is in a later state. */
export const isScheduledAt = (campaign: Campaign, params: CampaignScheduleParams) =>
  campaign.current_state === 'scheduled'
    ? Math.abs(momentOf(campaign.current_state_metadata.scheduled_at) - momentOf(params.datetime)) < 1000
    : wasStarted(campaign);

/** Whether the campaign is being terminated, or has ended. */
export const isEnded = ({ current_state }: Campaign) =>
  ['terminating', 'finished', 'failed', 'failed_immediately'].includes(current_state);
