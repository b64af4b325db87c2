import { BLANK, FieldErrors, NOT_IN_LIST, required, text, withoutNulls } from '../../wire/fields.ts';
import {
  arrayOf,
  fits,
  integer,
  oneOf,
  plainObject,
  positive,
  text as anyText,
} from '../../../declare/kind.ts';
import type { DomainStore } from '../../state/account/domains.ts';
import type { CampaignAttributes, ReplyTo } from '../../state/delivery/campaigns.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAX_SUBJECT = 255;
const MAX_BODY = 10_000_000;

const mode = oneOf(['rapid', 'gradual']);
const ids = arrayOf('ids', positive);
const tags = arrayOf('tags', anyText);

const EMPTY: CampaignAttributes = {
  name: '',
  domainId: 0,
  fromLocalPart: '',
  fromDisplayName: null,
  replyTo: {},
  deliveryMode: 'rapid',
  deliveryOptions: {},
  contactListIds: [],
  contactSegmentIds: [],
  subject: '',
  bodyHtml: null,
  bodyText: null,
  mergeTags: [],
};

/**
 * Returns the attributes of a new campaign, or of an existing one after an update. Refuses with a map from fields to
 * messages. Ignores unknown fields.
 */
export function writeCampaign(
  fields: Fields,
  current: CampaignAttributes | undefined,
  domains: DomainStore,
  accountId: number,
): CampaignAttributes {
  const errors = new FieldErrors();
  const before = current ?? EMPTY;
  const template = objectIn(fields.template_attributes, 'template_attributes', errors);
  const idsOf = (field: string, known: readonly number[]) => [
    ...new Set(errors.read(ids, withoutNulls(fields[field] ?? undefined), known, field)),
  ];
  const after: CampaignAttributes = {
    name: required(fields.name, before.name, 'name', errors),
    domainId: domainOf(fields.domain_id, before.domainId, domains, accountId, errors),
    fromLocalPart: required(fields.from_local_part, before.fromLocalPart, 'from_local_part', errors),
    fromDisplayName: text(fields.from_display_name, before.fromDisplayName, 'from_display_name', errors),
    replyTo: replyToOf(fields.reply_to, before.replyTo, errors),
    deliveryMode: errors.read(
      mode,
      fields.delivery_mode ?? undefined,
      before.deliveryMode,
      'delivery_mode',
      NOT_IN_LIST,
    ),
    deliveryOptions: optionsOf(fields.delivery_options, before.deliveryOptions, errors),
    contactListIds: idsOf('contact_list_ids', before.contactListIds),
    contactSegmentIds: idsOf('contact_segment_ids', before.contactSegmentIds),
    subject: required(template.subject ?? undefined, before.subject, 'template.subject', errors, MAX_SUBJECT),
    bodyHtml: text(template.body_html ?? undefined, before.bodyHtml, 'template.body_html', errors, MAX_BODY),
    bodyText: text(template.body_text ?? undefined, before.bodyText, 'template.body_text', errors, MAX_BODY),
    mergeTags: [
      ...errors.read(tags, template.merge_tags ?? undefined, before.mergeTags, 'template.merge_tags'),
    ],
  };
  errors.throwIfAny();
  return after;
}

function domainOf(
  input: unknown,
  before: number,
  domains: DomainStore,
  accountId: number,
  errors: FieldErrors,
): number {
  if (input === undefined && before !== 0) return before;
  if (input === undefined || input === null) {
    errors.add('domain_id', BLANK);
    return before;
  }
  const domain = typeof input === 'number' ? domains.anywhere(input) : undefined;
  if (domain?.accountId !== accountId) errors.add('domain_id', 'must exist');
  else if (!domains.isVerified(domain)) errors.add('domain_id', 'must be a verified sending domain');
  return domain?.id ?? before;
}

function replyToOf(input: unknown, before: ReplyTo, errors: FieldErrors): ReplyTo {
  if (input === undefined) return before;
  const parts = objectIn(input, 'reply_to', errors);
  const known: Record<string, string> = {};
  for (const part of ['display_name', 'local_part', 'domain']) {
    const value = text(parts[part], null, `reply_to.${part}`, errors);
    if (value !== null) known[part] = value;
  }
  return known;
}

function optionsOf(
  input: unknown,
  before: CampaignAttributes['deliveryOptions'],
  errors: FieldErrors,
): CampaignAttributes['deliveryOptions'] {
  if (input === undefined) return before;
  const rate = objectIn(input, 'delivery_options', errors).emails_per_hour;
  if (rate === undefined) return {};
  if (rate === null) return { emails_per_hour: null };
  const message = fits(integer, rate) ? 'must be greater than 0' : 'must be an integer';
  return errors.check(positive, rate, 'delivery_options.emails_per_hour', message)
    ? { emails_per_hour: rate }
    : before;
}

const objectIn = (input: unknown, field: string, errors: FieldErrors): Fields =>
  errors.read<Fields>(plainObject, input ?? undefined, {}, field);
