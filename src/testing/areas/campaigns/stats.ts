import { iso } from '../../iso.ts';
import type { CampaignRecord } from './record.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The figures of a campaign. They are derived from its id and its audience, so that they are the same in every run. All of
 * them belong to the day on which it was last started: a date range without that day contains zeros.
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
