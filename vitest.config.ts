import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { sameOriginProxy } from './test/browser/same-origin.ts';
import { findChromium, NO_CHROMIUM } from './test/support/chromium.ts';

const src = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** Tests import the package by its name, as a user does; these aliases point the name at the source. */
export const alias = [
  { find: /^email-platform$/, replacement: src('index.ts') },
  { find: /^email-platform\/testing$/, replacement: src('testing/index.ts') },
  { find: /^email-platform\/testing\/msw$/, replacement: src('testing/msw.ts') },
  { find: /^email-platform\/schemas$/, replacement: src('schemas/index.ts') },
  { find: /^email-platform\/webhooks$/, replacement: src('webhooks/index.ts') },
  { find: /^email-platform\/redis$/, replacement: src('redis/index.ts') },
  { find: /^email-platform\/bottleneck$/, replacement: src('bottleneck/index.ts') },
  { find: /^email-platform\/proxy$/, replacement: src('proxy/index.ts') },
];

/** Everything that is no other project's. */
const unit: TestProjectConfiguration = {
  resolve: { alias },
  test: {
    name: 'unit',
    include: ['test/**/*.test.ts', 'examples/*.test.ts'],
    exclude: ['package', 'browser', 'runtimes', 'limits', 'redis', 'reference'].map(
      (folder) => `test/${folder}/**`,
    ),
  },
};

/** The limits kept in real time, over real sockets: these take as long as the limits are. */
const limits: TestProjectConfiguration = {
  resolve: { alias },
  test: { name: 'limits', include: ['test/limits/*.test.ts'], maxConcurrency: 9 },
};

/** Limits shared by processes, in real time and with a real Redis: after everything else, and one file after the other. */
const redis: TestProjectConfiguration = {
  resolve: { alias },
  test: { name: 'redis', include: ['test/redis/*.test.ts'], maxWorkers: 1, sequence: { groupOrder: 1 } },
};

/** What must work in a browser, in Node: the same suite, over the same sockets. */
const socket: TestProjectConfiguration = {
  resolve: { alias },
  test: { name: 'socket', include: ['test/browser/core.test.ts'], globalSetup: ['test/browser/service.ts'] },
};

/** The same in a real Chromium, and what only a page can show. */
async function browser(): Promise<TestProjectConfiguration> {
  const chromium = await findChromium();
  if (!chromium) {
    process.stderr.write(`\n*** The browser tests are SKIPPED. ${NO_CHROMIUM}\n\n`);
    return { test: { name: 'browser', include: ['test/browser/no-chromium.test.ts'] } };
  }
  return {
    resolve: { alias },
    plugins: [sameOriginProxy],
    optimizeDeps: { include: ['ky', 'p-retry'] },
    test: {
      name: 'browser',
      include: ['test/browser/{core,page}.test.ts'],
      globalSetup: ['test/browser/service.ts'],
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        api: { host: '127.0.0.1' },
        provider: playwright({ launchOptions: chromium }),
        instances: [{ browser: 'chromium' }],
      },
    },
  };
}

/** The example in the browser, used as a person would; it starts a Chromium of its own. */
const example: TestProjectConfiguration = {
  resolve: { alias },
  test: { name: 'example', include: ['test/browser/example.test.ts'], testTimeout: 60_000 },
};

/** The package as it would be published. */
const packed: TestProjectConfiguration = {
  test: {
    name: 'package',
    include: ['test/package/*.test.ts'],
    globalSetup: ['test/package/setup.ts'],
    testTimeout: 60_000,
  },
};

export default defineConfig(async () => ({
  test: { projects: [unit, limits, socket, await browser(), example, packed, redis] },
}));
