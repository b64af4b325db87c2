/**
 * One of the processes of a fleet: it sends a part of the input, which others send, too, and may be killed at any moment. It
 * repeats only calls that certainly sent nothing.
 */
import { Redis } from 'ioredis';
import { EmailPlatform } from '../../../../src/index.ts';
import { postgresJournal } from '../../../../src/entries/journal/index.ts';
import { redisThrottle } from '../../../../src/entries/redis/index.ts';
import { Pool } from '../peers.mjs';
import { AT_ONCE, keyAt, type FleetOrder, type FleetReport } from '../fleet-messages.ts';

const CALLS_AT_ONCE = 4;
const base = { from: 'news@mail.example.com', subject: 'News', text: 'Here is the news.' };

const tell = (report: FleetReport) => process.send?.(report);

process.once('message', (order: FleetOrder) => {
  work(order).then(
    (counts) => tell({ kind: 'over', counts }),
    (error: unknown) => tell({ kind: 'failed', error: String(error) }),
  );
});
// The process that started it is gone.
process.once('disconnect', () => process.exit());

async function work(order: FleetOrder): Promise<Record<string, number>> {
  const { count, from, take, limit, processes, onUnknown } = order;
  const redis = new Redis(order.redisUrl, { lazyConnect: true });
  const pool = new Pool({ connectionString: order.databaseUrl, max: CALLS_AT_ONCE });
  redis.on('error', () => undefined);
  pool.on('error', () => undefined);
  const limits = { token: limit, emailLogsList: false } as const;
  const client = new EmailPlatform({
    journal: postgresJournal(pool, { onUnknown }),
    throttle: redisThrottle({ redis, limits, processes }),
    timeoutMs: 4_000,
  });
  if (onUnknown === 'resend') await client.sending.settleUnknown();

  const starts = Array.from({ length: Math.ceil(take / AT_ONCE) }, (_, call) => {
    return (from + call * AT_ONCE) % count;
  });
  const counts: Record<string, number> = {};
  const sendSome = async () => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      const indexes = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, place) => start + place);
      const mails = indexes.map((index) => ({ to: `reader${index}@example.org` }));
      const outcomes = client.sending.batchAll(mails, {
        base,
        idempotencyKey: (_, place) => keyAt(start + place),
      });
      const some: string[] = [];
      let isToBeRepeated = false;
      for await (const outcome of outcomes) {
        const { status, error } = outcome;
        // A journal or a service that is away. What is in flight elsewhere is `unknown`, and left to the next round.
        if (status === 'not_sent' && error.isRetryable) isToBeRepeated = true;
        const isReplayed = outcome.status === 'accepted' && outcome.replayed === true;
        some.push(isReplayed ? 'replayed' : [status, error?.code].filter(Boolean).join(' '));
      }
      tell({ kind: 'begun' });
      if (isToBeRepeated) starts.push(start);
      else for (const what of some) counts[what] = (counts[what] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, sendSome));
  return counts;
}
