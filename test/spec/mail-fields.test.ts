import { EmailPlatform, isKnownEmailLogEvent } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import {
  dateTime,
  everyRow,
  flag,
  integer,
  kind,
  listOf,
  orNull,
  record,
  text,
  url,
  uuid,
  type Rows,
} from './rows.ts';

// A declared type that differs from its row follows the public reference or a recorded exchange.

const status = kind<EmailPlatform.EmailLogStatus>(text.fits);
const stream = kind<EmailPlatform.EmailLogMessage['sending_stream']>(
  (value) => value === 'transactional' || value === 'bulk',
);

/** These are only in the public reference. */
type Threading = 'rfc_message_id' | 'in_reply_to' | 'references' | 'thread_id';

const message: Rows<Omit<EmailPlatform.EmailLogMessage, Threading>> = {
  message_id: ['message_id | string (UUID)', uuid],
  status: ['status | string | Allowed values: not shown', status],
  subject: ['subject | string', orNull(text)],
  from: ['from | string | Sender address', text],
  to: ['to | string | Recipient address', text],
  sent_at: ['sent_at | string (ISO 8601 date-time)', dateTime],
  client_ip: ['client_ip | string or null', orNull(text)],
  category: ['category | string', orNull(text)],
  custom_variables: ['custom_variables | object | Key/value map', orNull(record)],
  sending_stream: ['sending_stream | string | The stream used (transactional or bulk)', stream],
  domain_id: ['domain_id | integer', integer],
  sending_domain_id: ['domain_id | integer (under an account, by recorded exchanges)', integer, 'not always'],
  template_id: ['template_id | integer or null', orNull(integer)],
  template_variables: ['template_variables | object', orNull(record)],
  opens_count: ['opens_count | integer', integer],
  clicks_count: ['clicks_count | integer', integer],
};

const event: Rows<EmailPlatform.UnknownEmailLogEvent> = {
  event_type: ['event_type | string (click and spam are seen)', text],
  created_at: ['created_at | string (ISO 8601 date-time)', dateTime],
  details: ['details | object; keys depend on the event type', record],
};

const details: Rows<Omit<EmailPlatform.EmailLogMessageDetails, keyof EmailPlatform.EmailLogMessage>> = {
  raw_message_url: [
    'raw_message_url: string, a temporary signed URL for downloading the raw .eml message',
    url,
  ],
  events: [
    'events: array of log events (see Events)',
    kind<EmailPlatform.EmailLogEvent[]>(listOf(record).fits),
  ],
};

const threading: Rows<Pick<EmailPlatform.EmailLogMessageDetails, Threading>> = {
  rfc_message_id: ['The value of the RFC 5322 Message-ID header', orNull(text), 'not always'],
  in_reply_to: ['The value of the RFC 5322 In-Reply-To header', orNull(text), 'not always'],
  references: ['The value of the RFC 5322 References header', listOf(text), 'not always'],
  thread_id: [
    'the id of the inbound thread the message belongs to (null if none)',
    orNull(text),
    'not always',
  ],
};

const click: Rows<EmailPlatform.ClickDetails> = {
  click_url: ['for click, click_url (string)', orNull(url)],
  web_ip_address: ['for click, web_ip_address (string)', orNull(text), 'not always'],
};

const spam: Rows<EmailPlatform.SpamDetails> = {
  spam_feedback_type: ['for spam, spam_feedback_type (string)', orNull(text), 'not always'],
};

/** Emails from a template and with content of their own, to different kinds of recipients, with all their events. */
async function sent() {
  // Messages come in both forms: the path that names the account has the recorded one.
  const emulator = createEmulator({ answers: 'recorded' });
  const client = new EmailPlatform(emulator.clientOptions());
  const from = { email: 'hello@mail.example.com' };
  const to = [{ email: 'ann@gmail.com' }, { email: 'spam@example.org' }];
  const { uuid: template_uuid } = await client.templates.create({
    name: 'Welcome',
    subject: 'Hello {{name}}',
    category: 'onboarding',
    body_html: '<a href="https://shop.example.com/">Shop</a>',
  });
  await client.sending.send({
    from,
    to,
    subject: 'Hi',
    text: 'Hello',
    category: 'c',
    custom_variables: { n: 1 },
  });
  await client.sending.send(
    { from, to, template_uuid, template_variables: { name: 'Ann' } },
    { stream: 'bulk' },
  );
  emulator.clock.advance(600_000);
  const { accountId } = emulator.clientOptions();
  const messages = [
    ...(await client.emailLogs.list().toArray()),
    ...(await client.emailLogs.list({}, { accountId }).toArray()),
  ];
  const read = () => Promise.all(messages.map(({ message_id }) => client.emailLogs.get(message_id)));
  return { emulator, client, messages, read };
}

const happened = async () => (await (await sent()).read()).flatMap(({ events }) => events);
const detailsOf = async (type: string) =>
  (await happened()).filter(({ event_type }) => event_type === type).map((one) => one.details);

everyRow('Resources and their fields: Email log message', message, async () => (await sent()).messages);
everyRow('Resources and their fields: Email log message, the detail view adds', details, async () =>
  (await sent()).read(),
);
everyRow(
  'Resources and their fields: Email log message, the detail view adds (names from the public reference)',
  threading,
  async () => (await sent()).read(),
);
everyRow('Events', event, async () => (await happened()) as EmailPlatform.UnknownEmailLogEvent[]);
everyRow(
  'Events: details keys seen',
  click,
  async () => (await detailsOf('click')) as EmailPlatform.ClickDetails[],
);
everyRow('Events: details keys seen', spam, async () => detailsOf('spam'));

describe('Events', () => {
  test('can be distinguished by event_type', async () => {
    const links = (await happened())
      .filter(isKnownEmailLogEvent)
      .map((one) => (one.event_type === 'click' ? one.details.click_url : undefined))
      .filter((link) => link !== undefined);
    expect(new Set(links)).toContain('https://shop.example.com/');
  });

  test('raw_message_url leads to the raw .eml message', async () => {
    const { client, read } = await sent();
    const [first] = await read();
    const raw = new TextDecoder().decode(await client.emailLogs.downloadRaw(first?.raw_message_url ?? ''));
    expect(raw).toContain(`Message-ID: ${first?.rfc_message_id ?? ''}`);
  });
});

const compliance = kind<EmailPlatform.ComplianceStatus>(text.fits);
const recordStatus = kind<EmailPlatform.DnsRecordStatus>((value) =>
  ['pass', 'fail', 'unchecked'].some((known) => known === value),
);

const domain: Rows<Pick<EmailPlatform.SendingDomain, 'dns_verified' | 'dns_records' | 'compliance_status'>> =
  {
    dns_verified: ['dns_verified: boolean', flag],
    dns_records: [
      'dns_records: array; each record has status, one of pass, fail, unchecked',
      kind<EmailPlatform.SendingDomain['dns_records']>(
        (value) =>
          listOf(record).fits(value) &&
          (value as { status: unknown }[]).every(({ status: one }) => recordStatus.fits(one)),
      ),
    ],
    compliance_status: [
      'compliance_status: progresses under_review, then awaiting_questionnaire, then compliant, after DNS verification',
      compliance,
    ],
  };

everyRow('Resources and their fields: Sending domain (as far as used)', domain, async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  const made = await client.sendingDomains.create({ domain_name: 'news.example.com' });
  return [made, ...(await client.sendingDomains.list().toArray()), await client.sendingDomains.get(made.id)];
});

describe('Resources and their fields: Sending domain (as far as used)', () => {
  test('a domain is verified when all records are pass; then it is reviewed', async () => {
    const emulator = createEmulator({ domains: { propagateMs: 60_000, reviewMs: 60_000 } });
    const client = new EmailPlatform(emulator.clientOptions());
    const { id } = await client.sendingDomains.create({ domain_name: 'news.example.com' });
    const steps: unknown[] = [];
    for (const ms of [0, 30_000, 30_000, 60_000, 60_000]) {
      emulator.clock.advance(ms);
      const one = await client.sendingDomains.get(id);
      const found = [...new Set(one.dns_records.map((each) => each.status))].sort();
      expect(one.dns_verified).toBe(client.sendingDomains.isVerified(one));
      steps.push([found, one.dns_verified, one.compliance_status]);
    }
    expect(steps).toEqual([
      [['unchecked'], false, 'unverified_dns'],
      [['pass', 'unchecked'], false, 'unverified_dns'],
      [['pass'], true, 'under_review'],
      [['pass'], true, 'awaiting_questionnaire'],
      [['pass'], true, 'compliant'],
    ]);
  });
});

const template: Rows<Pick<EmailPlatform.Template, 'name' | 'subject' | 'category' | 'uuid'>> = {
  name: ['name (string)', text],
  subject: ['subject (string)', text],
  category: ['category (string)', text],
  uuid: ['uuid (UUID, assigned on creation)', uuid],
};

everyRow('Resources and their fields: Email template (as far as used)', template, async () => {
  const client = new EmailPlatform(createEmulator({ seed: 'demo' }).clientOptions());
  const made = await client.templates.create({ name: 'Welcome', subject: 'Hello', category: 'onboarding' });
  return [made, await client.templates.get(made.id), ...(await client.templates.list().toArray())];
});
