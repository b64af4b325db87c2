import type { RequestSpec, Settlement } from '../core/request.ts';
import { campaignAnswer } from '../models/campaign-answers.ts';
import { campaignScheduleIssues, type CampaignScheduleParams } from '../models/campaign-params.ts';
import type { Campaign } from '../models/campaigns.ts';
import { idIssues } from '../models/check.ts';
import { momentOf } from '../models/moment.ts';
import { underData } from './results.ts';

/** The path of one campaign. */
export const CAMPAIGN_PATH = '/api/email_campaigns/{id}';

/** How every method that gives one campaign reads its answer. */
export const campaignResult = { result: underData<Campaign>(), schema: campaignAnswer } as const;

/** Reads one campaign. */
export const getCampaign = (id: number): RequestSpec<Campaign> => ({
  operation: 'campaigns.get',
  method: 'GET',
  host: 'api',
  path: CAMPAIGN_PATH,
  pathParams: { id },
  check: () => idIssues(id),
  isRepeatable: true,
  ...campaignResult,
});

/** An action's answer was lost, and its repetition refused: the campaign itself tells whether the first one worked. */
const settledBy = (id: number, worked: (campaign: Campaign) => boolean): Settlement<Campaign> => ({
  status: 422,
  resolve: async (execute) => {
    const outcome = await execute(getCampaign(id)).withResponse();
    return worked(outcome.data) ? outcome : undefined;
  },
});

/** A step in a campaign's life: a POST without a body, but for the time to schedule it at. */
export const campaignAction = (
  name: 'start' | 'schedule' | 'cancel' | 'reset' | 'terminate',
  id: number,
  worked: (campaign: Campaign) => boolean,
  params?: CampaignScheduleParams,
): RequestSpec<Campaign> => ({
  operation: `campaigns.${name}`,
  method: 'POST',
  host: 'api',
  path: `${CAMPAIGN_PATH}/${name}`,
  pathParams: { id },
  body: params,
  check: () => [...idIssues(id), ...(name === 'schedule' ? campaignScheduleIssues(params) : [])],
  isRepeatable: true,
  settle: settledBy(id, worked),
  ...campaignResult,
});

/** An answer that lacks the state settles nothing. */
const isState = (state: unknown) => typeof state === 'string';

/** Being sent, or past it. */
export const wasStarted = ({ current_state }: Campaign) =>
  isState(current_state) && current_state !== 'draft' && current_state !== 'scheduled';
/** Back where it can be edited. */
export const isDraft = ({ current_state }: Campaign) => current_state === 'draft';

/** Scheduled for that very time (the service may keep whole seconds), or already past it. */
export const isScheduledAt = (params: CampaignScheduleParams) => (campaign: Campaign) =>
  campaign.current_state === 'scheduled'
    ? Math.abs(Date.parse(campaign.current_state_metadata.scheduled_at ?? '') - momentOf(params.datetime)) <
      1000
    : isState(campaign.current_state) && campaign.current_state !== 'draft';

/** On its way out, or out. */
export const isEnded = ({ current_state }: Campaign) =>
  ['terminating', 'finished', 'failed'].includes(current_state);
