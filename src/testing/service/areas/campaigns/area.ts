import {
  anything,
  copied,
  jsonObject,
  type Kinds,
  objectOf,
  oneOf,
  or,
  positive,
} from '../../../declare/kind.ts';
import { control, needed, optional } from '../../routing/control.ts';
import type { EmulatorCampaignFields, EmulatorCampaigns } from './control-types.ts';
import { defined } from '../../../../kit/defined.ts';
import { area } from '../../routing/area.ts';
import { refusalsAsErrors } from '../../routing/refusals.ts';
import type { World } from '../../state/world.ts';
import { seedCampaigns } from './demo.ts';
import { writeCampaign } from './input.ts';
import { Lifecycle } from '../../state/delivery/lifecycle.ts';
import { campaignRoutes } from './routes.ts';
import {
  CAMPAIGN_STATES,
  campaignOptions,
  type CampaignRecord,
  CampaignStore,
} from '../../state/delivery/campaigns.ts';

const state = oneOf(CAMPAIGN_STATES);

const any = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, anything])) as Kinds<Record<Name, unknown>>;

/** Checks only the names: the service's own validation checks the values. */
const campaignFields = objectOf({
  ...any('name', 'domain_id', 'from_local_part', 'from_display_name'),
  reply_to: or(objectOf(any('display_name', 'local_part', 'domain')), null),
  delivery_mode: anything,
  delivery_options: or(objectOf(any('emails_per_hour')), null),
  ...any('contact_list_ids', 'contact_segment_ids'),
  template_attributes: objectOf(any('subject', 'body_html', 'body_text', 'merge_tags')),
  state,
  metadata: jsonObject,
});

function found({ campaigns, accountId }: World, id: number): CampaignRecord {
  const campaign = campaigns.find(accountId, id);
  if (campaign === undefined) throw new RangeError(`There is no campaign ${id}`);
  return campaign;
}

/** The controls of campaigns. */
const campaignControls = {
  'campaigns.add': control<EmulatorCampaigns['add']>(
    'POST /campaigns',
    { takes: { fields: optional(campaignFields) }, body: 'fields', returns: positive, as: 'id' },
    (world, input = {}) => {
      const { accountId, domains, campaigns, lifecycle, clock } = world;
      const { state = 'draft', metadata = {}, template_attributes: template = {}, ...fields } = input;
      const all: EmulatorCampaignFields = {
        name: 'Campaign',
        domain_id: domains.any(accountId).id,
        from_local_part: 'news',
        contact_list_ids: [1],
        ...defined(fields),
        template_attributes: {
          subject: 'Subject',
          body_html: '<p><a href="__unsubscribe_url__">Unsubscribe</a></p>',
          ...defined(template),
        },
      };
      const written = refusalsAsErrors(() => writeCampaign(all, undefined, domains, accountId));
      const campaign = campaigns.add(accountId, written, clock.now());
      if (state !== 'draft') lifecycle.setState(campaign, state, clock.now(), copied(metadata));
      return campaign.id;
    },
  ),
  'campaigns.setState': control<EmulatorCampaigns['setState']>(
    'POST /campaigns/{id}/state',
    { takes: { id: needed(positive), state: needed(state), metadata: optional(jsonObject) } },
    (world, id, state, metadata = {}) => {
      const campaign = found(world, id);
      if (state === 'draft') {
        campaign.lastStartedAt = null;
        campaign.recipients = null;
        campaign.sentShare = 0;
        campaign.mailing = null;
        campaign.known = 0;
      }
      world.lifecycle.setState(campaign, state, world.clock.now(), copied(metadata));
    },
  ),
  'campaigns.stateOf': control<EmulatorCampaigns['stateOf']>(
    'GET /campaigns/{id}/state',
    { takes: { id: needed(positive) }, returns: state, as: 'state' },
    (world, id) => found(world, id).state,
  ),
};

/** Email campaigns. */
export const campaigns = area<'campaigns' | 'lifecycle', 'campaigns'>({
  name: 'campaigns',
  options: { campaigns: campaignOptions },
  keep: (world) => ({ campaigns: new CampaignStore(world.state), lifecycle: new Lifecycle(world) }),
  routes: campaignRoutes,
  seed: (world, seed) => {
    if (seed === 'demo') seedCampaigns(world);
  },
  controls: campaignControls,
});
