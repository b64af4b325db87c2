/** The peers in versions other than those of `npm ci`, and the tests that are run with each. */
export interface Row {
  /** The package, as `email-platform` and its tests import it. */
  readonly peer: string;
  /** The folder of the version in `node_modules` here, or of the folder of `test/peers` that `installedIn` names. */
  readonly folder: string;
  readonly installedIn?: string;
  /** Whether it is for Node 22 and later. Then the Node of test/peers/newer-node runs the tests. */
  readonly isNewer?: true;
  /** Packages that import the peer themselves. */
  readonly users?: readonly string[];
  readonly tests: readonly string[];
}

const SERVERS = ['test/entries/proxy/servers.test.ts', 'test/entries/webhooks/servers.test.ts'];
const MSW = ['test/testing/msw.test.ts', 'test/entries/proxy/behind-msw.test.ts'];

export const ROWS: readonly Row[] = [
  { peer: 'ioredis', folder: 'ioredis-5', users: ['bottleneck'], tests: ['test/entries/redis'] },
  { peer: 'msw', folder: 'msw-2', installedIn: 'msw', tests: MSW },
  { peer: 'msw', folder: 'msw-3', installedIn: 'msw', isNewer: true, tests: MSW },
  { peer: 'zod', folder: 'zod-4', tests: ['test/entries/schemas'] },
  { peer: '@opentelemetry/api', folder: 'opentelemetry-api-1.9', tests: ['test/entries/opentelemetry'] },
  { peer: '@opentelemetry/api', folder: 'opentelemetry-api-1.10', tests: ['test/entries/opentelemetry'] },
  { peer: 'express', folder: 'express-4', tests: SERVERS },
  { peer: 'fastify', folder: 'fastify-4', tests: SERVERS },
  {
    peer: 'vitest',
    folder: 'vitest-5',
    isNewer: true,
    tests: ['test/transport/fake-timers.test.ts', 'test/testing/mailbox', 'test/testing/msw.test.ts'],
  },
];
