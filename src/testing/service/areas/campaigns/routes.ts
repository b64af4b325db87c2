import { route, type Exchange } from '../../routing/route.ts';
import { created, noContent, ok, orNotFound, unprocessable } from '../../wire/reply.ts';
import { pageOf } from '../../routing/pages.ts';
import type { World } from '../../state/world.ts';
import { writeCampaign } from './input.ts';
import { requireState } from '../../state/delivery/lifecycle.ts';
import type { CampaignRecord } from '../../state/delivery/campaigns.ts';
import { campaignStats, campaignDetail, campaignSummary } from './view.ts';

/** Email campaigns. They are published in one form only. */
const CAMPAIGNS = { area: 'campaigns', forms: ['token'] } as const;

/** The endpoints of campaigns. */
export function campaignRoutes({ campaigns, lifecycle, domains, sums }: World) {
  const found = ({ params, token }: Exchange): CampaignRecord => {
    const id = params.id ?? '';
    return orNotFound(/^\d+$/.test(id) ? campaigns.find(token.accountId, Number(id)) : undefined);
  };
  const domainName = (campaign: CampaignRecord) => domains.anywhere(campaign.attributes.domainId)?.name ?? '';
  const detail = (campaign: CampaignRecord) => ({ data: campaignDetail(campaign, domainName(campaign)) });
  const action = (act: (campaign: CampaignRecord, exchange: Exchange) => void) => (exchange: Exchange) => {
    const campaign = found(exchange);
    act(campaign, exchange);
    return ok(detail(campaign));
  };

  return [
    route('GET /email_campaigns', CAMPAIGNS, (exchange) => {
      const search = (exchange.query.get('search') ?? '').toLowerCase();
      const matching = campaigns
        .newestOf(exchange.token.accountId)
        .filter(({ attributes }) => attributes.name.toLowerCase().includes(search));
      const { items, pagination } = pageOf(matching, exchange);
      return ok({ data: items.map((one) => campaignSummary(one, domainName(one))), pagination });
    }),
    route('POST /email_campaigns', CAMPAIGNS, ({ body, token, now }) => {
      const attributes = writeCampaign(body(), undefined, domains, token.accountId);
      return created(detail(campaigns.add(token.accountId, attributes, now)));
    }),
    route('GET /email_campaigns/{id}', CAMPAIGNS, (exchange) => ok(detail(found(exchange)))),
    route('PATCH /email_campaigns/{id}', CAMPAIGNS, (exchange) => {
      const campaign = found(exchange);
      const fields = exchange.body();
      requireState(campaign, ['draft'], 'Only draft campaigns can be updated');
      campaign.attributes = writeCampaign(fields, campaign.attributes, domains, campaign.accountId);
      campaign.updatedAt = exchange.now;
      return ok(detail(campaign));
    }),
    route('DELETE /email_campaigns/{id}', CAMPAIGNS, (exchange) => {
      const campaign = found(exchange);
      // Create, update and delete return a map of errors; actions, and updates of a non-draft, return a sentence.
      if (campaign.state !== 'draft') throw unprocessable({ base: ['Only draft campaigns can be deleted'] });
      campaigns.remove(campaign);
      return noContent();
    }),
    route(
      'POST /email_campaigns/{id}/start',
      {
        ...CAMPAIGNS,
        inferred: 'how long sending takes, and how many contacts a segment or an unknown list stands for',
      },
      action((campaign, { now }) => lifecycle.start(campaign, now)),
    ),
    route(
      'POST /email_campaigns/{id}/schedule',
      CAMPAIGNS,
      action((campaign, { now, body }) => lifecycle.schedule(campaign, body().datetime, now)),
    ),
    route(
      'POST /email_campaigns/{id}/cancel',
      CAMPAIGNS,
      action((campaign, { now }) => lifecycle.unschedule(campaign, now)),
    ),
    route(
      'POST /email_campaigns/{id}/reset',
      { ...CAMPAIGNS, inferred: 'that it does the same as `cancel`' },
      action((campaign, { now }) => lifecycle.unschedule(campaign, now)),
    ),
    route(
      'POST /email_campaigns/{id}/terminate',
      CAMPAIGNS,
      action((campaign, { now }) => lifecycle.terminate(campaign, now)),
    ),
    route(
      'GET /email_campaigns/{id}/stats',
      {
        ...CAMPAIGNS,
        inferred: 'the figures of recipients that the emulator does not know, which follow from the id',
      },
      (exchange) => {
        const campaign = found(exchange);
        const share = lifecycle.sentShare(campaign, exchange.now);
        const own = sums.of(exchange.token.accountId, exchange.now);
        return ok({ data: campaignStats(campaign, share, exchange.query, own) });
      },
    ),
  ];
}
