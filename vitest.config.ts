import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { sameOriginProxy } from './test/browser/same-origin.ts';
import { findChromium, NO_CHROMIUM } from './test/support/chromium.ts';
import { isFull, isRest } from './test/support/extent.ts';
import { nearestTests } from './test/support/nearest-tests.ts';

const src = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** Tests import the package by its name, as a user does; these aliases point the name at the source. */
export const alias = [
  { find: /^email-platform$/, replacement: src('index.ts') },
  { find: /^email-platform\/testing$/, replacement: src('testing/index.ts') },
  { find: /^email-platform\/testing\/msw$/, replacement: src('testing/msw.ts') },
  { find: /^email-platform\/schemas$/, replacement: src('entries/schemas/index.ts') },
  { find: /^email-platform\/journal$/, replacement: src('entries/journal/index.ts') },
  { find: /^email-platform\/templates$/, replacement: src('entries/templates/index.ts') },
  { find: /^email-platform\/webhooks$/, replacement: src('entries/webhooks/index.ts') },
  { find: /^email-platform\/redis$/, replacement: src('entries/redis/index.ts') },
  { find: /^email-platform\/bottleneck$/, replacement: src('entries/bottleneck/index.ts') },
  { find: /^email-platform\/nodemailer$/, replacement: src('entries/nodemailer/index.ts') },
  { find: /^email-platform\/opentelemetry$/, replacement: src('entries/opentelemetry/index.ts') },
  { find: /^email-platform\/diagnose$/, replacement: src('entries/diagnose/index.ts') },
  { find: /^email-platform\/proxy$/, replacement: src('entries/proxy/index.ts') },
];

/** Tests of client and emulator against the specification: method by method, fault by fault, and in random walks. */
const CONTRACT = ['attack', 'entries/schemas', 'model', 'spec'].map((folder) => `test/${folder}/`);
/** Tests that wait for the real limits, start many processes or a database, or need their own heap or folder. */
const SLOW = [
  'test/limits/*.test.ts',
  'test/memory/*.test.ts',
  'test/docs/{examples,other-languages}.test.ts',
  'test/release/release.test.ts',
  'test/{entries/bottleneck,testing/mailbox}/process-ends.test.ts',
  'test/entries/journal/{postgres,proofs}/*.test.ts',
];
/** Tests with a project or a configuration of their own. */
const ELSEWHERE = ['browser', 'entries/redis', 'package', 'peers', 'reference', 'runtimes'].map(
  (folder) => `test/${folder}/**`,
);
/** The tests of the package in `npm test`. */
const PACKED = ['bundle', 'contents', 'import', 'page', 'pages'].map(
  (name) => `test/package/${name}.test.ts`,
);

/** Timeouts that only find hanging tests: no test measures by them, so a busy machine fails none. */
const common = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // The default of `expect.poll` is a second, which a page on a busy machine may need for its next view.
  expect: { poll: { timeout: 120_000 } },
};

/**
 * The files of a project share a process and its modules, because importing everything anew for each file took half
 * of the time. The library has no state of its own. `shared-process.ts` fails a file that changes a global. With more room
 * for young objects, V8 collects garbage less often: 6 % of the processor's time.
 */
const inOneProcess = {
  ...common,
  isolate: false,
  execArgv: ['--max-semi-space-size=64'],
  setupFiles: ['test/support/shared-process.ts'],
};

/** All tests without another project. */
const unit: TestProjectConfiguration = {
  resolve: { alias },
  test: {
    name: 'unit',
    include: ['test/**/*.test.ts', 'examples/*.test.ts'],
    exclude: [...CONTRACT.map((folder) => `${folder}**`), ...SLOW, ...ELSEWHERE],
    ...inOneProcess,
  },
};

const contract: TestProjectConfiguration = {
  resolve: { alias },
  test: {
    name: 'contract',
    include: CONTRACT.map((folder) => `${folder}**/*.test.ts`),
    ...inOneProcess,
  },
};

const slow: TestProjectConfiguration = {
  resolve: { alias },
  test: { name: 'slow', include: SLOW, maxConcurrency: 9, ...common },
};

/** Tests with packages that only they need: see test/peers/README.md. */
const peers: TestProjectConfiguration = {
  resolve: { alias },
  test: {
    name: 'peers',
    include: ['test/peers/*/*.test.ts', 'examples/shop/test/*.test.ts'],
    ...inOneProcess,
  },
};

/**
 * Limits shared by processes, in real time and with a real Redis for each file. Run after all other projects, two files
 * at a time: they wait more than they compute.
 */
const redis: TestProjectConfiguration = {
  resolve: { alias },
  test: {
    name: 'redis',
    include: ['test/entries/redis/*.test.ts'],
    maxWorkers: 2,
    sequence: { groupOrder: 1 },
    ...common,
  },
};

/** The browser's suite in Node, over the same sockets. */
const browserInNode: TestProjectConfiguration = {
  resolve: { alias },
  test: {
    name: 'browser-in-node',
    include: ['test/browser/core.test.ts'],
    globalSetup: ['test/browser/service.ts'],
    ...common,
  },
};

/** The same suite in a real Chromium, and tests that need a page. */
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
      ...common,
      // Both files share a page and its modules, which is half of the time.
      isolate: false,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        api: { host: '127.0.0.1' },
        // The default of a minute is short for the start of Chromium on a busy machine.
        connectTimeout: common.testTimeout,
        provider: playwright({ launchOptions: chromium }),
        instances: [{ browser: 'chromium' }],
      },
    },
  };
}

/**
 * The example and the emulator's control API in the browser, used by a simulated person. These tests start their own
 * Chromium.
 */
const browserExample: TestProjectConfiguration = {
  resolve: { alias },
  test: {
    name: 'browser-example',
    include: ['test/browser/{control-api,example,live,mailbox,report,templates-dev}.test.ts'],
    ...common,
    // Axe reads every view of a page in one test.
    testTimeout: 600_000,
  },
};

/** The published package: its contents and imports; in full, also its use. */
const packed: TestProjectConfiguration = {
  test: {
    name: 'package',
    include: isFull || isRest ? ['test/package/*.test.ts'] : PACKED,
    exclude: isRest ? PACKED : [],
    globalSetup: ['test/package/setup/package.ts'],
    ...common,
  },
};

const nearest = nearestTests();

export default defineConfig(async () => ({
  test: {
    // Transformed modules stay on disk: a second run transforms only files that changed.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.tmp/vitest' },
    // One worker for each core: the main process has little to do.
    maxWorkers: availableParallelism(),
    projects: [
      ...(isRest ? [] : [unit, contract, await browser(), browserInNode]),
      browserExample,
      packed,
      slow,
      peers,
      redis,
    ],
    // For `npm run test:watch`: it begins without a run, so Vitest does not know the imports yet.
    watchTriggerPatterns: [{ pattern: /./, testsToRun: nearest.testsToRun }],
    sequence: { sequencer: nearest.Sequencer },
  },
}));
