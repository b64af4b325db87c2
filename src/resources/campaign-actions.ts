import type { RequestSpec, Settlement } from '../core/request.ts';
import { campaignScheduleIssues } from '../models/campaigns-checks.ts';
import type { Campaign, CampaignScheduleParams } from '../models/campaigns.ts';
import { momentOf } from '../models/moment.ts';
import { byId } from './by-id.ts';
import { underData } from './results.ts';

/** The path of one campaign. */
export const CAMPAIGN_PATH = '/api/email_campaigns/{id}';

/** How every method that returns one campaign reads its response. */
export const campaignResult = { result: underData<Campaign>(), schema: 'campaign' } as const;

/** The request that reads one campaign. */
export const getCampaign = (id: number): RequestSpec<Campaign> => ({
  ...byId(id, { operation: 'campaigns.get', method: 'GET', path: CAMPAIGN_PATH }),
  ...campaignResult,
});

/**
 * When an action's response was lost and its retry is refused, the campaign's state tells whether the action worked.
 */
const settledBy = (id: number, worked: (campaign: Campaign) => boolean): Settlement<Campaign> => ({
  status: 422,
  resolve: async (execute) => {
    const outcome = await execute(getCampaign(id)).withResponse();
    return worked(outcome.data) ? outcome : undefined;
  },
});

/** The request for an action on a campaign: a POST without a body, except for the time of `schedule`. */
export const campaignAction = (
  name: 'start' | 'schedule' | 'cancel' | 'reset' | 'terminate',
  id: number,
  worked: (campaign: Campaign) => boolean,
  params?: CampaignScheduleParams,
): RequestSpec<Campaign> => ({
  ...byId(id, {
    operation: `campaigns.${name}`,
    method: 'POST',
    path: `${CAMPAIGN_PATH}/${name}`,
    issues: () => (name === 'schedule' ? campaignScheduleIssues(params) : []),
  }),
  body: params,
  settle: settledBy(id, worked),
  ...campaignResult,
});

/** Whether a response has the state; one that lacks it settles nothing. */
const isState = (state: unknown) => typeof state === 'string';

/** Whether the campaign is being sent, or has been. */
export const wasStarted = ({ current_state }: Campaign) =>
  isState(current_state) && current_state !== 'draft' && current_state !== 'scheduled';
/** Whether the campaign is back in draft. */
export const isDraft = ({ current_state }: Campaign) => current_state === 'draft';

/** Whether the campaign is scheduled for that time (the service may round to seconds), or past that state already. */
export const isScheduledAt = (params: CampaignScheduleParams) => (campaign: Campaign) =>
  campaign.current_state === 'scheduled'
    ? Math.abs(Date.parse(campaign.current_state_metadata.scheduled_at ?? '') - momentOf(params.datetime)) <
      1000
    : isState(campaign.current_state) && campaign.current_state !== 'draft';

/** Whether the campaign is being terminated, or has ended. */
export const isEnded = ({ current_state }: Campaign) =>
  ['terminating', 'finished', 'failed'].includes(current_state);
