/**
 * A tour of the client: one campaign from draft to finished, with some mistakes on the way; then a domain, single emails,
 * and their outcomes. It runs against the emulator, on a real port of this machine. No email leaves the machine.
 *
 *     npm start
 */
import { EmailPlatform, isKnownEmailLogEvent, LifecycleError, ValidationError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { bar, bold, dim, green, heading, line, percent, red, row } from './print.ts';

const emulator = createEmulator({ seed: 'demo' });
const server = await emulator.listen({ port: 0 });
const client = new EmailPlatform(server.clientOptions());

console.log(`\n${bold('email-platform')}  a campaign from draft to finished, and single emails`);
console.log(dim(`The service is emulated at ${server.url}; no email leaves this machine.`));

// ---------------------------------------------------------------------------------------------------------------------
heading('Create a draft');

const [verified, unverified] = emulator.domains.list();
if (!verified || !unverified) throw new Error('The demo seed has domains of both kinds.');

const draft = await client.campaigns.create({
  name: 'Spring in the garden',
  domain_id: verified.id,
  from_local_part: 'news',
  template_attributes: { subject: 'Hello {{first_name}}, spring is here', merge_tags: ['first_name'] },
});
row('campaign', `${draft.id}  ${draft.name}`);
row('from', `${draft.from_local_part}@${draft.domain_name}`);
row('subject', draft.template.subject);
row('state', draft.current_state);

// ---------------------------------------------------------------------------------------------------------------------
heading('Make mistakes, and catch them by class');

try {
  await client.campaigns.update(draft.id, { name: '', domain_id: unverified.id });
} catch (error) {
  if (!(error instanceof ValidationError)) throw error;
  line(`${red(error.name)}  the service responded with ${error.status} and changed nothing`);
  for (const [field, messages] of Object.entries(error.fieldErrors)) row(`  ${field}`, messages.join(', '));
}

try {
  await client.campaigns.start(draft.id);
} catch (error) {
  if (!(error instanceof LifecycleError)) throw error;
  line(`${red(error.name)}  not ready to be sent, for all of these reasons`);
  for (const reason of error.reasons) line(`  ${reason}`);
}

// ---------------------------------------------------------------------------------------------------------------------
heading('Give it readers and a body');

const list = await client.contacts.lists.create({ name: 'Gardeners' });
const gardeners = Array.from({ length: 311 }, (_, id) => ({
  email: `gardener${id}@example.org`,
  fields: { first_name: `Gardener ${id}` },
  list_ids_included: [list.id],
}));
const { id: importId } = await client.contacts.imports.create({ contacts: gardeners });
emulator.clock.advance(2000); // The service carries imports out on its own.
const imported = await client.contacts.imports.waitUntilFinished(importId);
row('import', `${imported.created_contacts_count ?? 0} contacts, ${imported.status}`);
const { data: left } = await client.contacts.update('gardener7@example.org', { unsubscribed: true });
row('contact', `${left.email}  ${left.status}`);

const ready = await client.campaigns.update(draft.id, {
  contact_list_ids: [list.id],
  template_attributes: {
    body_html:
      '<h1>Hello {{first_name}}</h1><p>Time to sow.</p><a href="__unsubscribe_url__">Unsubscribe</a>',
  },
});
row('audience', `contact list ${ready.contact_list_ids.join(' and ')}, "${list.name}"`);
row('body', `${ready.template.body_html?.length ?? 0} characters`);
row('subject', `${ready.template.subject}  ${dim('(not given, so kept)')}`);

// ---------------------------------------------------------------------------------------------------------------------
heading('Search a list of many pages');

let found = 0;
for await (const page of client.campaigns.list({ search: 'spring', per_page: 20 }).pages()) {
  found += page.items.length;
  const [first] = page.items;
  row(`page ${page.pagination.token}`, `${page.items.length} campaigns, from "${first?.name ?? ''}"`);
}
row('found', `${found} campaigns`);

const drafts: string[] = [];
for await (const campaign of client.campaigns.list()) {
  if (campaign.current_state === 'draft') drafts.push(campaign.name);
  if (drafts.length === 3) break; // The pages after this one are never requested.
}
row('first drafts', drafts.join(', '));

// ---------------------------------------------------------------------------------------------------------------------
heading('Schedule it, and change your mind');

const tomorrow = new Date(Date.now() + 24 * 3_600_000);
const scheduled = await client.campaigns.schedule(draft.id, { datetime: tomorrow });
row(scheduled.current_state, `for ${scheduled.current_state_metadata.scheduled_at ?? 'an unknown time'}`);

const cancelled = await client.campaigns.cancel(draft.id);
row('cancelled', `back to ${cancelled.current_state}`);

// ---------------------------------------------------------------------------------------------------------------------
heading('Send it, and advance the clock');

let campaign = await client.campaigns.start(draft.id);
for (let seconds = 0; ; seconds += 15) {
  const total = campaign.recipient_total_count ?? 0;
  const { sent_count } = await client.campaigns.stats(draft.id);
  const progress = `${bar(sent_count / total)}  ${String(sent_count).padStart(4)} of ${total}`;
  row(`${String(seconds).padStart(2)} s`, `${progress}  ${campaign.current_state}`);
  if (campaign.current_state === 'finished') break;
  emulator.clock.advance(15_000); // Sending takes a minute on this clock.
  campaign = await client.campaigns.get(draft.id);
}

// ---------------------------------------------------------------------------------------------------------------------
heading('Read how it went');

emulator.clock.advance(180_000); // On this clock, readers take up to two minutes.
const stats = await client.campaigns.stats(draft.id);
row('delivered', `${String(stats.delivery_count).padStart(4)}  ${percent(stats.delivery_rate)} of sent`);
row('opened', `${String(stats.open_count).padStart(4)}  ${percent(stats.open_rate)} of delivered`);
row('clicked', `${String(stats.click_count).padStart(4)}  ${percent(stats.click_rate)} of delivered`);
row('bounced', `${String(stats.bounce_count).padStart(4)}  ${percent(stats.bounce_rate)} of sent`);

// ---------------------------------------------------------------------------------------------------------------------
heading('Verify a domain of your own');

const domain = await client.sendingDomains.create({ domain_name: 'tour.example.com' });
const [record] = domain.dns_records;
row(
  'to set up',
  `${record?.type ?? ''} ${record?.name ?? ''}  and ${domain.dns_records.length - 1} more records`,
);
await client.sendingDomains.waitUntilVerified(domain.id, {
  pollMs: 10, // Ten seconds by default; short for this tour.
  onProgress: ({ dns_records }) => {
    const passing = dns_records.filter(({ status }) => status === 'pass').length;
    row(
      `${passing} of ${dns_records.length}`,
      passing === dns_records.length ? green('verified') : 'records pass',
    );
    emulator.clock.advance(30_000);
  },
});

// ---------------------------------------------------------------------------------------------------------------------
heading('Send an email, and one from a template');

const from = { email: 'hello@tour.example.com', name: 'The tour' };
const { message_ids } = await client.sending.send({
  from,
  to: [{ email: 'ann@example.net' }],
  subject: 'Your order',
  html: '<p>It is <a href="https://example.com/orders/7">on its way</a>.</p>',
  category: 'tour',
});
const messageId = message_ids[0] ?? '';
row('sent', messageId);

const template = await client.templates.create({
  name: 'Welcome',
  subject: 'Welcome, {{name}}',
  category: 'tour',
  body_html: '<p>Good to see you, {{name}}.</p>',
});
await client.sending.send({
  from,
  to: [{ email: 'ben@example.net' }],
  template_uuid: template.uuid,
  template_variables: { name: 'Ben' },
});
row('sent', `${template.name}, to Ben`);

// ---------------------------------------------------------------------------------------------------------------------
heading('Read a test email in its inbox');

const inbox = server.clientOptions().sandboxInboxId;
await client.sending.send(
  {
    from,
    to: [{ email: 'cy@example.net' }],
    subject: 'Confirm your address',
    html: '<p><a href="https://example.com/confirm?code=7">Confirm</a></p>',
    attachments: [{ filename: 'terms.txt', content: new TextEncoder().encode('Be good to us.') }],
  },
  { stream: 'sandbox' }, // Captured, not delivered.
);
const received = await client.sandbox.messages.waitFor({ inbox, to: 'cy@example.net' });
row('received', `${received.subject}, for ${received.to_email}`);
const html = await client.sandbox.messages.html(inbox, received.id);
row('link', /href="([^"]+)"/.exec(html)?.[1] ?? 'none');
for (const file of await client.sandbox.attachments.list(inbox, received.id).toArray()) {
  const { byteLength } = await client.sandbox.attachments.download(file);
  row('attached', `${file.filename}, ${byteLength} bytes`);
}

// ---------------------------------------------------------------------------------------------------------------------
heading('Send 1200 emails');

const readers = Array.from({ length: 1200 }, (_, index) => ({
  to: [{ email: `reader${index}@example.net` }],
}));
const base = {
  from,
  subject: 'News',
  html: '<p>Here is the <a href="https://example.com">news</a>.</p>',
  category: 'tour',
};
const outcomes = { accepted: 0, rejected: 0, not_sent: 0, unknown: 0, key_reused: 0 };
for await (const { status } of client.sending.batchAll(readers, {
  base,
  onProgress: ({ done, calls }) =>
    row(`call ${calls}`, `${bar(done / readers.length)}  ${String(done).padStart(4)}`),
})) {
  outcomes[status] += 1;
}
row('accepted', `${outcomes.accepted}, each with its own outcome`);

// ---------------------------------------------------------------------------------------------------------------------
heading('Follow one of them to its click');

for (let seen = 0; ;) {
  const { events, status } = await client.emailLogs.get(messageId);
  for (const event of events.slice(seen).filter(isKnownEmailLogEvent)) {
    row(event.event_type, event.event_type === 'click' ? (event.details.click_url ?? '') : event.created_at);
  }
  seen = events.length;
  if (events.some(({ event_type }) => event_type === 'click')) break;
  if (seen === 0) row(status, 'no events yet');
  emulator.clock.advance(60_000);
}

// ---------------------------------------------------------------------------------------------------------------------
heading('Export the log of the day');

const day = { sent_after: new Date(emulator.clock.now() - 24 * 3_600_000) };
const statuses = new Map<string, number>();
let pages = 0;
for await (const page of client.emailLogs.list({ filters: day }).pages()) {
  pages += 1;
  for (const { status } of page.items) statuses.set(status, (statuses.get(status) ?? 0) + 1);
}
for (const [status, count] of statuses) row(status, String(count).padStart(4));
row('read', `${pages} pages`);

line();
line(green(`Done, in ${emulator.requests.length} requests.`));

await server.close();

console.log(`\n${bold('What to try next')}`);
row('npm test', 'the tests, this tour among them');
row('examples/', 'short programs; run one with npx tsx examples/errors-by-class.ts');
row('docs/', 'guides; start with docs/getting-started.md');
console.log();
