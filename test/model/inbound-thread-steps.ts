import type { EmailPlatform } from 'email-platform';
import { expect } from 'vitest';
import { iso, messagePosition, NO_LONG_ID, PAGE_SIZE, TEXT } from './inbound-mail-steps.ts';
import { inboxAt } from './inbound-steps.ts';
import { pick, position, steps, type Model } from './model.ts';
import { isReceived, type ReceivedModel, type SentModel, type ThreadModel } from './reference-inbound.ts';
import { TIMING } from './reference-mail.ts';
import { agree } from './verdict.ts';

type Entry = ThreadModel['entries'][number];
const isPlaceholder = (entry: Entry) => isReceived(entry) && entry.isRemoved;

/** Mostly a thread that is there; one of the wrong inbox or none, otherwise. */
const threadAt = (model: Model, [at, other]: readonly [number, number | null]) => {
  const thread = pick([...model.inbound.threads.values()], at);
  const own = thread?.inboxId ?? inboxAt(model, at);
  return [other === null ? own : inboxAt(model, other), thread?.id ?? NO_LONG_ID] as const;
};

function expectSameSummary(real: EmailPlatform.InboundThreadSummary, { id, entries }: ThreadModel): void {
  const received = entries.filter(isReceived);
  const sent = entries.filter((entry): entry is SentModel => !isReceived(entry));
  const received_at = received.at(-1)?.receivedAt ?? NaN;
  const sent_at = sent.at(-1)?.sentAt;
  expect(real).toMatchObject({
    id,
    message_count: entries.length,
    first_message_at: iso(
      Math.min(...received.map((one) => one.receivedAt), ...sent.map((one) => one.sentAt)),
    ),
    last_received_at: iso(received_at),
    last_sent_at: sent_at === undefined ? null : iso(sent_at),
    last_activity_at: iso(Math.max(received_at, sent_at ?? -Infinity)),
    attachments: [],
  });
  // The fields of a thread with a deleted message are not published.
  if (entries.some(isPlaceholder)) return;
  expect(real.last_message_id).toBe(entries.at(-1)?.id);
  expect(real.senders).toEqual(expect.arrayContaining(received.map(({ from }) => from)));
  const recipients = [...received.flatMap(({ to }) => to), ...sent.map(({ to }) => to)];
  expect(real.recipients).toEqual(expect.arrayContaining(recipients));
}

function expectReceived(real: EmailPlatform.InboundThreadMessage, message: ReceivedModel): void {
  const { id, subject, from, to, cc, rfcId, inReplyTo, receivedAt, isRemoved } = message;
  const direction = 'inbound';
  if (isRemoved) {
    expect(real).toEqual({ visibility_status: 'placeholder', direction });
    return;
  }
  expect(real).toMatchObject({
    ...{ visibility_status: 'available', direction, id, subject, from, to, cc, text_body: TEXT },
    ...{ rfc_message_id: rfcId, in_reply_to: inReplyTo, created_at: iso(receivedAt) },
  });
}

function expectSent(
  real: EmailPlatform.InboundThreadMessage,
  { id, to, rfcId, sentAt }: SentModel,
  now: number,
): void {
  const deliveredAt = sentAt + TIMING.deliverMs;
  expect(real).toMatchObject({
    ...{ visibility_status: 'available', direction: 'outbound', id, to: [to] },
    ...{ rfc_message_id: rfcId, created_at: iso(sentAt), bounced_at: null },
    ...(now >= deliveredAt
      ? { delivery_status: 'delivered', delivered_at: iso(deliveredAt) }
      : { delivery_status: 'enqueued', delivered_at: null }),
  });
}

const readThread = steps('read thread', messagePosition, (given, model, { client }) => {
  const [inboxId, id] = threadAt(model, given);
  return agree(
    client.inbound.threads.get(inboxId, id),
    () => model.inbound.thread(inboxId, id),
    (real, thread) => {
      const { entries } = thread;
      expectSameSummary(real, thread);
      expect(real.messages).toHaveLength(entries.length);
      for (const [index, message] of real.messages.entries()) {
        const entry = entries[index];
        if (entry === undefined) continue;
        if (isReceived(entry)) expectReceived(message, entry);
        else expectSent(message, entry, model.now);
      }
      if (entries.some(isPlaceholder)) model.note('read thread: placeholder');
      if (!entries.every(isReceived)) model.note('read thread: answer');
    },
  );
});

const listThreads = steps('list threads', position, (at, model, { client }) => {
  const inboxId = inboxAt(model, at);
  return agree(
    client.inbound.threads.list(inboxId).toArray(),
    () => model.inbound.threadsOf(inboxId),
    (real, expected) => {
      expect(real.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
      for (const one of real) expectSameSummary(one, model.inbound.thread(inboxId, one.id));
    },
  );
});

/** The first page's cursor leads to the rest. */
const resumeList = steps('resume thread list', position, async (at, model, { client }) => {
  const inboxId = inboxAt(model, at);
  const expected = [...model.inbound.threads.values()].filter((one) => one.inboxId === inboxId);
  if (!model.inbound.inboxes.has(inboxId)) return 'no list';
  const { data, total_count, last_id } = await client.inbound.threads.list(inboxId);
  expect(total_count).toBe(expected.length);
  expect(data).toHaveLength(Math.min(PAGE_SIZE, expected.length));
  expect(last_id === null).toBe(expected.length <= PAGE_SIZE);
  if (last_id === null) return 'one page';
  const rest = await client.inbound.threads.list(inboxId, { last_id }).toArray();
  expect([...data, ...rest].map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
  return 'some';
});

const removeThread = steps('remove thread', messagePosition, (given, model, { client }) => {
  const [inboxId, id] = threadAt(model, given);
  return agree(
    client.inbound.threads.delete(inboxId, id),
    () => model.inbound.removeThread(model.inbound.thread(inboxId, id)),
    (real) => expect(real).toBeUndefined(),
  );
});

/** The steps on threads. */
export const threadSteps = [
  ...[readThread, readThread, readThread, readThread, listThreads],
  ...[resumeList, resumeList, resumeList, removeThread],
];
