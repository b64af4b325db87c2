import type { Random } from '../../random.ts';
import type { DomainRecord } from '../domains/record.ts';
import type { Course, Courses, Tracking } from '../logs/course.ts';
import type { EmulatorStream, MailFacts } from '../logs/record.ts';
import type { LogStore } from '../logs/store.ts';
import type { Mail } from './mail.ts';
import type { Outbox } from './outbox.ts';

/** Where accepted mail goes. */
export interface Delivery {
  readonly random: Random;
  readonly outbox: Outbox;
  readonly logs: LogStore;
  readonly courses: Courses;
  /** What becomes of mail to somebody who must not get any. */
  readonly suppressed: (accountId: number, address: string) => Course | undefined;
}

/** Sends a mail: a message in the log for each recipient. Returns their ids in the order to, cc, bcc. */
export function send(
  { random, outbox, logs, courses, suppressed }: Delivery,
  mail: Mail,
  domain: DomainRecord,
  stream: EmulatorStream,
  at: number,
): string[] {
  const facts = factsOf(mail, domain, stream);
  const tracking: Tracking = {
    opens: domain.settings.open_tracking_enabled,
    clicks: domain.settings.click_tracking_enabled,
  };
  return recipientsOf(mail).map(({ field, recipient }) => {
    const id = random.uuid();
    const to = recipient.email;
    const course = suppressed(domain.accountId, to) ?? courses.for(to, tracking);
    logs.add({ id, sentAt: at, to, mail: facts, course });
    outbox.add({ id, field, recipient, mail, stream, inboxId: null, at });
    return id;
  });
}

/** Captures a mail in a test inbox: nothing is sent, and nothing logged. */
export function capture(
  { random, outbox }: Delivery,
  mail: Mail,
  inboxId: number,
  ids: 'uuid' | 'number',
  at: number,
): string[] {
  return recipientsOf(mail).map(({ field, recipient }) => {
    const id = ids === 'uuid' ? random.uuid() : outbox.nextNumber();
    outbox.add({ id, field, recipient, mail, stream: 'sandbox', inboxId, at });
    return id;
  });
}

function recipientsOf(mail: Mail) {
  return (['to', 'cc', 'bcc'] as const).flatMap((field) =>
    mail[field].map((recipient) => ({ field, recipient })),
  );
}

function factsOf(mail: Mail, domain: DomainRecord, stream: EmulatorStream): MailFacts {
  const header = (wanted: string) =>
    Object.entries(mail.headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;
  return {
    accountId: domain.accountId,
    domainId: domain.id,
    stream,
    from: mail.from.email,
    subject: mail.subject,
    // Nobody's: set aside for documentation.
    clientIp: '203.0.113.5',
    category: mail.category,
    customVariables: mail.customVariables,
    templateId: mail.templateId,
    templateVariables: mail.templateVariables,
    inReplyTo: header('in-reply-to'),
    references: header('references')?.match(/<[^>]+>/g) ?? [],
    threadId: null,
    link: /https?:\/\/[^\s"'<>]+/.exec(mail.html ?? mail.text ?? '')?.[0] ?? `https://${domain.name}/`,
    content: mail,
  };
}
