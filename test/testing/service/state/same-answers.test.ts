import type { EmulatorOptions } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { digests, Walk } from '../../../support/answers/walk.ts';

/** Options that between them reach what no default does. */
const WALKS: Readonly<Record<string, readonly [steps: number, options: EmulatorOptions]>> = {
  'empty, without limits': [4000, { limits: false }],
  'demo, with other choices': [
    3000,
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
  'empty, with limits': [1200, { window: 'sliding', limits: { token: { requests: 40, perMs: 60_000 } } }],
};

/** Each begins anew: after a while, much is deleted, and no token works. */
const LEGS = 4;

test.each(Object.entries(WALKS))(
  'the answers to a random walk are those on record: %s',
  async (name, [steps, options]) => {
    const all = new Map<string, string[]>();
    for (let leg = 0; leg < LEGS; leg += 1) {
      const walk = new Walk(20260131 + leg, options);
      await walk.steps(steps / LEGS);
      await walk.end();
      for (const [area, lines] of walk.transcript) all.set(area, [...(all.get(area) ?? []), ...lines]);
    }
    await expect(`${JSON.stringify(digests(all), null, 2)}\n`).toMatchFileSnapshot(
      `same-answers/${name.replace(/\W+/g, '-')}.json`,
    );
  },
);
