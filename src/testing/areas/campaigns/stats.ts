import type { CampaignRecord } from './record.ts';

const day = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The figures of a campaign, made from its id and its audience, so that they never change between runs. All of them
 * belong to the day it was last started; a range of days that leaves that day out sees zeros.
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

/** Whether the day of the last start is in the range asked for. A date that is none is ignored. */
function within(campaign: CampaignRecord, query: URLSearchParams): boolean {
  if (campaign.lastStartedAt === null) return false;
  const started = new Date(campaign.lastStartedAt).toISOString().slice(0, 10);
  const from = query.get('start_date');
  const to = query.get('end_date');
  if (from !== null && day.test(from) && started < from) return false;
  return to === null || !day.test(to) || started <= to;
}
