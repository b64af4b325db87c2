import type { CampaignScheduleParams, Campaign } from '../models/campaigns.ts';
import type { ApiPromise } from '../core/api-promise.ts';
import { momentOf } from '../core/moment.ts';
import type { RequestOptions, Settlement } from '../core/request.ts';

/** When an action's response was lost and its retry is refused, the campaign's state tells whether the action worked. */
export const settledBy = (
  read: (options: RequestOptions) => ApiPromise<Campaign>,
  worked: (campaign: Campaign) => boolean,
): Settlement<Campaign> => ({
  status: 422,
  resolve: async (options) => {
    const outcome = await read(options).withResponse();
    return worked(outcome.data) ? outcome : undefined;
  },
});

/** Whether the campaign is being sent, or has been; a response that lacks the state settles nothing. */
export const wasStarted = ({ current_state }: Campaign) =>
  typeof current_state === 'string' && !['draft', 'scheduled'].includes(current_state);
/** Whether the campaign is back in draft. */
export const isDraft = ({ current_state }: Campaign) => current_state === 'draft';

/** Whether the campaign is scheduled for that time (the service may round to seconds), or past that state already. */
export const isScheduledAt = (params: CampaignScheduleParams) => (campaign: Campaign) =>
  campaign.current_state === 'scheduled'
    ? Math.abs(momentOf(campaign.current_state_metadata.scheduled_at) - momentOf(params.datetime)) < 1000
    : wasStarted(campaign);

/** Whether the campaign is being terminated, or has ended. */
export const isEnded = ({ current_state }: Campaign) =>
  ['terminating', 'finished', 'failed', 'failed_immediately'].includes(current_state);
