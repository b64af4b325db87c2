/**
 * The proof of deliveries: three receivers record the posts of an emulator, are killed at random, and get posts twice
 * and out of order. In the end every email has the status of the emulator, by the table of the guide.
 */
import { EmailPlatform } from 'email-platform';
import type { DeliveryStatus } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { expect } from 'vitest';
import { random } from '../../../support/random.ts';

/** A process that receives posts. */
export interface Receiver {
  post(request: Request): Promise<Response>;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
}

/** What a receiver has recorded of an email. */
export interface Recorded {
  readonly messageId: string;
  readonly key: string | null;
  readonly status: DeliveryStatus;
  readonly opens: number;
  readonly clicks: number;
}

export interface ReceiversOrder {
  readonly seed: number;
  readonly emails: number;
  readonly start: (secret: string) => Promise<Receiver>;
  readonly recorded: () => AsyncIterable<Recorded> | Iterable<Recorded>;
}

const LOG_STATUS: Readonly<Record<DeliveryStatus, string>> = {
  complained: 'opted_out',
  unsubscribed: 'opted_out',
  bounced: 'not_delivered',
  rejected: 'not_delivered',
  delivered: 'delivered',
  delayed: 'enqueued',
  accepted: 'enqueued',
};

const NAMES = [
  'ann',
  'bounce',
  'reject',
  'soft-bounce',
  'suspend',
  'delayed',
  'late-bounce',
  'spam',
  'unsubscribe',
  'open',
  'quiet',
  'stuck',
];

const FAULTS = ['reset-before', 'reset-after', 'html'] as const;

/** Runs the proof, and returns figures of it. */
export async function proveReceivers({ seed, emails, start, recorded }: ReceiversOrder) {
  const next = random(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T;
  const figures = { posts: 0, repeated: 0, refused: 0, lost: 0, kills: 0 };

  const receivers: Receiver[] = [];
  const started: Receiver[] = [];
  const startOne = async (secret: string) => {
    const receiver = await start(secret);
    started.push(receiver);
    return receiver;
  };
  /** A start takes longer than many posts. */
  const killChance = Math.min(0.5, 1_000 / emails);
  let late: Request[] = [];
  const toSome = (request: Request) => pick(receivers).post(request);
  const emulator = createEmulator({
    limits: false,
    webhooks: {
      // Many posts with few events, of which several are made at once.
      flushMs: 1_000,
      receive: async (request) => {
        figures.posts += 1;
        // The first comes again, so that every run repeats one.
        const chance = figures.posts === 1 ? 0.2 : next();
        // Comes later, after posts that were made after it.
        if (chance < 0.15) {
          figures.refused += 1;
          return new Response(null, { status: 503 });
        }
        if (chance < 0.3) late.push(request.clone());
        if (chance < 0.4) {
          const again = toSome(request.clone()).catch(() => undefined);
          figures.repeated += 1;
          await Promise.all([again, killSome(killChance)]);
        }
        const receiver = pick(receivers);
        const response = await receiver.post(request);
        // What it has acknowledged is recorded.
        if (next() < killChance / 2) await kill(receiver);
        // The service does not get the response.
        if (chance > 0.9) {
          figures.lost += 1;
          throw new Error('The response is lost');
        }
        return response;
      },
    },
  });
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle: { limits: { token: false } } });
  const { signing_secret: secret } = await client.webhooks.create({
    url: 'https://shop.example.com/hooks/email',
    webhook_type: 'email_sending',
    sending_stream: 'transactional',
    event_types: [
      'delivery',
      'soft_bounce',
      'bounce',
      'suspension',
      'unsubscribe',
      'open',
      'spam_complaint',
      'click',
      'reject',
    ],
  });
  for (let index = 0; index < 3; index += 1) receivers.push(await startOne(secret));
  const kill = async (receiver: Receiver) => {
    receiver.kill();
    figures.kills += 1;
    const replacement = await startOne(secret);
    const index = receivers.indexOf(receiver);
    // Two posts may have ended with the same receiver.
    if (index >= 0) receivers[index] = replacement;
  };
  const killSome = async (chance: number) => {
    if (next() < chance) await kill(pick(receivers));
  };

  try {
    const base = {
      from: { email: 'hello@mail.example.com' },
      subject: 'News',
      html: '<a href="https://shop.example.com/">Shop</a>',
    };
    for (let from = 0; from < emails; from += 20) {
      const requests = Array.from({ length: Math.min(20, emails - from) }, (_, index) => ({
        to: [{ email: `${pick(NAMES)}+${from + index}@example.org` }],
        custom_variables: { idempotency_key: `news/${from + index}` },
      }));
      if (next() < 0.1) emulator.faults.next({ kind: pick(FAULTS), match: { path: '/api/batch' } });
      const batch = () => client.sending.batch({ base, requests });
      // Whether the service took the first: its log tells. The second may send the emails again, with the same keys.
      await batch().catch(batch);
      emulator.clock.advance(Math.floor(next() * 3_000));
      if (next() < 0.2) await emulator.webhooks.settled();
    }
    // Posts that fail are repeated every five minutes; the last event comes two minutes after its email.
    for (let turn = 0; turn < 40; turn += 1) {
      emulator.clock.advance(turn < 5 ? 40_000 : 301_000);
      await emulator.webhooks.settled();
      const again = late;
      late = [];
      for (const request of again.reverse()) {
        figures.repeated += 1;
        await toSome(request).catch(() => undefined);
      }
      if (turn < 8) await killSome(1);
    }

    const found = new Map<string, Recorded>();
    for await (const one of recorded()) found.set(one.messageId, one);
    const compared = { emails: 0, statuses: {} as Record<string, number> };
    const keys = new Set<string>();
    for await (const message of client.emailLogs.list()) {
      const { message_id: id, status, opens_count: opens, clicks_count: clicks, to } = message;
      const one = found.get(id);
      // An email without an event is not posted.
      if (one === undefined) expect(to).toMatch(/^stuck/);
      else {
        expect([LOG_STATUS[one.status], one.opens, one.clicks, to]).toEqual([status, opens, clicks, to]);
        expect(one.key).toBe(message.custom_variables?.idempotency_key);
        keys.add(one.key ?? '');
      }
      const own = one?.status ?? 'accepted';
      compared.statuses[own] = (compared.statuses[own] ?? 0) + 1;
      compared.emails += 1;
      found.delete(id);
    }
    expect([...found.keys()]).toEqual([]);
    expect(compared.emails).toBeGreaterThanOrEqual(emails);
    return { ...figures, ...compared, keys: keys.size };
  } finally {
    for (const receiver of started) receiver.kill();
  }
}
