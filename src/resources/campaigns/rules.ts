import { late } from '../../kit/late.ts';
import type { Hints } from '../../core/other-names.ts';
import {
  allOf,
  arrayOf,
  nullable,
  objectOf,
  oneOf,
  idRule,
  stringRule,
  wholeRule,
  type Rule,
  type Rules,
} from '../../core/rules.ts';
import type {
  CampaignCreateParams,
  CampaignListParams,
  CampaignScheduleParams,
  CampaignStatsParams,
  CampaignTemplateParams,
  CampaignUpdateParams,
  DeliveryOptions,
  ReplyTo,
} from './types.ts';
import { dayRule, inOrder, listOf, pageRules, textUpTo } from '../base/param-rules.ts';
import { momentOf, momentRule } from '../../core/moment.ts';

const DAY_MS = 86_400_000;

/** The HTML or the text of a template. */
export const bodyRule = late(() => nullable(textUpTo(10_000_000)));

/** Hints for the bodies of a template, which have other names in an email. */
export const BODIES: Hints = { html: 'it is `body_html`', text: 'it is `body_text`' };

const templateFields = late((): Rules<CampaignTemplateParams> => ({
  subject: nullable(textUpTo(255)),
  body_html: bodyRule(),
  body_text: bodyRule(),
  merge_tags: nullable(arrayOf(stringRule)),
}));

/** The service adds the `@` and the domain of `domain_id`. */
const localPartRule: Rule = (value) =>
  stringRule(value) ??
  ((value as string).includes('@')
    ? 'must be the part before the @: the domain is that of `domain_id`'
    : undefined);

const campaignFields = late((): Rules<CampaignUpdateParams> => ({
  name: stringRule,
  domain_id: idRule,
  from_local_part: localPartRule,
  template_attributes: objectOf(templateFields(), [], undefined, BODIES),
  from_display_name: nullable(stringRule),
  reply_to: nullable(
    objectOf<ReplyTo>({
      display_name: nullable(stringRule),
      local_part: nullable(stringRule),
      domain: nullable(stringRule),
    }),
  ),
  delivery_mode: oneOf(['rapid', 'gradual']),
  delivery_options: nullable(objectOf<DeliveryOptions>({ emails_per_hour: nullable(wholeRule) })),
  contact_list_ids: arrayOf(idRule),
  contact_segment_ids: arrayOf(idRule),
}));

const OTHER_NAMES: Hints = {
  from: 'the sender is `from_local_part` at the domain of `domain_id`, with the name `from_display_name`',
  html: 'it is `body_html` in `template_attributes`',
  text: 'it is `body_text` in `template_attributes`',
  scheduled_at: 'call `campaigns.schedule` with the id of the campaign',
};

/** The parameters of `campaigns.create`. */
export const campaignCreateRule = late(() =>
  objectOf<CampaignCreateParams>(
    {
      ...campaignFields(),
      template_attributes: objectOf(
        { ...templateFields(), subject: textUpTo(255) },
        ['subject'],
        undefined,
        BODIES,
      ),
    },
    ['name', 'domain_id', 'from_local_part', 'template_attributes'],
    'an object',
    OTHER_NAMES,
  ),
);
/** The parameters of `campaigns.update`. */
export const campaignUpdateRule = late(() => objectOf(campaignFields(), [], 'an object', OTHER_NAMES));

/** The parameters of `campaigns.list`. */
export const campaignListRule = late(() =>
  listOf<CampaignListParams>({ ...pageRules(), search: stringRule }),
);

/**
 * The service decides by its own clock whether a time is in the future and within a month. This rule refuses only times
 * that are wrong for every plausible clock.
 */
const scheduleTimeRule: Rule = (datetime) => {
  const ahead = momentOf(datetime) - Date.now();
  if (ahead < -DAY_MS || ahead > 32 * DAY_MS) return 'must be in the future and at most one month ahead';
  return momentRule(datetime);
};
/** The parameters of `campaigns.schedule`. */
export const campaignScheduleRule = late(() =>
  objectOf<CampaignScheduleParams>({ datetime: scheduleTimeRule }, ['datetime'], undefined, {
    scheduled_at: 'it is `datetime`',
  }),
);

/** The parameters of `campaigns.stats`. */
export const campaignStatsRule = late(() =>
  allOf(
    objectOf<CampaignStatsParams>({ start_date: dayRule, end_date: dayRule }),
    inOrder('start_date', 'end_date', Date.parse),
  ),
);
