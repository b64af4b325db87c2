import type { VirtualClock } from './clock.ts';
import type { EmulatorControls } from './emulator-types.ts';
import type { World } from './world.ts';
import { writeCampaign } from './areas/campaigns/input.ts';

/** The levers a test pulls behind the service's back. They always work on the world of the moment. */
export function createControls(world: () => World, clock: VirtualClock, accountId: number): EmulatorControls {
  const settled = () => {
    clock.settle();
    return world();
  };
  const campaignOf = (id: number) => {
    const campaign = settled().areas.campaigns.store.find(accountId, id);
    if (campaign === undefined) throw new RangeError(`There is no campaign ${id}`);
    return campaign;
  };
  return {
    createToken: (options = {}) => world().engine.tokens.create(options, accountId),
    setBilling(state) {
      world().billing.withinLimits = state === 'within-limits';
    },
    campaigns: {
      add({ state = 'draft', metadata = {}, ...fields } = {}) {
        const { areas } = settled();
        const domain = areas.domains.all().find(({ verified }) => verified);
        const written = writeCampaign(
          {
            name: 'Campaign',
            domain_id: domain?.id,
            from_local_part: 'news',
            contact_list_ids: [1],
            ...fields,
            template_attributes: {
              subject: 'Subject',
              body_html: '<p><a href="__unsubscribe_url__">Unsubscribe</a></p>',
              ...fields.template_attributes,
            },
          },
          undefined,
          areas.domains,
          accountId,
        );
        const campaign = areas.campaigns.store.add(accountId, written, clock.now());
        if (state !== 'draft') areas.campaigns.lifecycle.enter(campaign, state, clock.now(), metadata);
        return campaign.id;
      },
      setState(id, state, metadata = {}) {
        const campaign = campaignOf(id);
        if (state === 'draft') {
          campaign.lastStartedAt = null;
          campaign.recipients = null;
          campaign.sentShare = 0;
        }
        world().areas.campaigns.lifecycle.enter(campaign, state, clock.now(), metadata);
      },
      stateOf: (id) => campaignOf(id).state,
    },
    domains: {
      add({ name, verified = true }) {
        return world().areas.domains.add(accountId, name, verified).id;
      },
      setVerified(id, verified) {
        const domain = world().areas.domains.get(id);
        if (domain === undefined) throw new RangeError(`There is no sending domain ${id}`);
        domain.verified = verified;
      },
      list: () =>
        world()
          .areas.domains.all()
          .map(({ id, name, verified }) => ({ id, name, verified })),
    },
  };
}
