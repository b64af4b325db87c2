import { iso, isoOrNull } from '../../../encoding/iso.ts';
import type { Sum } from '../../state/emails/sums.ts';
import type { CampaignRecord } from '../../state/delivery/campaigns.ts';

/** A campaign in the list: everything except the bodies of its template. */
export function campaignSummary(campaign: CampaignRecord, domainName: string): Record<string, unknown> {
  const { attributes, lastStartedAt } = campaign;
  return {
    id: campaign.id,
    domain_id: attributes.domainId,
    domain_name: domainName,
    name: attributes.name,
    from_local_part: attributes.fromLocalPart,
    from_display_name: attributes.fromDisplayName,
    reply_to: attributes.replyTo,
    current_state: campaign.state,
    current_state_metadata: campaign.metadata,
    created_at: iso(campaign.createdAt),
    updated_at: iso(campaign.updatedAt),
    last_started_at: isoOrNull(lastStartedAt),
    ...(lastStartedAt === null ? {} : { last_started_at_date: iso(lastStartedAt).slice(0, 10) }),
    recipient_total_count: campaign.recipients,
    contact_list_ids: attributes.contactListIds,
    contact_segment_ids: attributes.contactSegmentIds,
    delivery_mode: attributes.deliveryMode,
    delivery_options: attributes.deliveryOptions,
    template: { id: campaign.templateId, subject: attributes.subject, merge_tags: attributes.mergeTags },
  };
}

/** A campaign in the responses of create, update, get and the actions. */
export function campaignDetail(campaign: CampaignRecord, domainName: string): Record<string, unknown> {
  const { attributes } = campaign;
  return {
    ...campaignSummary(campaign, domainName),
    template: {
      id: campaign.templateId,
      subject: attributes.subject,
      merge_tags: attributes.mergeTags,
      body_html: attributes.bodyHtml,
      body_text: attributes.bodyText,
    },
  };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The figures of a campaign: the counts of its emails, and those of the recipients that the emulator does not know. The
 * latter follow from the id of the campaign, so that every run has the same figures. They belong to the day of the last
 * start: a date range without that day has none of them.
 *
 * @param sums - the sums of the messages in the log.
 */
export function campaignStats(
  campaign: CampaignRecord,
  sentShare: number,
  query: URLSearchParams,
  sums: readonly Sum[],
): Record<string, number> {
  const unknown = (campaign.recipients ?? 0) - campaign.known;
  const sent = isInRange(dayOfStart(campaign), query) ? Math.floor(unknown * sentShare) : 0;
  const part = (of: number, percent: number, spread: number) =>
    Math.floor((of * (percent + (campaign.id % spread))) / 100);
  const bounced = part(sent, 1, 3);
  const delivered = sent - bounced;
  const opened = part(delivered, 30, 25);
  const own = sums.filter(
    ({ mailing, day }) => mailing === campaign.mailing?.facts.base && isInRange(day, query),
  );
  const total = (outcome: string, ofUnknown: number) =>
    own.reduce((sum, { counts }) => sum + (counts[outcome] ?? 0), ofUnknown);
  const counts = {
    sent: total('sent', sent),
    delivery: total('delivery', delivered),
    bounce: total('bounce', bounced),
    spam: total('spam', Math.floor(sent / 2000)),
    open: total('open', opened),
    click: total('click', part(opened, 10, 15)),
    unsubscription: total('unsubscribe', Math.floor(delivered / 250)),
  };
  const rate = (count: number, of: number) => (of === 0 ? 0 : count / of);
  return {
    sent_count: counts.sent,
    delivery_count: counts.delivery,
    delivery_rate: rate(counts.delivery, counts.sent),
    bounce_count: counts.bounce,
    bounce_rate: rate(counts.bounce, counts.sent),
    spam_count: counts.spam,
    spam_rate: rate(counts.spam, counts.sent),
    open_count: counts.open,
    open_rate: rate(counts.open, counts.delivery),
    click_count: counts.click,
    click_rate: rate(counts.click, counts.delivery),
    unsubscription_count: counts.unsubscription,
    unsubscription_rate: rate(counts.unsubscription, counts.delivery),
  };
}

const dayOfStart = ({ lastStartedAt }: CampaignRecord): string | undefined =>
  lastStartedAt === null ? undefined : iso(lastStartedAt).slice(0, 10);

/** Whether a day is in the requested range. An invalid date is ignored. */
function isInRange(day: string | undefined, query: URLSearchParams): boolean {
  if (day === undefined) return false;
  const from = query.get('start_date');
  const to = query.get('end_date');
  if (from !== null && DAY.test(from) && day < from) return false;
  return to === null || !DAY.test(to) || day <= to;
}
