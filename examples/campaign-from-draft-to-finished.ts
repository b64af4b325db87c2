/**
 * The life of a campaign in an application: create a draft, schedule it, poll until it is done, and read what one contact got.
 * Here the emulator's clock makes a day pass at once; with the real service, wait between polls.
 *
 *     npx tsx examples/campaign-from-draft-to-finished.ts
 */
import { EmailPlatform, isKnownCampaignState } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { percent, row } from './print.ts';

const hour = 3_600_000;
const emulator = createEmulator();
const client = new EmailPlatform(emulator.clientOptions());

/** Whether a campaign no longer changes by itself. A state that this version does not know may still change. */
function isDone({ current_state: state }: EmailPlatform.Campaign): boolean {
  if (!isKnownCampaignState(state)) return false;
  switch (state) {
    case 'draft':
    case 'finished':
    case 'failed':
    case 'failed_immediately':
      return true;
    case 'scheduled':
    case 'started':
    case 'queued':
    case 'paused':
    case 'terminating':
    case 'under_review':
      return false;
  }
}

/** Polls a campaign until it is done. */
async function watch(id: number, wait: () => void | Promise<void>): Promise<EmailPlatform.Campaign> {
  for (;;) {
    const campaign = await client.campaigns.get(id);
    row(new Date(emulator.clock.now()).toISOString().slice(5, 16).replace('T', ' '), campaign.current_state);
    if (isDone(campaign)) return campaign;
    await wait();
  }
}

const list = await client.contacts.lists.create({ name: 'Members' });
for (const name of ['Ann', 'Ben', 'Carla', 'Dmitri'])
  await client.contacts.create({
    email: `${name.toLowerCase()}@example.org`,
    fields: { first_name: name },
    list_ids: [list.id],
  });

const [domain] = emulator.domains.list();
const draft = await client.campaigns.create({
  name: 'Members only',
  domain_id: domain?.id ?? 0,
  from_local_part: 'members',
  from_display_name: 'The Club',
  contact_list_ids: [list.id],
  delivery_mode: 'gradual',
  delivery_options: { emails_per_hour: 1 },
  template_attributes: {
    subject: '{{first_name}}, something for you',
    body_html: '<p>Hello {{first_name}}.</p><a href="__unsubscribe_url__">Unsubscribe</a>',
    merge_tags: ['first_name'],
  },
});

await client.campaigns.schedule(draft.id, { datetime: new Date(emulator.clock.now() + 6 * hour) });
const done = await watch(draft.id, () => emulator.clock.advance(2 * hour));

const stats = await client.campaigns.stats(done.id);
row('sent', stats.sent_count);
row('opened', `${stats.open_count}, ${percent(stats.open_rate)} of those delivered`);

const [received] = emulator.messages({ to: 'carla@example.org' });
row('to Carla', received?.subject ?? 'nothing');
row('her link', received?.links[0]?.url ?? 'none');
