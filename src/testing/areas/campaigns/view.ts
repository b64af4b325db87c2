import { iso, isoOrNull } from '../../iso.ts';
import type { CampaignRecord } from './store.ts';

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
 * The figures of a campaign. They follow from its id and its audience, so that every run has the same figures. All of them
 * belong to the day of the last start: a date range without that day contains zeros.
 */
export function campaignStats(
  campaign: CampaignRecord,
  sentShare: number,
  query: URLSearchParams,
): Record<string, number> {
  const sent = within(campaign, query) ? Math.floor((campaign.recipients ?? 0) * sentShare) : 0;
  const part = (of: number, percent: number, spread: number) =>
    Math.floor((of * (percent + (campaign.id % spread))) / 100);
  const bounced = part(sent, 1, 3);
  const delivered = sent - bounced;
  const opened = part(delivered, 30, 25);
  const clicked = part(opened, 10, 15);
  const complained = Math.floor(sent / 2000);
  const unsubscribed = Math.floor(delivered / 250);
  const rate = (count: number, of: number) => (of === 0 ? 0 : count / of);
  return {
    sent_count: sent,
    delivery_count: delivered,
    delivery_rate: rate(delivered, sent),
    bounce_count: bounced,
    bounce_rate: rate(bounced, sent),
    spam_count: complained,
    spam_rate: rate(complained, sent),
    open_count: opened,
    open_rate: rate(opened, delivered),
    click_count: clicked,
    click_rate: rate(clicked, delivered),
    unsubscription_count: unsubscribed,
    unsubscription_rate: rate(unsubscribed, delivered),
  };
}

/** Whether the day of the last start is in the requested range. An invalid date is ignored. */
function within(campaign: CampaignRecord, query: URLSearchParams): boolean {
  if (campaign.lastStartedAt === null) return false;
  const started = iso(campaign.lastStartedAt).slice(0, 10);
  const from = query.get('start_date');
  const to = query.get('end_date');
  if (from !== null && DAY.test(from) && started < from) return false;
  return to === null || !DAY.test(to) || started <= to;
}
