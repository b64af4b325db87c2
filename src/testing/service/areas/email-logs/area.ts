import { area } from '../../routing/area.ts';
import type { World } from '../../state/world.ts';
import { addLog, logControls, usualFacts } from './controls.ts';
import { Courses } from '../../state/emails/course.ts';
import { logRoutes } from './routes.ts';
import { logOptions, LogStore } from '../../state/emails/email-log.ts';
import { sourceOf } from './view.ts';

const QUARTER_HOUR = 900_000;
const COUNT = 7 * 24 * 4;

const PEOPLE = ['ann', 'ben', 'carla', 'dmitri', 'eve', 'fatima', 'george', 'hana', 'ivan', 'julia'] as const;
const PROVIDERS = ['gmail.com', 'yahoo.com', 'outlook.com', 'example.org', 'example.net'] as const;
const LOCAL_PARTS = ['bounce', 'soft-bounce', 'spam', 'unsubscribe', 'reject', 'quiet', 'open'] as const;
const KINDS = [
  ['Your receipt #', 'receipts'],
  ['Reset your password', 'password-reset'],
  ['Your order has shipped', 'orders'],
  ['New sign-in to your account', 'security'],
] as const;

/** Adds a message for each quarter of an hour of the last week. A tenth of them are digests on the bulk stream. */
function seedLogs(world: World): void {
  const { accountId, clock, streams } = world;
  const random = streams.of('demo mail');
  const domains = world.domains.usable(accountId);
  const templates = world.templates.of(accountId);
  const now = clock.now();
  for (let index = 0; index < COUNT; index += 1) {
    const domain = random.pick(domains);
    const name = random.pick(PEOPLE);
    // Most messages are delivered and read.
    const local = random.next() < 0.2 ? `${random.pick(LOCAL_PARTS)}+${name}` : name;
    const bulk = random.next() < 0.1;
    const [subject, category] = random.pick(KINDS);
    const template = random.next() < 0.3 ? templates[random.between(0, templates.length - 1)] : undefined;
    addLog(
      world,
      random,
      usualFacts(domain.accountId, domain),
      {
        to: `${local}@${random.pick(PROVIDERS)}`,
        from: `${bulk ? 'news' : 'hello'}@${domain.name}`,
        subject:
          template?.fields.subject ?? (bulk ? 'Your weekly digest' : subject.replace('#', `#${index + 1}`)),
        category: template?.fields.category ?? (bulk ? 'digest' : category),
        sending_stream: bulk ? 'bulk' : 'transactional',
        sent_at: now - (COUNT - index) * QUARTER_HOUR,
        client_ip: '203.0.113.5',
        custom_variables: random.next() < 0.5 ? { user_id: String(random.between(1, 500)) } : null,
        template_id: template?.id ?? null,
        template_variables: template === undefined ? null : { name },
      },
      now,
    );
  }
  for (const message of world.logs.sorted(accountId)) world.readers.expect(message, random);
}

/** The email logs. */
export const emailLogs = area<'logs' | 'courses', 'logs'>({
  name: 'email-logs',
  options: { logs: logOptions },
  keep: (world) => ({
    logs: new LogStore(world.state, world.settings.logs.keep, (record) => {
      world.sums.add(record);
      world.sources.logged(record, () => world.clock.now());
    }),
    courses: new Courses(world.settings.sending),
  }),
  routes: logRoutes,
  seed: (world, seed) => {
    if (seed === 'demo') seedLogs(world);
  },
  file: ({ logs, readerLinks }, path) => {
    const record = logs.anywhere(/^\/messages\/(.+)\.eml$/.exec(path)?.[1] ?? '');
    return record && { type: 'message/rfc822', body: sourceOf(record, readerLinks) };
  },
  controls: logControls,
});
