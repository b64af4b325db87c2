import type { EmailPlatform } from 'email-platform';
import fc from 'fast-check';
import { expect } from 'vitest';
import { FATES, type Fate, type Mail, type MessageModel } from './reference-mail.ts';
import { pick, position, steps, type Model } from './model.ts';
import { agree } from './verdict.ts';

const NO_UUID = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';

/** New addresses for every email, because an address that bounced is not sent to again. */
const addresses = (model: Model, fates: readonly Fate[]) =>
  fates.map((fate) => ({ email: `${fate}+${(model.mail.recipients += 1)}@example.org` }));

const streams = fc.constantFrom('transactional' as const, 'bulk' as const);
const someFates = fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 2 });
/** The sender's domain (mostly the one that is verified at the start) and the recipients. */
const envelope = {
  domain: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, position),
  to: someFates,
  bcc: fc.array(fc.constantFrom(...FATES), { maxLength: 1 }),
};

const senderAt = (model: Model, at: number) =>
  `news@${pick(model.mail.domains, at)?.name ?? 'nowhere.example.com'}`;

const send = steps(
  'send',
  fc.record({ ...envelope, stream: streams, template: fc.option(position) }),
  ({ domain, to, bcc, stream, template }, model, { client }) => {
    const { mail } = model;
    const email = senderAt(model, domain);
    const lists = { to: addresses(model, to), bcc: addresses(model, bcc) };
    const template_uuid = template === null ? undefined : (pick(mail.templates, template)?.uuid ?? NO_UUID);
    const words =
      template_uuid === undefined ? { subject: 'Hi', text: 'Hello https://example.com/' } : { template_uuid };
    return agree(
      client.sending.send({ from: { email }, ...lists, ...words }, { stream }),
      () => mail.accept(email, template_uuid),
      ({ message_ids }, { sender, template: from }) => {
        const recipients = [...lists.to, ...lists.bcc].map((one) => one.email);
        const subject = from?.fields.subject ?? 'Hi';
        mail.sent(message_ids, recipients, {
          sender,
          subject,
          templateId: from?.id ?? null,
          from: email,
          stream,
        });
      },
    );
  },
);

const sendBatch = steps(
  'send batch',
  fc.record({
    domain: envelope.domain,
    stream: streams,
    mails: fc.array(fc.option(someFates), { minLength: 1, maxLength: 4 }),
  }),
  async ({ domain, stream, mails }, model, { client }) => {
    const { mail } = model;
    const from = senderAt(model, domain);
    const requests = mails.map((fates) => ({
      to: fates === null ? [] : addresses(model, fates),
    }));
    const base = { from: { email: from }, subject: 'Hi', text: 'Hello https://example.com/' };
    const { success, responses } = await client.sending.batch({ base, requests }, { stream });
    expect([success, responses.length]).toEqual([true, requests.length]);
    const sender = mail.sender(from);
    for (const [index, response] of responses.entries()) {
      const recipients = (requests[index]?.to ?? []).map(({ email }) => email);
      if (!sender || recipients.length === 0) {
        expect(response).toMatchObject({ success: false, message_ids: [] });
      } else
        mail.sent(response.message_ids, recipients, {
          sender,
          subject: 'Hi',
          templateId: null,
          from,
          stream,
        });
    }
  },
);

const sendToSandbox = steps('send to sandbox', someFates, async (fates, model, { client, emulator }) => {
  const before = emulator.sandbox.messages().length;
  const mail = {
    from: { email: 'a@nowhere.example.com' },
    to: addresses(model, fates),
    subject: 'Hi',
    text: 'Hello https://example.com/',
  };
  const { message_ids } = await client.sending.send(mail, { stream: 'sandbox' });
  // As recorded: one id, however many recipients.
  expect(message_ids).toHaveLength(1);
  expect(emulator.sandbox.messages()).toHaveLength(before + fates.length);
});

function expectSameMessage(real: EmailPlatform.EmailLogMessage, message: MessageModel, mail: Mail): void {
  const happened = mail.events(message);
  expect(real).toMatchObject({
    message_id: message.id,
    status: mail.status(message),
    subject: message.subject,
    from: message.from,
    to: message.to,
    sent_at: new Date(message.sentAt).toISOString(),
    sending_stream: message.stream,
    domain_id: message.domain.id,
    template_id: message.templateId,
    opens_count: happened.filter((type) => type === 'open').length,
    clicks_count: happened.filter((type) => type === 'click').length,
  });
}

const wanted: Readonly<
  Record<string, [EmailPlatform.EmailLogFilters, (message: MessageModel, mail: Mail) => boolean]>
> = {
  all: [{}, () => true],
  bulk: [{ sending_stream: { operator: 'equal', value: 'bulk' } }, ({ stream }) => stream === 'bulk'],
  delivered: [
    { status: { operator: 'equal', value: 'delivered' } },
    (one, mail) => mail.status(one) === 'delivered',
  ],
  enqueued: [
    { status: { operator: 'equal', value: 'enqueued' } },
    (one, mail) => mail.status(one) === 'enqueued',
  ],
  'not delivered': [
    { status: { operator: 'equal', value: 'not_delivered' } },
    (one, mail) => mail.status(one) === 'not_delivered',
  ],
  'opted out': [
    { status: { operator: 'equal', value: 'opted_out' } },
    (one, mail) => mail.status(one) === 'opted_out',
  ],
  opened: [
    { events: { operator: 'include_event', value: 'open' } },
    (one, mail) => mail.events(one).includes('open'),
  ],
  'to ann': [{ to: { operator: 'ci_contain', value: 'ANN+' } }, ({ fate }) => fate === 'ann'],
  'no clicks': [
    { clicks_count: { operator: 'less_than', value: 1 } },
    (one, mail) => !mail.events(one).includes('click'),
  ],
};

const listLog = steps(
  'list log',
  fc.constantFrom(...Object.keys(wanted)),
  async (name, model, { client }) => {
    const { mail } = model;
    const [filters, isWanted] = wanted[name] ?? [{}, () => true];
    const real = await client.emailLogs.list({ filters }).toArray();
    const expected = mail.log((message) => isWanted(message, mail));
    expect(real.map(({ sent_at }) => Date.parse(sent_at))).toEqual(expected.map(({ sentAt }) => sentAt));
    expect(new Set(real.map(({ message_id }) => message_id))).toEqual(new Set(expected.map(({ id }) => id)));
    for (const one of real) expectSameMessage(one, mail.message(one.message_id), mail);
  },
);

const readMessage = steps('read message', position, (at, { mail }, { client }) => {
  const id = pick(mail.messages, at)?.id ?? NO_UUID;
  return agree(
    client.emailLogs.get(id),
    () => mail.message(id),
    (real, message) => {
      expectSameMessage(real, message, mail);
      expect(real.events.map(({ event_type }) => event_type)).toEqual(mail.events(message));
    },
  );
});

const readRaw = steps('read raw message', position, async (at, { mail }, { client }) => {
  const message = mail.messages[at % Math.max(1, mail.messages.length)];
  if (message === undefined) return 'none';
  const { raw_message_url } = await client.emailLogs.get(message.id);
  const raw = await client.emailLogs.downloadRaw(raw_message_url);
  expect(new TextDecoder().decode(raw)).toContain(`Subject: ${message.subject}`);
  return 'some';
});

/** The steps of sending and of reading the log. */
export const sendingSteps = [send, send, sendBatch, sendToSandbox, listLog, readMessage, readRaw];
