import type { Emulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { isFull } from '../../../support/extent.ts';
import { digests, Walk } from '../../../support/answers/walk.ts';

/** Each walk begins anew: after a while, much is deleted, and no token works. */
const LEGS = [0, 1, 2, 3] as const;

/**
 * Options that between them reach what no default does. `always` are the walks outside `npm run test:all`: they reach 139
 * of the 142 endpoints that all walks reach.
 */
const WALKS: Readonly<
  Record<string, readonly [steps: number, always: readonly number[], options: Emulator.Options]>
> = {
  'empty, without limits': [1000, [1, 2], { limits: false }],
  'demo, with other choices': [
    750,
    [0, 3],
    {
      seed: 'demo',
      limits: false,
      answers: 'recorded',
      campaigns: { sendMs: 10_000, terminateMs: 100, startedState: 'queued' },
      sending: {
        deliverMs: 0,
        openMs: 10,
        clickMs: 20,
        unverifiedDomain: 'forbidden',
        maxMailBytes: 900,
        keep: 20,
      },
      logs: {
        pageSize: 3,
        unreadableDates: 'refuse',
        unknownCursor: 'first-page',
        rawUrlMs: 1000,
        keep: 200,
      },
      domains: { propagateMs: 100, reviewMs: 1000 },
      contacts: { importMs: 5, exportMs: 10, fileUrlMs: 60_000, max: 2403 },
      suppressions: { pageSize: 2 },
      accounts: { permissionsPath: 'resources', listsTokens: true, tokenLifetimeMs: 86_400_000 },
      webhooks: { signatureHeader: 'x-signature', flushMs: 10, maxEvents: 2, retryMs: 50, maxRetries: 1 },
      inbound: { pageSize: 2, fileUrlMs: 1000, maxInboxes: 4, maxHostedReplies: 2 },
      sandbox: {
        limit: { requests: 2, perMs: 1000 },
        maxProjects: 4,
        maxInboxes: 5,
        maxSize: 3,
        missingPart: 'not-found',
        blacklistReport: 'none',
      },
    },
  ],
  'empty, with limits': [
    300,
    LEGS,
    { window: 'sliding', limits: { token: { requests: 40, perMs: 60_000 } } },
  ],
};

const CASES = Object.entries(WALKS).flatMap(([name, [steps, always, options]]) =>
  (isFull ? LEGS : always).map((leg) => ({ name, leg, steps, options })),
);

test.each(CASES)(
  'the answers to a random walk are those on record: $name, $leg',
  async ({ name, leg, steps, options }) => {
    const walk = new Walk(20260131 + leg, options);
    await walk.steps(steps);
    await walk.end();
    await expect(`${JSON.stringify(digests(walk.transcript), null, 2)}\n`).toMatchFileSnapshot(
      `same-answers/${name.replace(/\W+/g, '-')}-${leg}.json`,
    );
  },
);
