import { byPageToken, decodersOf, nothing } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import {
  campaignCreateRule,
  campaignListRule,
  campaignScheduleRule,
  campaignStatsRule,
  campaignUpdateRule,
} from './rules.ts';
import { isDraft, isEnded, isScheduledAt, wasStarted } from './settlement.ts';
import type { Campaign, CampaignPage, CampaignStats } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface CampaignResponses {
  campaign: Campaign;
  campaignPage: CampaignPage;
  campaignStats: CampaignStats;
}

const { list, result } = decodersOf<CampaignResponses>();

/** The endpoints of `client.campaigns`. */
export const campaigns = endpointsOf('campaigns', () => {
  const campaign = result('campaign', { field: 'data' });
  const campaignPage = list('campaignPage', { field: 'data', needs: { pagination: 'object' } }, byPageToken);
  const get = endpoint('GET /api/email_campaigns/{id}', campaign);
  return {
    list: endpoint('GET /api/email_campaigns', campaignPage, {
      params: campaignListRule(),
    }),
    create: endpoint('POST /api/email_campaigns', campaign, {
      params: campaignCreateRule(),
      reachesPeople: false,
    }),
    get,
    update: endpoint('PATCH /api/email_campaigns/{id}', campaign, {
      params: campaignUpdateRule(),
      repeatable: 'sets fields to the values given; the second time they have them already',
      reachesPeople: false,
    }),
    delete: endpoint('DELETE /api/email_campaigns/{id}', nothing),
    stats: endpoint('GET /api/email_campaigns/{id}/stats', result('campaignStats', { field: 'data' }), {
      params: campaignStatsRule(),
    }),
    start: endpoint('POST /api/email_campaigns/{id}/start', campaign, {
      repeatable: 'the second is refused, because the campaign is no longer a draft',
      reachesPeople: { kind: 'unknowable' },
      ifLost: { status: 422, read: get, worked: wasStarted },
    }),
    schedule: endpoint('POST /api/email_campaigns/{id}/schedule', campaign, {
      params: campaignScheduleRule(),
      repeatable: 'the second is refused, because the campaign is no longer a draft',
      reachesPeople: { kind: 'unknowable' },
      ifLost: { status: 422, read: get, worked: isScheduledAt },
    }),
    cancel: endpoint('POST /api/email_campaigns/{id}/cancel', campaign, {
      repeatable: 'the second is refused, because the campaign is no longer scheduled',
      ifLost: { status: 422, read: get, worked: isDraft },
      reachesPeople: false,
    }),
    reset: endpoint('POST /api/email_campaigns/{id}/reset', campaign, {
      repeatable: 'the second is refused, because the campaign is no longer scheduled',
      ifLost: { status: 422, read: get, worked: isDraft },
      reachesPeople: false,
    }),
    terminate: endpoint('POST /api/email_campaigns/{id}/terminate', campaign, {
      repeatable: 'the second is refused, because the campaign is no longer being sent',
      ifLost: { status: 422, read: get, worked: isEnded },
      reachesPeople: false,
    }),
  };
});
