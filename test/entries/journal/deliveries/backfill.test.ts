import { EmailPlatform } from 'email-platform';
import { createDeliveries, type BackfillProgress, type DeliveryStatus } from 'email-platform/journal';
import { whyNoMail } from 'email-platform/diagnose';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { eventOf } from './deliveries-tests.ts';
import { MemoryDeliveryStore } from './memory-store.ts';

const SINCE = new Date('2024-01-01T00:00:00Z');

function emulatorWith(emails: number) {
  const emulator = createEmulator({ limits: false, now: () => Date.UTC(2024, 1, 1) });
  emulator.logs.addMany(
    Array.from({ length: emails }, (_, index) => ({
      to: `${index % 3 === 0 ? 'bounce' : 'quiet'}+${index}@example.org`,
      sent_at: new Date(SINCE.getTime() + index * 60_000),
      custom_variables: { idempotency_key: `news/${index}` },
    })),
  );
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle: { limits: { token: false } } });
  return { emulator, client };
}

const statusesOf = (store: MemoryDeliveryStore) => {
  const counts: Partial<Record<DeliveryStatus, number>> = {};
  for (const { status } of store.messages.values()) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('a backfill says first how long it takes, and records every email', async () => {
  const { client } = emulatorWith(250);
  const store = new MemoryDeliveryStore();
  const deliveries = createDeliveries(store);
  const progress: BackfillProgress[] = [];
  let known = -1;
  const counts = await deliveries.backfill(client, {
    since: SINCE,
    onProgress: (one) => {
      if (progress.length === 0) known = store.messages.size;
      progress.push(one);
    },
  });
  expect(counts).toEqual({ recorded: 250, repeated: 0, ignored: 0 });
  expect(known).toBe(0);
  // 1000 emails a minute.
  expect(progress[0]).toEqual({ total: 250, read: 0, remainingMs: 15_000 });
  expect(progress.at(-1)).toEqual({ total: 250, read: 250, remainingMs: 0 });
  expect(statusesOf(store)).toEqual({ bounced: 84, delivered: 166 });
  expect(await deliveries.of({ key: 'news/3' })).toMatchObject([
    { status: 'bounced', recipient: 'bounce+3@example.org', stream: 'transactional' },
  ]);
  expect(await deliveries.backfill(client, { since: SINCE })).toEqual({
    recorded: 0,
    repeated: 250,
    ignored: 0,
  });
});

test('a backfill that failed goes on after the last page that it has recorded', async () => {
  const { emulator, client } = emulatorWith(250);
  const store = new MemoryDeliveryStore();
  const deliveries = createDeliveries(store);
  const gets: string[] = [];
  const counting = {
    emailLogs: {
      list: client.emailLogs.list.bind(client.emailLogs),
      get: (id: string) => {
        gets.push(id);
        return client.emailLogs.get(id, { retry: false });
      },
    },
  };
  const abort = new AbortController();
  const failing = deliveries.backfill(counting, {
    since: SINCE,
    signal: abort.signal,
    onProgress: ({ read }) => {
      if (read > 0)
        emulator.faults.next({ kind: 'status', status: 500, match: { path: '/api/email_logs/*' } });
    },
  });
  await expect(failing).rejects.toMatchObject({ status: 500 });
  const recorded = store.messages.size;
  expect(recorded).toBeGreaterThan(0);
  expect(recorded).toBeLessThan(250);
  gets.length = 0;
  const progress: BackfillProgress[] = [];
  await deliveries.backfill(counting, { since: SINCE, onProgress: (one) => progress.push(one) });
  expect(progress[0]).toMatchObject({ total: 250, read: recorded });
  expect(gets).toHaveLength(250 - recorded);
  expect(statusesOf(store)).toEqual({ bounced: 84, delivered: 166 });
});

/** A store with a backfill that failed after a page, and a client whose further calls are counted. */
async function interrupted(emails: number) {
  const { emulator, client } = emulatorWith(emails);
  const store = new MemoryDeliveryStore();
  const deliveries = createDeliveries(store);
  const fault = { kind: 'status', status: 500, match: { path: '/api/email_logs/*' } } as const;
  const failing = client.withOptions({ retry: false });
  const onProgress = ({ read }: BackfillProgress) => {
    if (read > 0) emulator.faults.next(fault);
  };
  await expect(deliveries.backfill(failing, { since: SINCE, onProgress })).rejects.toMatchObject({
    status: 500,
  });
  return { emulator, client: failing, store, deliveries };
}

test('a backfill that goes on reads what was sent since, however often it is interrupted', async () => {
  const { emulator, client, store, deliveries } = await interrupted(250);
  for (let call = 1; call <= 3; call += 1) {
    emulator.logs.addMany(
      Array.from({ length: 30 }, (_, index) => ({
        to: `later+${index}@example.org`,
        sent_at: new Date(SINCE.getTime() + (call * 300 + index) * 60_000),
      })),
    );
    const fault = { kind: 'status', status: 500, match: { path: '/api/email_logs/*' } } as const;
    if (call === 2) emulator.faults.next(fault);
    const calling = deliveries.backfill(client, { since: SINCE });
    if (call === 2) await expect(calling).rejects.toMatchObject({ status: 500 });
    else {
      await calling;
      expect(store.messages.size).toBe(250 + call * 30);
    }
  }
});

test('a backfill that goes on reads emails that the log shows only now, between those that it has read', async () => {
  const { emulator, client, store, deliveries } = await interrupted(150);
  // Of the first page, emails 50 to 149 are read. Many others may be of the same second as its last one.
  emulator.logs.addMany(
    Array.from({ length: 230 }, (_, index) => ({
      to: `late+${index}@example.org`,
      sent_at: new Date(SINCE.getTime() + (50 + Math.max(0, index - 180)) * 60_000),
    })),
  );
  await deliveries.backfill(client, { since: SINCE });
  expect(store.messages.size).toBe(380);
});

test('a backfill that goes on reads an email sent since of which only a post is known', async () => {
  const { emulator, client, deliveries } = await interrupted(250);
  const sent_at = new Date(SINCE.getTime() + 300 * 60_000);
  const id = emulator.logs.add({
    to: 'ann@example.org',
    sent_at,
    events: [{ event_type: 'delivery', created_at: sent_at }, { event_type: 'open' }],
  });
  await deliveries.record([eventOf('open', 20_000, { message_id: id })]);
  await deliveries.backfill(client, { since: SINCE });
  const [delivery] = await deliveries.of({ messageId: id });
  expect(delivery?.events.map(({ type }) => type)).toContain('delivery');
});

test.each([400, 404, 422])('a place that the service refuses with %i begins anew', async (status) => {
  const { emulator, client, store, deliveries } = await interrupted(250);
  emulator.faults.next({ kind: 'status', status, match: { path: '/api/email_logs' } });
  await deliveries.backfill(client, { since: SINCE });
  expect(store.messages.size).toBe(250);
});

test('a place that the client refuses begins anew', async () => {
  const { client, store, deliveries } = await interrupted(250);
  for (const [id, text] of store.notes)
    if (id.includes('backfill')) store.notes.set(id, text.replace(/\S+$/, 'x'));
  let read = 0;
  await deliveries.backfill(client, { since: SINCE, onProgress: (one) => (read = one.read) });
  expect([store.messages.size, read]).toEqual([250, 250]);
});

test('a backfill since another time does not go on from the place of the first', async () => {
  const { emulator, client, store, deliveries } = await interrupted(250);
  const before = emulator.requests.length;
  const since = new Date(SINCE.getTime() + 240.5 * 60_000);
  await deliveries.backfill(client, { since });
  // One page of nine emails that are known.
  expect(emulator.requests.length - before).toBe(10);
  await deliveries.backfill(client, { since: SINCE });
  expect(store.messages.size).toBe(250);
});

test.each([401, 403, 429, 500, 503])(
  'an error %i of the first page is thrown, and the place stays',
  async (status) => {
    const { emulator, client, store, deliveries } = await interrupted(250);
    const notes = new Map(store.notes);
    emulator.faults.next({ kind: 'status', status, match: { path: '/api/email_logs' } });
    await expect(deliveries.backfill(client, { since: SINCE })).rejects.toMatchObject({ status });
    expect(store.notes).toEqual(notes);
  },
);

test.each([null, undefined, 'none', {}])(
  'a message whose events are %j is recorded without events, and counts as ignored',
  async (events) => {
    const { client } = emulatorWith(3);
    const deliveries = createDeliveries(new MemoryDeliveryStore());
    const odd = {
      emailLogs: {
        list: client.emailLogs.list.bind(client.emailLogs),
        get: async (id: string) => ({ ...(await client.emailLogs.get(id)), events: events as never }),
      },
    };
    expect(await deliveries.backfill(odd, { since: SINCE })).toEqual({
      recorded: 0,
      repeated: 0,
      ignored: 3,
    });
  },
);

test('an email that the log drops meanwhile is left out, and one without an id counts as ignored', async () => {
  const { emulator, client } = emulatorWith(3);
  const store = new MemoryDeliveryStore();
  const { emailLogs } = client;
  const page = await emailLogs.list({ filters: { sent_after: SINCE } });
  const messages = [...page.messages, { ...page.messages[0], message_id: 7 }];
  const odd = {
    emailLogs: {
      list: () => ({
        // oxlint-disable-next-line typescript/require-await -- the pages of a list are asynchronous
        pages: async function* () {
          yield { ...page, messages };
        },
      }),
      get: (id: string) => emailLogs.get(id, { retry: false }),
    },
  };
  emulator.faults.next({ kind: 'status', status: 404, match: { path: '/api/email_logs/*' } });
  const counts = await createDeliveries(store).backfill(odd as never, { since: SINCE });
  expect([store.messages.size, counts.ignored]).toEqual([2, 1]);
});

test('an observer of the progress that throws stops no backfill', async () => {
  const { client } = emulatorWith(3);
  const store = new MemoryDeliveryStore();
  const onProgress = () => {
    throw new Error('The bar is broken');
  };
  await createDeliveries(store).backfill(client, { since: SINCE, onProgress });
  expect(store.messages.size).toBe(3);
});

test('emails from before `since` are neither counted nor read', async () => {
  const { client } = emulatorWith(30);
  const store = new MemoryDeliveryStore();
  const totals: number[] = [];
  const since = new Date(SINCE.getTime() + 20.5 * 60_000);
  const onProgress = ({ total }: BackfillProgress) => totals.push(total);
  await createDeliveries(store).backfill(client, { since, onProgress });
  expect([store.messages.size, totals[0]]).toEqual([9, 9]);
});

test.each([/\/email_logs$/, /\/email_logs\/.+/])('a signal ends the request for %s', async (path) => {
  const { emulator, client } = emulatorWith(3);
  emulator.faults.next({ kind: 'stall', match: { path } });
  const abort = new AbortController();
  const reading = createDeliveries(new MemoryDeliveryStore()).backfill(client, {
    since: SINCE,
    signal: abort.signal,
  });
  await expect.poll(() => emulator.faults.list()).toEqual([]);
  abort.abort();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});

test('a place that an interruption left is followed no further than what was read before it', async () => {
  const { emulator, client, store, deliveries } = await interrupted(450);
  const pages = () => emulator.requests.filter(({ path }) => path.endsWith('/email_logs')).length;
  const before = pages();
  await deliveries.backfill(client, { since: SINCE });
  // Of five pages, one was read before: four are left, and the first and the second are looked through.
  expect([pages() - before, store.messages.size]).toEqual([6, 450]);
});

test('an aborted backfill ends', async () => {
  const { client } = emulatorWith(10);
  const deliveries = createDeliveries(new MemoryDeliveryStore());
  const signal = AbortSignal.abort();
  await expect(deliveries.backfill(client, { since: SINCE, signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
});

test('events of unknown types are ignored, and what was pruned stays away', async () => {
  const { emulator, client } = emulatorWith(0);
  const sent_at = new Date(SINCE.getTime() + 60_000);
  emulator.logs.add({
    to: 'ann@example.org',
    sent_at,
    events: [{ event_type: 'delivery' }, { event_type: 'read_aloud' }],
  });
  const store = new MemoryDeliveryStore();
  const deliveries = createDeliveries(store);
  await deliveries.prune({ before: SINCE });
  expect(await deliveries.backfill(client, { since: SINCE })).toEqual({
    recorded: 1,
    repeated: 0,
    ignored: 1,
  });
  await deliveries.prune({ before: new Date(SINCE.getTime() + 120_000) });
  expect(await deliveries.backfill(client, { since: SINCE })).toEqual({
    recorded: 0,
    repeated: 0,
    ignored: 2,
  });
  expect(store.messages.size).toBe(0);
});

test('the age of a delivery is that of its last event, not of its email', async () => {
  const { emulator, client } = emulatorWith(0);
  const at = (minutes: number) => new Date(SINCE.getTime() + minutes * 60_000);
  emulator.logs.add({
    to: 'ann@example.org',
    sent_at: at(1),
    events: [
      { event_type: 'delivery', created_at: at(2) },
      { event_type: 'open', created_at: at(9) },
    ],
  });
  const deliveries = createDeliveries(new MemoryDeliveryStore());
  await deliveries.backfill(client, { since: SINCE });
  expect([await deliveries.prune({ before: at(9) }), await deliveries.prune({ before: at(10) })]).toEqual([
    0, 1,
  ]);
});

test('why an address gets no email, and its deliveries, tell the same of each email', async () => {
  const emulator = createEmulator({ limits: false });
  const client = new EmailPlatform(emulator.clientOptions());
  const deliveries = createDeliveries(new MemoryDeliveryStore());
  const names = [
    'bounce',
    'spam',
    'unsubscribe',
    'soft-bounce',
    'late-bounce',
    'quiet',
    'reject',
    'stuck',
    'ann',
  ];
  for (const name of names)
    await client.sending.send({
      from: 'hello@mail.example.com',
      to: `${name}@example.org`,
      subject: name,
      text: 'Hi.',
    });
  emulator.clock.advance(3_600_000);
  await deliveries.backfill(client, { since: new Date(emulator.clock.now() - 86_400_000) });
  const logStatus = {
    complained: 'opted_out',
    unsubscribed: 'opted_out',
    bounced: 'not_delivered',
    rejected: 'not_delivered',
    delivered: 'delivered',
    delayed: 'enqueued',
    accepted: 'enqueued',
  };
  for (const name of names) {
    const { mails = [] } = await whyNoMail(client, `${name}@example.org`, { from: 'hello@mail.example.com' });
    expect(mails).toHaveLength(1);
    for (const { message_id: messageId, status, events, opens_count, clicks_count } of mails) {
      const [delivery] = await deliveries.of({ messageId });
      expect(logStatus[delivery?.status ?? 'accepted']).toBe(status);
      expect(delivery?.events.map(({ type }) => type)).toEqual(events.map(({ event_type }) => event_type));
      expect([delivery?.opens.count, delivery?.clicks.count]).toEqual([opens_count, clicks_count]);
    }
  }
});

test('an event of a post that the log does not have yet stays', async () => {
  const { emulator, client } = emulatorWith(0);
  const id = emulator.logs.add({
    to: 'ann@example.org',
    sent_at: SINCE,
    events: [
      {
        event_type: 'delivery',
        created_at: SINCE,
        details: { email_service_provider_status: 250, email_service_provider_response: 'of the log' },
      },
    ],
  });
  const deliveries = createDeliveries(new MemoryDeliveryStore());
  const posted = { message_id: id, occurredAt: SINCE, response: 'of the post' };
  await deliveries.record([eventOf('bounce', 9, { message_id: id }), eventOf('delivery', 0, posted)]);
  await deliveries.backfill(client, { since: SINCE });
  const [delivery] = await deliveries.of({ messageId: id });
  expect([delivery?.status, delivery?.events.length]).toEqual(['bounced', 2]);
  // The log adds what the post did not have.
  expect(delivery?.events[0]).toMatchObject({ type: 'delivery', text: 'of the post', code: '250' });
});
