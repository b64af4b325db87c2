import type { Deliveries } from 'email-platform/journal';
import { readWebhook } from 'email-platform/webhooks';
import { expect } from 'vitest';
import { SEED } from '../../../support/extent.ts';
import { proveReceivers, type Receiver } from '../proofs/receivers.ts';

/** A receiver that stops where it is, when it is killed. */
function receiverOf(deliveries: Deliveries, secret: string): Receiver {
  let isKilled = false;
  const checkAlive = () => {
    if (isKilled) throw new Error('This receiver was killed');
  };
  return {
    async post(request) {
      const events = await readWebhook(request, { secret });
      checkAlive();
      await deliveries.record(events);
      checkAlive();
      return new Response(null, { status: 200 });
    },
    kill: () => (isKilled = true),
  };
}

/** The proof of deliveries, in this process: test/entries/journal/proofs/deliveries.test.ts kills processes. */
export async function proveKilledReceivers(deliveries: Deliveries): Promise<void> {
  const figures = await proveReceivers({
    seed: SEED ?? Math.floor(Math.random() * 1e9),
    emails: 60,
    start: (secret) => Promise.resolve(receiverOf(deliveries, secret)),
    recorded: async function* () {
      for await (const { messageId, key, status, opens, clicks } of deliveries.list())
        yield { messageId, key, status, opens: opens.count, clicks: clicks.count };
    },
  });
  expect(figures.kills).toBeGreaterThan(3);
  expect(figures.repeated).toBeGreaterThan(0);
}
