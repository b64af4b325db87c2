import { withDefaults } from '../defaults.ts';
import type { EmulatorOptions } from '../options.ts';
import { Random } from '../random.ts';
import type { Area, Route } from '../route.ts';
import { SignedStorage } from '../storage.ts';
import { createAccounts } from './accounts/area.ts';
import { createBilling } from './accounts/billing.ts';
import { createOrganizations } from './accounts/organizations.ts';
import { seedAccesses } from './accounts/seed.ts';
import { AccessStore, AccountNames } from './accounts/store.ts';
import { createTokens } from './accounts/tokens.ts';
import { createCampaigns, type CampaignsArea } from './campaigns/area.ts';
import { seedCampaigns } from './campaigns/demo.ts';
import { createContacts } from './contacts/area.ts';
import { seedContacts } from './contacts/demo.ts';
import { ContactJobs, exportedFile } from './contacts/jobs.ts';
import { CONTACT_DEFAULTS } from './contacts/options.ts';
import { ContactStore } from './contacts/store.ts';
import { createDomains } from './domains/area.ts';
import { seedDomains } from './domains/seed.ts';
import { DomainStore } from './domains/store.ts';
import type { DomainTiming } from './domains/timing.ts';
import type { Kit } from './kit.ts';
import { createInbound, type InboundParts } from './inbound/area.ts';
import { INBOUND_DEFAULTS } from './inbound/options.ts';
import { InboundStore } from './inbound/store.ts';
import { inboundFile } from './inbound/view.ts';
import { createLogs } from './logs/area.ts';
import { Courses, type DeliveryTiming } from './logs/course.ts';
import { seedLogs } from './logs/demo.ts';
import { sourceOf } from './logs/eml.ts';
import { LOG_DEFAULTS } from './logs/options.ts';
import { LogStore } from './logs/store.ts';
import { createSandbox } from './sandbox/area.ts';
import { SANDBOX_DEFAULTS } from './sandbox/options.ts';
import { InboxStore } from './sandbox/store.ts';
import { createSending } from './sending/area.ts';
import { noteOutcome, type Delivery } from './sending/deliver.ts';
import { Outbox } from './sending/outbox.ts';
import { createStats } from './stats/area.ts';
import { Sums } from './stats/sums.ts';
import { createSuppressions } from './suppressions/area.ts';
import { createOptOuts, OptOutStore } from './suppressions/opt-outs.ts';
import { SuppressionStore } from './suppressions/store.ts';
import { createTemplates } from './templates/area.ts';
import { seedTemplates } from './templates/demo.ts';
import { TemplateStore } from './templates/store.ts';
import { createWebhooks } from './webhooks/area.ts';
import { WEBHOOK_DEFAULTS, type EmulatorWebhookOptions } from './webhooks/options.ts';
import { Posts, type Carry } from './webhooks/posts.ts';
import { EventSources } from './webhooks/sources.ts';
import { WebhookStore } from './webhooks/store.ts';

/** All areas and their endpoints. */
export interface Areas {
  readonly domains: DomainStore;
  readonly campaigns: CampaignsArea;
  readonly delivery: Delivery;
  readonly inboxes: InboxStore;
  readonly posts: Posts;
  readonly inbound: InboundParts;
  readonly storage: SignedStorage;
  readonly routes: readonly Route[];
}

/** Builds the areas in the order of their dependencies. */
export function createAreas(kit: Kit, options: EmulatorOptions, firstInboxId: number, carry: Carry): Areas {
  const demo = options.seed === 'demo';
  const domains = new DomainStore(
    kit.clock,
    withDefaults<DomainTiming>({ propagateMs: 60_000, reviewMs: 60_000 }, options.domains),
  );
  const usable = seedDomains(kit, domains, demo);

  const contacts = new ContactStore();
  // A generator of its own: what the service generates for requests is the same with either seed.
  const demoRandom = new Random(19);
  if (demo) seedContacts(contacts, new Random(23), kit.accountId, kit.clock.now());
  const contactOptions = withDefaults(CONTACT_DEFAULTS, options.contacts);
  const { random } = kit;
  const jobs = new ContactJobs({ store: contacts, clock: kit.clock, random }, contactOptions);

  const campaigns = createCampaigns(kit, domains, contacts);
  if (demo) seedCampaigns(kit, campaigns, usable);

  const templates = new TemplateStore();
  const sandboxOptions = withDefaults(SANDBOX_DEFAULTS, options.sandbox);
  // A generator of its own, so that what the others generate does not depend on it.
  const inboxes = new InboxStore(firstInboxId, new Random(29), sandboxOptions.maxSize);
  inboxes.add(kit.accountId);

  const logOptions = withDefaults(LOG_DEFAULTS, options.logs);
  const sums = new Sums();
  const webhooks = new WebhookStore(new Random(29));
  const webhookOptions = withDefaults<EmulatorWebhookOptions & typeof WEBHOOK_DEFAULTS>(
    WEBHOOK_DEFAULTS,
    options.webhooks,
  );
  const posts = new Posts(kit.clock, webhooks, carry, webhookOptions);
  const sources = new EventSources(webhooks, posts, domains, new Random(31));
  const logs = new LogStore(logOptions.keep, (record) => {
    sums.add(record);
    sources.logged(record, () => kit.clock.now());
  });
  const inboundStore = new InboundStore();
  const storage = new SignedStorage(`storage ${kit.secret}`, (path) => {
    const record = logs.anywhere(/^\/messages\/(.+)\.eml$/.exec(path)?.[1] ?? '');
    if (record === undefined) return exportedFile(jobs, path) ?? inboundFile(inboundStore, path);
    return { type: 'message/rfc822', body: sourceOf(record) };
  });

  const accesses = new AccessStore();
  seedAccesses(accesses, kit.accountId, usable[0].id);
  const names = new AccountNames();

  const { sending = {} } = options;
  const delivery: Delivery = {
    random: new Random(17),
    outbox: new Outbox(sending.keep ?? 1_000_000),
    logs,
    courses: new Courses(
      withDefaults<DeliveryTiming>({ deliverMs: 1000, openMs: 60_000, clickMs: 120_000 }, sending),
    ),
    suppressions: new SuppressionStore(),
    optOuts: new OptOutStore(),
    inboxes,
  };

  if (demo) {
    const { accountId, clock } = kit;
    const made = seedTemplates(templates, demoRandom, accountId, clock.now());
    seedLogs(
      { store: logs, courses: delivery.courses, random: demoRandom },
      demoRandom,
      usable,
      made,
      clock.now(),
    );
    for (const message of logs.sorted(accountId)) {
      noteOutcome({ suppressions: delivery.suppressions, random: demoRandom }, message);
    }
  }

  const hosts = new Random(37);
  const inbound: InboundParts = {
    store: inboundStore,
    domains,
    delivery,
    sources,
    storage,
    options: withDefaults(INBOUND_DEFAULTS, options.inbound),
    hex: (length) => hosts.hex(length),
  };

  const { pageSize = 1000 } = options.suppressions ?? {};
  const maxMailBytes = sending.maxMailBytes ?? 10 * 1024 ** 2;
  const areas: Area[] = [
    campaigns,
    createLogs(logs, storage, logOptions, kit.answers.kind),
    createSending({
      answers: kit.answers,
      delivery,
      domains,
      templates,
      inboxes,
      options: {
        unverifiedDomain: sending.unverifiedDomain ?? 'unauthorized',
        maxMailBytes,
        maxBatchBytes: sending.maxBatchBytes ?? 50 * 1024 ** 2,
      },
      inboxLimit: options.sandbox?.limit,
      window: options.window ?? 'aligned',
    }),
    createTemplates(kit, templates),
    createDomains(domains),
    createAccounts({
      accesses,
      names,
      domains,
      inboxes,
      permissionsPath: options.accounts?.permissionsPath ?? 'both',
      listedTokens: options.accounts?.listsTokens === true ? kit.tokens : undefined,
    }),
    createTokens(kit.tokens, { names, domains, inboxes }, options.accounts?.tokenLifetimeMs ?? Infinity),
    createOrganizations(names, kit.accountId, kit.organizationId),
    createBilling({ logs, outbox: delivery.outbox, inboxes, billing: kit.billing }),
    createContacts({
      store: contacts,
      jobs,
      storage,
      random,
      max: contactOptions.max,
      usesOf: (accountId, mergeTag) => campaigns.store.using(accountId, mergeTag),
    }),
    createSuppressions(delivery.suppressions, domains, delivery.random, pageSize),
    createOptOuts(delivery.optOuts, domains, delivery.random, pageSize),
    createSandbox({ store: inboxes, secret: kit.secret, options: sandboxOptions, maxMailBytes }),
    createStats(sums),
    createWebhooks({
      store: webhooks,
      domains,
      hasInbox: (accountId, id) => inboundStore.inbox(accountId, id) !== undefined,
      onAdd: (webhook, now) => sources.added(webhook, logs, now),
    }),
    createInbound(inbound),
  ];
  const routes = areas.flatMap((area) => area.routes);
  return { domains, campaigns, delivery, inboxes, posts, inbound, storage, routes };
}
