import type { EmailPlatform } from 'email-platform';
import fc from 'fast-check';
import { expect } from 'vitest';
import { inboxAt } from './inbound-steps.ts';
import { pick, position, steps, type Model, type Service } from './model.ts';
import { type Incoming, type ReceivedModel, type SentModel } from './reference-inbound.ts';
import { agree } from './verdict.ts';

/** The number of messages or threads on a page. Not published, so this is the emulator's option. */
export const PAGE_SIZE = 2;
export const NO_LONG_ID = '1234567890123456789';
export const TEXT = 'Where is it?';

export const iso = (at: number) => new Date(at).toISOString();
const subjects = fc.constantFrom('My order', 'A question');
const senders = fc.constantFrom('ann@example.org', 'Ann <ann@example.org>', 'ben@example.org');
/** Mostly a message that is there; one of the wrong inbox, one that was deleted or none, otherwise. */
export const messagePosition = fc.tuple(
  position,
  fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, position),
);
const messageAt = (model: Model, [at, other]: readonly [number, number | null]) => {
  const message = pick(model.inbound.received, at);
  const own = message?.inboxId ?? inboxAt(model, at);
  return [other === null ? own : inboxAt(model, other), message?.id ?? NO_LONG_ID] as const;
};

/** Adds emails that were sent, with the `Message-ID` that the service gave them. */
async function noteSent(
  { client }: Service,
  model: Model,
  ids: readonly string[],
  email: Pick<SentModel, 'subject' | 'thread' | 'inReplyTo'>,
): Promise<string[]> {
  const recipients: string[] = [];
  for (const id of ids) {
    const { to, rfc_message_id } = await client.emailLogs.get(id);
    const rfcId = rfc_message_id ?? '';
    expect(model.inbound.sent.map((one) => one.rfcId)).not.toContain(rfcId);
    model.inbound.posted({ ...email, id, to, rfcId, sentAt: model.now });
    recipients.push(to);
  }
  return recipients;
}

const receive = steps(
  'receive',
  fc.record({
    at: fc.array(position, { minLength: 1, maxLength: 2 }),
    /** The name at a domain of the account. */
    local: fc.constantFrom('support', 'sales'),
    from: senders,
    cc: fc.subarray(['ann@example.org', 'cy@example.org', 'Dee <dee@example.org>']),
    replyTo: fc.constantFrom(null, null, 'ann@home.example'),
    subject: subjects,
    kind: fc.constantFrom(undefined, 'invoice', 'order'),
    answers: fc.option(position),
  }),
  async ({ at, local, answers, ...fields }, model, service) => {
    const { inbound } = model;
    const inboxes = [...inbound.inboxes.values()];
    const to = at.flatMap((one) => inboxes[one % inboxes.length]?.address.replace('*', local) ?? []);
    const chosen = inbound.receiving(to);
    if (chosen.length === 0) return 'nowhere';
    const answered = answers === null ? undefined : pick([...inbound.received, ...inbound.sent], answers);
    const mail: Incoming = {
      ...fields,
      to,
      inReplyTo: answered?.rfcId ?? null,
      rfcId: `<${inbound.received.length + 1}@example.org>`,
    };
    const results = service.emulator.inbound.receive({
      from: mail.from,
      to: mail.to,
      cc: mail.cc,
      subject: mail.subject,
      text: TEXT,
      rfc_message_id: mail.rfcId,
      ...(mail.replyTo !== null && { reply_to: mail.replyTo }),
      ...(mail.inReplyTo !== null && { in_reply_to: mail.inReplyTo }),
      ...(mail.kind !== undefined && { headers: { 'X-Kind': mail.kind } }),
    });
    expect(results.map(({ inboxId }) => inboxId)).toEqual(chosen.map(({ id }) => id));
    const hasThread = answered !== undefined && inbound.continued(chosen[0]?.id ?? 0, answered.rfcId);
    for (const { inboxId, messageId, threadId } of results) {
      expect(Number.isSafeInteger(Number(messageId))).toBe(false);
      const continued = inbound.continued(inboxId, mail.inReplyTo);
      if (continued === undefined) expect(inbound.threads.has(threadId)).toBe(false);
      else expect(threadId).toBe(continued.id);
      const message = inbound.arrived(inboxId, messageId, threadId, mail, model.now);
      await checkForwards(service, model, message);
    }
    if (answered === undefined) return 'new';
    return hasThread ? 'answer in thread' : 'answer in new thread';
  },
);

/** Emails that rules sent are in the log, and in the thread of the message. */
async function checkForwards(service: Service, model: Model, message: ReceivedModel): Promise<void> {
  const { forwards = [] } = await service.client.inbound.messages.get(message.inboxId, message.id);
  expectForwards({ forwards }, message);
  const ids = forwards.map(({ message_id }) => message_id ?? '');
  const before = model.inbound.sent.length;
  const { subject, thread } = message;
  const recipients = await noteSent(service, model, ids, { subject, thread, inReplyTo: undefined });
  expect(recipients).toEqual(forwards.map(({ destination }) => destination));
  if (model.inbound.sent.length > before) model.note('forward by rule');
}

function expectForwards(
  { forwards = [] }: Pick<EmailPlatform.InboundMessage, 'forwards'>,
  message: ReceivedModel,
): void {
  expect(forwards.map((one) => `${one.rule_id} ${one.destination}`).sort()).toEqual(
    [...message.forwards].sort(),
  );
  expect(forwards.every(({ status }) => status === 'forwarded')).toBe(true);
}

function expectSameMessage(real: EmailPlatform.InboundMessage, message: ReceivedModel): void {
  const { id, inboxId, from, to, cc, replyTo, subject, rfcId, inReplyTo, receivedAt, thread } = message;
  expect(real).toMatchObject({
    ...{ id, from, to, cc, subject, inbox_id: inboxId, reply_to: replyTo, rfc_message_id: rfcId },
    ...{ in_reply_to: inReplyTo, received_at: iso(receivedAt), thread_id: thread.id, attachments: [] },
  });
  expectForwards(real, message);
}

const readReceived = steps('read mail', messagePosition, (given, model, { client }) => {
  const [inboxId, id] = messageAt(model, given);
  return agree(
    client.inbound.messages.get(inboxId, id),
    () => model.inbound.message(inboxId, id),
    (real, message) => {
      expectSameMessage(real, message);
      expect(real).toMatchObject({ text_body: TEXT, html_body: null });
    },
  );
});

const removeReceived = steps('remove mail', messagePosition, (given, model, { client }) => {
  const [inboxId, id] = messageAt(model, given);
  return agree(
    client.inbound.messages.delete(inboxId, id),
    () => (model.inbound.message(inboxId, id).isRemoved = true),
    (real) => expect(real).toBeUndefined(),
  );
});

const listReceived = steps('list mail', position, (at, model, { client }) => {
  const inboxId = inboxAt(model, at);
  return agree(
    client.inbound.messages.list(inboxId).toArray(),
    () => model.inbound.messages(inboxId),
    (real, expected) => {
      expect(real.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      for (const one of real) {
        expectSameMessage(one, model.inbound.message(inboxId, one.id));
        expect(one).not.toHaveProperty('text_body');
      }
    },
  );
});

/** Lists the messages older than a message, which may be deleted. */
const resumeList = steps('resume mail list', position, async (at, model, { client }) => {
  const cursor = pick(model.inbound.received, at);
  if (cursor === undefined || !model.inbound.inboxes.has(cursor.inboxId)) return 'no list';
  const { id: last_id, inboxId } = cursor;
  const expected = model.inbound.messagesAfter(inboxId, cursor).map(({ id }) => id);
  const page = await client.inbound.messages.list(inboxId, { last_id });
  expect(page.data.map(({ id }) => id)).toEqual(expected.slice(0, PAGE_SIZE));
  expect(page.last_id).toBe(expected.length > PAGE_SIZE ? expected[PAGE_SIZE - 1] : null);
  const rest = await client.inbound.messages.list(inboxId, { last_id }).toArray();
  expect(rest.map(({ id }) => id)).toEqual(expected);
  return cursor.isRemoved ? 'after a deleted one' : expected.length > 0 ? 'some' : 'none';
});

const answer = steps(
  'answer',
  fc.record({
    given: messagePosition,
    kind: fc.constantFrom('reply' as const, 'replyAll' as const, 'forward' as const),
    sender: fc.constantFrom(
      'right' as const,
      'right' as const,
      'right' as const,
      'wrong' as const,
      'unverified' as const,
    ),
    bcc: fc.subarray(['archive@example.com']),
  }),
  async ({ given, kind, sender, bcc }, model, service) => {
    const { messages } = service.client.inbound;
    const { inbound } = model;
    const [inboxId, id] = messageAt(model, given);
    const isHosted = inbound.inboxes.get(inboxId)?.isHosted ?? true;
    const from =
      sender === 'unverified' ? sender : isHosted === (sender === 'right') ? undefined : ('own' as const);
    const domain = model.mail.domains[from === 'unverified' ? 1 : 0]?.name ?? '';
    const params = {
      text: 'It is on its way.',
      ...(from !== undefined && { from: { email: `help@${domain}` } }),
      ...(bcc.length > 0 && { bcc: bcc.map((email) => ({ email })) }),
    };
    const to = ['eve@example.org'];
    let sent: { ids: readonly string[]; all: readonly string[]; message: ReceivedModel } | undefined;
    const outcome = await agree(
      kind === 'forward'
        ? messages.forward(inboxId, id, { ...params, to: to.map((email) => ({ email })) })
        : messages[kind](inboxId, id, params),
      () => {
        const message = inbound.message(inboxId, id);
        const inbox = inbound.inbox(inboxId);
        inbound.checkSender(inbox, from);
        inbound.countAnswer(inbox);
        return {
          message,
          all: [...(kind === 'forward' ? to : inbound.recipients(kind, inbox, message)), ...bcc],
        };
      },
      ({ message_ids: ids }, expected) => void (sent = { ...expected, ids }),
    );
    if (sent !== undefined) {
      const { ids, all, message } = sent;
      const { subject, rfcId, thread } = message;
      const email =
        kind === 'forward'
          ? { subject: `Fwd: ${subject}`, inReplyTo: undefined, thread }
          : { subject: `Re: ${subject}`, inReplyTo: rfcId, thread };
      const recipients = await noteSent(service, model, ids, email);
      expect(recipients[0]).toBe(all[0]);
      expect(recipients.sort()).toEqual([...all].sort());
    }
    return `${kind}: ${outcome}`;
  },
);

const readOutbox = steps('read outbox', fc.constant(''), (_, { inbound }, { emulator }) => {
  expect(emulator.messages().map(({ id }) => id)).toEqual(inbound.sent.map(({ id }) => id));
});

const send = steps('send mail', subjects, async (subject, model, service) => {
  const from = { email: `news@${model.mail.domains[0]?.name ?? ''}` };
  const mail = { from, to: [{ email: 'ann@example.org' }], subject, text: 'Hello' };
  const { message_ids } = await service.client.sending.send(mail);
  await noteSent(service, model, message_ids, { subject, thread: null, inReplyTo: null });
});

const readSent = steps('read sent', position, async (at, model, { client }) => {
  const email = model.inbound.sent[at % Math.max(1, model.inbound.sent.length)];
  if (email === undefined) return 'nothing';
  const real = await client.emailLogs.get(email.id);
  expect(real).toMatchObject({
    to: email.to,
    rfc_message_id: email.rfcId,
    thread_id: email.thread?.id ?? null,
  });
  if (email.inReplyTo !== undefined) expect(real.in_reply_to).toBe(email.inReplyTo);
  expect(real.subject).toContain(email.subject);
  return email.thread === null ? 'in no thread' : 'in a thread';
});

/** The steps on mail that is received, answered and sent. */
export const inboundMailSteps = [
  ...Array.from({ length: 8 }, () => receive),
  ...[
    readReceived,
    readReceived,
    removeReceived,
    removeReceived,
    listReceived,
    listReceived,
    resumeList,
    resumeList,
  ],
  ...[answer, answer, answer, answer, send, readSent, readSent, readOutbox],
];
