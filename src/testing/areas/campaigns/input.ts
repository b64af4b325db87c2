import { BLANK, FieldErrors, INVALID, required, text } from '../../checks/fields.ts';
import type { DomainStore } from '../sending-domains/store.ts';
import type { CampaignAttributes, ReplyTo } from './record.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAX_SUBJECT = 255;
const MAX_BODY = 10_000_000;

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
 * messages. Unknown fields are ignored.
 */
export function writeCampaign(
  fields: Fields,
  current: CampaignAttributes | undefined,
  domains: DomainStore,
  accountId: number,
): CampaignAttributes {
  const errors = new FieldErrors();
  const before = current ?? EMPTY;
  const template = objectOf(fields.template_attributes, 'template_attributes', errors);
  const after: CampaignAttributes = {
    name: required(fields.name, before.name, 'name', errors),
    domainId: domainOf(fields.domain_id, before.domainId, domains, accountId, errors),
    fromLocalPart: required(fields.from_local_part, before.fromLocalPart, 'from_local_part', errors),
    fromDisplayName: text(fields.from_display_name, before.fromDisplayName, 'from_display_name', errors),
    replyTo: replyToOf(fields.reply_to, before.replyTo, errors),
    deliveryMode: modeOf(fields.delivery_mode, before.deliveryMode, errors),
    deliveryOptions: optionsOf(fields.delivery_options, before.deliveryOptions, errors),
    contactListIds: idsOf(fields.contact_list_ids, before.contactListIds, 'contact_list_ids', errors),
    contactSegmentIds: idsOf(
      fields.contact_segment_ids,
      before.contactSegmentIds,
      'contact_segment_ids',
      errors,
    ),
    subject: required(template.subject ?? undefined, before.subject, 'template.subject', errors, MAX_SUBJECT),
    bodyHtml: text(template.body_html ?? undefined, before.bodyHtml, 'template.body_html', errors, MAX_BODY),
    bodyText: text(template.body_text ?? undefined, before.bodyText, 'template.body_text', errors, MAX_BODY),
    mergeTags: tagsOf(template.merge_tags, before.mergeTags, errors),
  };
  errors.throwIfAny();
  return after;
}

function domainOf(
  given: unknown,
  before: number,
  domains: DomainStore,
  accountId: number,
  errors: FieldErrors,
): number {
  if (given === undefined && before !== 0) return before;
  if (given === undefined || given === null) {
    errors.add('domain_id', BLANK);
    return before;
  }
  const domain = typeof given === 'number' ? domains.anywhere(given) : undefined;
  if (domain?.accountId !== accountId) errors.add('domain_id', 'must exist');
  else if (!domains.isVerified(domain)) errors.add('domain_id', 'must be a verified sending domain');
  return domain?.id ?? before;
}

function replyToOf(given: unknown, before: ReplyTo, errors: FieldErrors): ReplyTo {
  if (given === undefined) return before;
  const parts = objectOf(given, 'reply_to', errors);
  const known: Record<string, string> = {};
  for (const part of ['display_name', 'local_part', 'domain']) {
    const value = text(parts[part], null, `reply_to.${part}`, errors);
    if (value !== null) known[part] = value;
  }
  return known;
}

function modeOf(given: unknown, before: 'rapid' | 'gradual', errors: FieldErrors): 'rapid' | 'gradual' {
  if (given === undefined || given === null) return before;
  if (given === 'rapid' || given === 'gradual') return given;
  errors.add('delivery_mode', 'is not included in the list');
  return before;
}

function optionsOf(
  given: unknown,
  before: CampaignAttributes['deliveryOptions'],
  errors: FieldErrors,
): CampaignAttributes['deliveryOptions'] {
  if (given === undefined) return before;
  const rate = objectOf(given, 'delivery_options', errors).emails_per_hour;
  if (rate === undefined) return {};
  if (rate === null) return { emails_per_hour: null };
  if (typeof rate === 'number' && Number.isSafeInteger(rate) && rate > 0) return { emails_per_hour: rate };
  const isCount = typeof rate === 'number' && Number.isSafeInteger(rate);
  errors.add('delivery_options.emails_per_hour', isCount ? 'must be greater than 0' : 'must be an integer');
  return before;
}

function idsOf(
  given: unknown,
  before: readonly number[],
  field: string,
  errors: FieldErrors,
): readonly number[] {
  if (given === undefined || given === null) return before;
  if (Array.isArray(given) && given.every((id) => Number.isSafeInteger(id) && (id as number) > 0)) {
    return [...new Set(given as number[])];
  }
  errors.add(field, INVALID);
  return before;
}

function tagsOf(given: unknown, before: readonly string[], errors: FieldErrors): readonly string[] {
  if (given === undefined || given === null) return before;
  if (Array.isArray(given) && given.every((tag) => typeof tag === 'string')) return [...given];
  errors.add('template.merge_tags', INVALID);
  return before;
}

function objectOf(given: unknown, field: string, errors: FieldErrors): Fields {
  if (given === undefined || given === null) return {};
  if (typeof given === 'object' && !Array.isArray(given)) return given as Fields;
  errors.add(field, INVALID);
  return {};
}
