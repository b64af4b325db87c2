import { iso, isoOrNull } from '../../iso.ts';
import type { CampaignRecord } from './record.ts';

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
