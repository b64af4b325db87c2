/**
 * A report of the last seven days: every day, every domain, and who no email is sent to any more. Seven requests in all.
 *
 *     npx tsx examples/weekly-report.ts
 */
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { bar, heading, line, percent, row } from './print.ts';

// As in the service, a hard bounce stops later email.
const emulator = createEmulator({ seed: 'demo', suppressions: { stopAfterEvents: true } });
const client = new EmailPlatform(emulator.clientOptions());

const DAY_MS = 86_400_000;
const now = emulator.clock.now();
const day = (time: number) => new Date(time).toISOString().slice(0, 10);
const week = { start_date: day(now - 6 * DAY_MS), end_date: day(now) };

const figures = ({ delivery_count, delivery_rate, open_rate }: EmailPlatform.EmailStats) =>
  `${String(delivery_count).padStart(4)} delivered ${bar(delivery_rate, 12)}  ${percent(open_rate)} opened`;

heading(`From ${week.start_date} to ${week.end_date}`);
const total = await client.stats.get(week);
row('all emails', figures(total));
row('bounced', `${total.bounce_count}, ${percent(total.bounce_rate)}`);
row('spam', `${total.spam_count}, ${percent(total.spam_rate)}`);

heading('By day');
for (const { date, stats } of await client.stats.byDate(week)) row(date, figures(stats));

heading('By sending domain');
const domains = await client.sendingDomains.list().toArray();
const names = new Map(domains.map(({ id, domain_name }) => [id, domain_name]));
for (const { domain_id, stats } of await client.stats.byDomain(week))
  row(names.get(domain_id) ?? String(domain_id), figures(stats));

heading('By email provider');
for (const { email_service_provider, stats } of await client.stats.byEmailServiceProvider(week))
  row(email_service_provider, figures(stats));

heading('No email any more');
const reasons = new Map<string, number>();
// The service reads the time itself: nothing older is returned.
for await (const { type } of client.suppressions.list({ start_time: new Date(week.start_date) }))
  reasons.set(type, (reasons.get(type) ?? 0) + 1);
for (const [reason, count] of reasons) line(`${String(count).padStart(4)}  ${reason}`);
row('requests', emulator.requests.length);
