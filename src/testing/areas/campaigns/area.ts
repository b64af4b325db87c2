import {
  created,
  noContent,
  notFound,
  ok,
  unprocessable,
  type Area,
  type Exchange,
  type Reply,
} from '../../route.ts';
import type { ContactStore } from '../contacts/store.ts';
import type { DomainStore } from '../domains/store.ts';
import type { Kit } from '../kit.ts';
import { pageOf } from '../pages.ts';
import { writeCampaign } from './input.ts';
import { Lifecycle, requireState } from './lifecycle.ts';
import type { CampaignRecord } from './record.ts';
import { campaignStats } from './stats.ts';
import { CampaignStore } from './store.ts';
import { campaignDetail, campaignSummary } from './view.ts';

/** Email campaigns. */
export interface CampaignsArea extends Area {
  readonly store: CampaignStore;
  readonly lifecycle: Lifecycle;
}

type Action = (campaign: CampaignRecord, exchange: Exchange) => void;

export function createCampaigns(kit: Kit, domains: DomainStore, contacts: ContactStore): CampaignsArea {
  const store = new CampaignStore();
  const lifecycle = new Lifecycle(kit, domains, contacts);
  const base = '/api/email_campaigns';

  const found = ({ params, token }: Exchange): CampaignRecord => {
    const id = params.id ?? '';
    const campaign = /^\d+$/.test(id) ? store.find(token.accountId, Number(id)) : undefined;
    if (campaign === undefined) throw notFound();
    return campaign;
  };
  const domainName = (campaign: CampaignRecord) => domains.get(campaign.attributes.domainId)?.name ?? '';
  const detail = (campaign: CampaignRecord) => ({ data: campaignDetail(campaign, domainName(campaign)) });
  const action = (name: string, act: Action) => ({
    method: 'POST' as const,
    path: `${base}/:id/${name}`,
    permission: ['campaigns', 'admin'] as const,
    handler: (exchange: Exchange): Reply => {
      const campaign = found(exchange);
      act(campaign, exchange);
      return ok(detail(campaign));
    },
  });

  return {
    store,
    lifecycle,
    routes: [
      {
        method: 'GET',
        path: base,
        permission: ['campaigns', 'viewer'],
        handler: (exchange) => {
          const search = (exchange.query.get('search') ?? '').toLowerCase();
          const matching = store
            .list(exchange.token.accountId)
            .filter(({ attributes }) => attributes.name.toLowerCase().includes(search));
          const { items, pagination } = pageOf(matching, exchange);
          return ok({ data: items.map((one) => campaignSummary(one, domainName(one))), pagination });
        },
      },
      {
        method: 'POST',
        path: base,
        permission: ['campaigns', 'admin'],
        handler: ({ body, token, now }) => {
          const attributes = writeCampaign(body(), undefined, domains, token.accountId);
          return created(detail(store.add(token.accountId, attributes, now)));
        },
      },
      {
        method: 'GET',
        path: `${base}/:id`,
        permission: ['campaigns', 'viewer'],
        handler: (exchange) => ok(detail(found(exchange))),
      },
      {
        method: 'PATCH',
        path: `${base}/:id`,
        permission: ['campaigns', 'admin'],
        handler: (exchange) => {
          const campaign = found(exchange);
          const fields = exchange.body();
          requireState(campaign, ['draft'], 'Only draft campaigns can be updated');
          campaign.attributes = writeCampaign(fields, campaign.attributes, domains, campaign.accountId);
          campaign.updatedAt = exchange.now;
          return ok(detail(campaign));
        },
      },
      {
        method: 'DELETE',
        path: `${base}/:id`,
        permission: ['campaigns', 'admin'],
        handler: (exchange) => {
          const campaign = found(exchange);
          // Create, update and delete return a map of errors; actions, and updates of a non-draft, return a sentence.
          if (campaign.state !== 'draft')
            throw unprocessable({ base: ['Only draft campaigns can be deleted'] });
          campaign.removed = true;
          return noContent();
        },
      },
      action('start', (campaign, { now }) => lifecycle.start(campaign, now)),
      action('schedule', (campaign, { now, body }) => lifecycle.schedule(campaign, body().datetime, now)),
      action('cancel', (campaign, { now }) => lifecycle.unschedule(campaign, now)),
      action('reset', (campaign, { now }) => lifecycle.unschedule(campaign, now)),
      action('terminate', (campaign, { now }) => lifecycle.terminate(campaign, now)),
      {
        method: 'GET',
        path: `${base}/:id/stats`,
        permission: ['campaigns', 'viewer'],
        handler: (exchange) => {
          const campaign = found(exchange);
          const share = lifecycle.sentShare(campaign, exchange.now);
          return ok({ data: campaignStats(campaign, share, exchange.query) });
        },
      },
    ],
  };
}
