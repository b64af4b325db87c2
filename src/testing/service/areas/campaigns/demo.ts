import type { Random } from '../../state/base/random.ts';
import type { DomainRecord } from '../../state/account/domains.ts';
import type { World } from '../../state/world.ts';
import type {
  CampaignAttributes,
  CampaignRecord,
  EmulatorCampaignState,
} from '../../state/delivery/campaigns.ts';

const HOUR = 3_600_000;
const COUNT = 240;

const OCCASIONS = [
  'Spring Sale',
  'Summer Preview',
  'Autumn Lookbook',
  'Winter Clearance',
  'Black Friday',
  'Back to School',
  'Spring Cleaning Tips',
  "Valentine's Day",
  'New Year Offers',
  'Members Only',
] as const;
const KINDS = [
  'Newsletter',
  'Announcement',
  'Reminder',
  'Last Call',
  'Early Access',
  'Product Digest',
] as const;
const SENDERS = [
  ['news', 'The Newsroom'],
  ['offers', 'Weekly Offers'],
  ['hello', null],
  ['team', 'Your Team'],
] as const;
const EMAILS_PER_HOUR = [500, 2000, 10_000] as const;

// The frequency of the states is roughly that of a busy account.
const STATES = [
  'finished',
  'finished',
  'draft',
  'finished',
  'scheduled',
  'finished',
  'failed',
  'finished',
  'draft',
  'started',
  'finished',
  'queued',
  'finished',
  'paused',
  'finished',
  'under_review',
  'draft',
  'terminating',
  'finished',
  'failed_immediately',
] as const satisfies readonly EmulatorCampaignState[];

/** Adds a few hundred campaigns. They are always the same, except for their dates, which precede the current time. */
export function seedCampaigns(world: World): void {
  const { clock, accountId, campaigns } = world;
  const random = world.streams.of('demo campaigns');
  const domains = world.domains.usable(accountId);
  const now = clock.now();
  for (let index = 0; index < COUNT; index += 1) {
    const createdAt = now - (COUNT - index) * 7 * HOUR;
    const campaign = campaigns.add(accountId, attributesFor(random, domains, index), createdAt);
    place(world, random, campaign, STATES[index % STATES.length] ?? 'finished', now);
  }
}

function attributesFor(
  random: Random,
  domains: readonly [DomainRecord, ...DomainRecord[]],
  index: number,
): CampaignAttributes {
  const occasion = random.pick(OCCASIONS);
  const kind = random.pick(KINDS);
  const domain = random.pick(domains);
  const [fromLocalPart, fromDisplayName] = random.pick(SENDERS);
  const gradual = random.next() < 0.2;
  const subject =
    random.next() < 0.5 ? `{{first_name}}, ${occasion.toLowerCase()} is here` : `${occasion}: ${kind}`;
  return {
    name: `${occasion} ${kind} #${index + 1}`,
    domainId: domain.id,
    fromLocalPart,
    fromDisplayName,
    replyTo:
      random.next() < 0.3 ? { display_name: 'Support', local_part: 'support', domain: domain.name } : {},
    deliveryMode: gradual ? 'gradual' : 'rapid',
    deliveryOptions: gradual ? { emails_per_hour: random.pick(EMAILS_PER_HOUR) } : {},
    contactListIds: [random.between(1, 40)],
    contactSegmentIds: random.next() < 0.25 ? [random.between(1, 12)] : [],
    subject,
    bodyHtml: [
      `<h1>${occasion}</h1><p>Hello {{first_name}}, here is our ${kind.toLowerCase()}.</p>`,
      '<p><a href="__unsubscribe_url__">Unsubscribe</a></p>',
    ].join('\n'),
    bodyText: random.next() < 0.7 ? `Hello {{first_name}}!\n\nUnsubscribe: __unsubscribe_url__\n` : null,
    mergeTags: ['first_name'],
  };
}

function place(
  { lifecycle, settings }: World,
  random: Random,
  campaign: CampaignRecord,
  state: EmulatorCampaignState,
  now: number,
): void {
  switch (state) {
    case 'draft':
      // Some drafts are not ready to be sent: they have no body or no audience.
      if (random.next() < 0.3) campaign.attributes.bodyHtml = null;
      if (random.next() < 0.2) campaign.attributes.contactListIds = [];
      return;
    case 'scheduled':
      lifecycle.planStart(campaign, now + random.between(2, 600) * HOUR, now - HOUR);
      return;
    case 'started':
      lifecycle.beginWithoutEmails(campaign, now);
      return;
    case 'terminating':
      lifecycle.beginWithoutEmails(campaign, now - Math.min(settings.campaigns.sendMs, HOUR) / 2);
      lifecycle.terminate(campaign, now);
      return;
    case 'finished':
      campaign.sentShare = 1;
      lifecycle.setState(campaign, 'finished', campaign.createdAt + 2 * HOUR);
      return;
    case 'failed':
      campaign.sentShare = 0.25;
      lifecycle.setState(campaign, 'failed', campaign.createdAt + 2 * HOUR, {
        error: 'Sending was interrupted',
        errors: [{ message: 'Mailbox is unavailable', rcpt_index: 3 }],
      });
      return;
    case 'failed_immediately':
      lifecycle.setState(campaign, state, campaign.createdAt + HOUR, { error: 'The audience is empty' });
      return;
    case 'under_review':
      lifecycle.setState(campaign, state, campaign.createdAt + HOUR, { reason: 'Content is being reviewed' });
      return;
    case 'queued':
    case 'paused':
      lifecycle.setState(campaign, state, campaign.createdAt + HOUR);
      return;
  }
}
