import { type EmailPlatform, CAMPAIGN_STATES } from 'email-platform';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  LONGEST_MONTH_MS,
  SHORTEST_MONTH_MS,
  type CampaignChanges,
  type CampaignFields,
  type CampaignModel,
} from './reference-campaigns.ts';
import { pick, position, steps, type Model, type Service } from './model.ts';
import { agree, type Outcome } from './verdict.ts';

const NO_CAMPAIGN = 999_999;
const NO_DOMAIN = 888_888;
const HOUR_MS = 3_600_000;

function expectSame(real: EmailPlatform.CampaignSummary, campaign: CampaignModel, model: Model): void {
  const { id, fields, template, state, scheduledAt, startedAt } = campaign;
  const { body_html, body_text, ...listed } = template;
  expect(real).toMatchObject({ id, ...fields, current_state: state, template: listed });
  if ('body_html' in real.template) expect(real.template).toMatchObject({ body_html, body_text });
  const domain = model.mail.domains.find((one) => one.id === fields.domain_id);
  if (domain?.isRemoved === false) expect(real.domain_name).toBe(domain.name);
  if (campaign.isMoved) return;
  const day = startedAt === null ? undefined : new Date(startedAt).toISOString().slice(0, 10);
  expect(real.last_started_at).toBe(startedAt === null ? null : new Date(startedAt).toISOString());
  expect(real.last_started_at_date).toBe(day);
  expect(real.recipient_total_count === null).toBe(startedAt === null);
  const { current_state_metadata: metadata } = real;
  if (state === 'draft') expect(metadata).toEqual({});
  expect(metadata.scheduled_at).toBe(
    state === 'scheduled' ? new Date(scheduledAt ?? NaN).toISOString() : undefined,
  );
}

/** A third of the steps first put the campaign into a random state, without a request. */
const moved = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(...CAMPAIGN_STATES) },
);

/** A step on one campaign, which may have been deleted or not exist. */
function onOne<T>(
  name: string,
  given: fc.Arbitrary<T>,
  run: (id: number, given: T, model: Model, service: Service) => Promise<Outcome>,
) {
  return steps(name, fc.tuple(position, moved, given), ([at, state, rest], model, service) => {
    const campaign = pick(model.campaigns.all, at);
    if (campaign !== undefined && !campaign.isRemoved) {
      if (state !== undefined) {
        service.emulator.campaigns.setState(campaign.id, state);
        model.campaigns.move(campaign, state);
      }
      model.note(`${campaign.state} + ${name}`);
    }
    return run(campaign?.id ?? NO_CAMPAIGN, rest, model, service);
  });
}

/** A step whose response is the campaign. */
const action = <T>(
  name: string,
  given: fc.Arbitrary<T>,
  call: (service: Service, id: number, given: T, model: Model) => PromiseLike<EmailPlatform.Campaign>,
  decide: (model: Model, id: number, given: T) => CampaignModel,
) =>
  onOne(name, given, (id, rest, model, service) =>
    agree(
      call(service, id, rest, model),
      () => decide(model, id, rest),
      (real, expected) => expectSame(real, expected, model),
    ),
  );

const nothing = fc.constant('');
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 2 });
const names = fc.constantFrom('Spring sale', 'SPRING', 'Autumn', 'Winter & sale', 'sommer');
const bodies = fc.constantFrom(null, '', '<p>Hello</p>', '<a href="__unsubscribe_url__">x</a>');
/** The position of a domain: mostly the first, which is verified at the start. */
const domainAt = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, position);

const fields = {
  name: names,
  from_local_part: fc.constantFrom('news', 'shop'),
  from_display_name: fc.constantFrom('The Shop', 'Grüße 🎉'),
  contact_list_ids: ids,
  contact_segment_ids: ids,
};
const template = {
  subject: fc.constantFrom('Hello', 'Hello {{name}}', null),
  body_html: bodies,
  body_text: fc.constantFrom('Hello', null),
  merge_tags: fc.constantFrom(['name'], [], null),
};
const changes = fc.record(
  { ...fields, domainAt, template_attributes: fc.record(template, { requiredKeys: [] }) },
  { requiredKeys: [] },
);
const given = fc.record(
  { ...fields, domainAt, subject: fc.constantFrom('Hello', 'Hi {{name}}'), body_html: bodies },
  { requiredKeys: ['name', 'from_local_part', 'domainAt', 'subject', 'contact_list_ids'] },
);

const domainId = (model: Model, at: number) => pick(model.mail.domains, at)?.id ?? NO_DOMAIN;

const create = steps('create', given, ({ domainAt: at, subject, body_html, ...rest }, model, service) => {
  const attributes: CampaignFields = {
    from_display_name: null,
    contact_segment_ids: [],
    ...rest,
    domain_id: domainId(model, at),
  };
  const params: EmailPlatform.CampaignCreateParams = {
    ...rest,
    domain_id: attributes.domain_id,
    template_attributes: { subject, ...(body_html !== undefined && { body_html }) },
  };
  return agree(
    service.client.campaigns.create(params),
    () => model.campaigns.checkCreate(attributes),
    (real) => {
      expect(model.campaigns.all.map(({ id }) => id)).not.toContain(real.id);
      const made = { subject, body_html: body_html ?? null, body_text: null, merge_tags: [] };
      expectSame(real, model.campaigns.created(real.id, attributes, made), model);
    },
  );
});

const update = onOne('update', changes, (id, { domainAt: at, ...rest }, model, service) => {
  const all: CampaignChanges = { ...rest, ...(at !== undefined && { domain_id: domainId(model, at) }) };
  return agree(
    service.client.campaigns.update(id, all as EmailPlatform.CampaignUpdateParams),
    () => model.campaigns.update(id, all),
    (real, expected) => expectSame(real, expected, model),
  );
});

const ahead = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 2 * HOUR_MS }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: SHORTEST_MONTH_MS }) },
  { weight: 1, arbitrary: fc.integer({ min: -HOUR_MS, max: 0 }) },
  { weight: 1, arbitrary: fc.integer({ min: LONGEST_MONTH_MS + 1, max: LONGEST_MONTH_MS + 20 * HOUR_MS }) },
);

const remove = onOne('delete', nothing, (id, _, model, { client }) =>
  agree(
    client.campaigns.delete(id),
    () => model.campaigns.delete(id),
    (real) => expect(real).toBeUndefined(),
  ),
);

const list = steps(
  'list',
  fc.record({ per_page: fc.integer({ min: 1, max: 5 }), search: fc.constantFrom('', 'sale', 'spring', 'x') }),
  async (params, model, { client }) => {
    const real = await client.campaigns.list(params).toArray();
    const expected = model.campaigns.list(params.search);
    expect(real.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    for (const one of real) {
      const campaign = model.campaigns.get(one.id);
      expect(Object.keys(one.template).sort()).toEqual(['id', 'merge_tags', 'subject']);
      expectSame(one, campaign, model);
    }
  },
);

const stats = onOne('stats', nothing, (id, _, model, { client }) =>
  agree(
    client.campaigns.stats(id),
    () => model.campaigns.get(id),
    (real, campaign) => {
      const { sent_count: sent, delivery_count: delivered, bounce_count: bounced } = real;
      expect(delivered + bounced).toBeLessThanOrEqual(sent);
      expect(real.delivery_rate).toBe(sent === 0 ? 0 : delivered / sent);
      expect(real.open_rate).toBe(delivered === 0 ? 0 : real.open_count / delivered);
      if (campaign.isMoved) return;
      if (campaign.startedAt === null) expect(new Set(Object.values(real))).toEqual(new Set([0]));
      else if (campaign.state === 'finished' && !campaign.isTerminated) expect(sent).toBeGreaterThan(0);
    },
  ),
);

const billing = steps('billing', fc.boolean(), (isWithinLimits, model, { emulator }) => {
  emulator.setBilling(isWithinLimits ? 'within-limits' : 'exceeded');
  model.isBillingWithinLimits = isWithinLimits;
});

/** The steps on campaigns. Those listed more than once are taken more often. */
export const campaignSteps = [
  ...[create, create],
  ...[update, update],
  ...[list, stats, remove],
  billing,
  action(
    'get',
    nothing,
    ({ client }, id) => client.campaigns.get(id),
    (model, id) => model.campaigns.get(id),
  ),
  action(
    'start',
    nothing,
    ({ client }, id) => client.campaigns.start(id),
    (model, id) => model.campaigns.start(id),
  ),
  action(
    'schedule',
    ahead,
    ({ client }, id, ms, { now }) => client.campaigns.schedule(id, { datetime: new Date(now + ms) }),
    (model, id, ms) => model.campaigns.schedule(id, model.now + ms),
  ),
  action(
    'cancel',
    nothing,
    ({ client }, id) => client.campaigns.cancel(id),
    (model, id) => model.campaigns.unschedule(id),
  ),
  action(
    'reset',
    nothing,
    ({ client }, id) => client.campaigns.reset(id),
    (model, id) => model.campaigns.unschedule(id),
  ),
  action(
    'terminate',
    nothing,
    ({ client }, id) => client.campaigns.terminate(id),
    (model, id) => model.campaigns.terminate(id),
  ),
];
