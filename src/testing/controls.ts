import type { VirtualClock } from './clock.ts';
import type { EmulatorControls } from './emulator-types.ts';
import type { World } from './world.ts';
import { writeCampaign } from './areas/campaigns/input.ts';
import { addLog, usualFacts } from './areas/logs/add.ts';
import type { DomainRecord } from './areas/domains/record.ts';

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
  const anyDomain = (): DomainRecord => {
    const { domains } = world().areas;
    const own = domains.of(accountId);
    const found = own.find((one) => domains.isVerified(one)) ?? own[0];
    if (found === undefined) throw new RangeError('There is no sending domain');
    return found;
  };
  const logParts = () => {
    const { logs: store, courses, random } = world().areas.delivery;
    return { store, courses, random, usual: usualFacts(accountId, anyDomain()) };
  };
  return {
    createToken: (options = {}) => world().engine.tokens.create(options, accountId),
    setBilling(state) {
      world().billing.withinLimits = state === 'within-limits';
    },
    campaigns: {
      add({ state = 'draft', metadata = {}, ...fields } = {}) {
        const { areas } = settled();
        const written = writeCampaign(
          {
            name: 'Campaign',
            domain_id: anyDomain().id,
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
        return world().areas.domains.addSettled(accountId, name, verified).id;
      },
      setVerified(id, verified) {
        const domain = world().areas.domains.get(id);
        if (domain === undefined) throw new RangeError(`There is no sending domain ${id}`);
        world().areas.domains.setVerified(domain, verified);
      },
      list: () =>
        world()
          .areas.domains.all()
          .map((one) => ({ id: one.id, name: one.name, verified: world().areas.domains.isVerified(one) })),
    },
    logs: {
      add: (fields = {}) => addLog(logParts(), fields, clock.now()),
      addMany(messages) {
        const parts = logParts();
        const now = clock.now();
        return Array.from(messages, (fields) => addLog(parts, fields, now));
      },
    },
    sandbox: {
      add: () => world().areas.inboxes.add(accountId).id,
      messages(inboxId) {
        const { delivery, inboxes } = world().areas;
        if (inboxId !== undefined && inboxes.find(accountId, inboxId) === undefined) {
          throw new RangeError(`There is no test inbox ${inboxId}`);
        }
        return delivery.outbox.messages(inboxId).filter(({ sandboxInboxId }) => sandboxInboxId !== null);
      },
    },
    messages: () => world().areas.delivery.outbox.messages(),
  };
}
