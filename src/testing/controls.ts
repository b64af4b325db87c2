import * as kinds from './arguments/controls.ts';
import { check } from './arguments/kind.ts';
import { writeCampaign } from './areas/campaigns/input.ts';
import type { DomainRecord } from './areas/domains/record.ts';
import { addFirstDomains } from './areas/domains/seed.ts';
import { addLog, usualFacts, type EmulatorLogFields } from './areas/logs/add.ts';
import type { VirtualClock } from './clock.ts';
import { withDefaults } from './defaults.ts';
import type { EmulatorCampaignFields, EmulatorControls } from './emulator-types.ts';
import { Refusal } from './route.ts';
import { ORGANIZATION_ID, type World } from './world.ts';

/** What a test can change without a request. All of it applies to the current world. */
export function createControls(world: () => World, clock: VirtualClock, accountId: number): EmulatorControls {
  const settled = () => {
    clock.settle();
    return world();
  };
  const campaignOf = (id: number) => {
    check(kinds.id, id, 'id');
    const campaign = settled().areas.campaigns.store.find(accountId, id);
    if (campaign === undefined) throw new RangeError(`There is no campaign ${id}`);
    return campaign;
  };
  const domainOf = (id: number): DomainRecord => {
    const domain = world().areas.domains.get(id);
    if (domain === undefined) throw new RangeError(`There is no sending domain ${id}`);
    return domain;
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
  const checkLog = (fields: EmulatorLogFields, name: string) => {
    check(kinds.logFields, fields, name);
    if (fields.domain_id !== undefined) domainOf(fields.domain_id);
    const id = fields.message_id?.toLowerCase();
    if (id !== undefined && world().areas.delivery.logs.anywhere(id) !== undefined) {
      throw new RangeError(`There is already a message ${id}`);
    }
  };
  return {
    createToken(options = {}) {
      check(kinds.tokenOptions, options, 'options');
      for (const id of options.domains ?? []) domainOf(id);
      const { domains } = world().areas;
      const { accountId: owner = accountId } = options;
      if (owner !== accountId && domains.of(owner).length === 0) addFirstDomains(domains, owner);
      return world().engine.tokens.create(options, accountId);
    },
    setBilling(state) {
      check(kinds.billing, state, 'state');
      world().billing.withinLimits = state === 'within-limits';
    },
    organizationId: ORGANIZATION_ID,
    campaigns: {
      add(given = {}) {
        check(kinds.campaignFields, given, 'fields');
        const { state = 'draft', metadata = {}, template_attributes: template, ...fields } = given;
        const { areas } = settled();
        const all: EmulatorCampaignFields = {
          ...withDefaults<Record<string, unknown>>(
            {
              name: 'Campaign',
              domain_id: anyDomain().id,
              from_local_part: 'news',
              contact_list_ids: [1],
            },
            fields,
          ),
          template_attributes: withDefaults<Record<string, unknown>>(
            { subject: 'Subject', body_html: '<p><a href="__unsubscribe_url__">Unsubscribe</a></p>' },
            template,
          ),
        };
        const written = refusalsAsErrors(() => writeCampaign(all, undefined, areas.domains, accountId));
        const campaign = areas.campaigns.store.add(accountId, written, clock.now());
        if (state !== 'draft') areas.campaigns.lifecycle.enter(campaign, state, clock.now(), metadata);
        return campaign.id;
      },
      setState(id, state, metadata = {}) {
        check(kinds.state, state, 'state');
        check(kinds.metadata, metadata, 'metadata');
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
      add(domain) {
        check(kinds.domain, domain, 'domain');
        const { name, verified = true, accountId: owner = accountId } = domain;
        const { domains } = world().areas;
        if (domains.named(owner, name) !== undefined) {
          throw new RangeError(`There is already a sending domain ${name}`);
        }
        return domains.addSettled(owner, name.toLowerCase(), verified).id;
      },
      setVerified(id, verified) {
        check(kinds.id, id, 'id');
        check(kinds.flag, verified, 'verified');
        world().areas.domains.setVerified(domainOf(id), verified);
      },
      list: () =>
        world()
          .areas.domains.all()
          .map((one) => ({
            id: one.id,
            accountId: one.accountId,
            name: one.name,
            verified: world().areas.domains.isVerified(one),
          })),
    },
    logs: {
      add(fields = {}) {
        checkLog(fields, 'fields');
        return addLog(logParts(), fields, clock.now());
      },
      addMany(messages) {
        check(kinds.messages, messages, 'messages');
        const parts = logParts();
        const now = clock.now();
        return Array.from(messages, (fields, index) => {
          checkLog(fields, `messages[${index}]`);
          return addLog(parts, fields, now);
        });
      },
    },
    sandbox: {
      add: () => world().areas.inboxes.add(accountId).id,
      messages(inboxId) {
        const { delivery, inboxes } = world().areas;
        if (inboxId !== undefined) check(kinds.id, inboxId, 'inboxId');
        if (inboxId !== undefined && inboxes.find(accountId, inboxId) === undefined) {
          throw new RangeError(`There is no test inbox ${inboxId}`);
        }
        return delivery.outbox.messages(inboxId).filter(({ sandboxInboxId }) => sandboxInboxId !== null);
      },
    },
    messages: () => world().areas.delivery.outbox.messages(),
  };
}

/** Turns a refusal by the service's validation into an error that names the reasons. */
function refusalsAsErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { errors } = error.reply.json as { errors: Record<string, string[]> };
    const reasons = Object.entries(errors).map(([field, messages]) => `${field} ${messages.join(', ')}`);
    throw new RangeError(`The service would refuse these fields: ${reasons.join('; ')}`, { cause: error });
  }
}
