import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { root } from '../support/packed.ts';

const consumer = inject('consumer');

/** Runs a program in the folder the package is installed in, and returns what it prints. */
function run(file: string, program: string, folder = consumer): string {
  writeFileSync(join(folder, file), program);
  return execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8', env: {} }).trim();
}

const call = `
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  const failure = await client.campaigns.get(1).catch((error) => error);
  console.log(failure instanceof NotFoundError, (await client.campaigns.list()).items.length);
`;

test('works when imported as an ECMAScript module', () => {
  const program = `
    import { EmailPlatform, NotFoundError } from 'email-platform';
    import { createEmulator } from 'email-platform/testing';
    ${call}`;
  expect(run('esm.mjs', program)).toBe('true 0');
});

test('works when required as a CommonJS module', () => {
  const program = `
    const { EmailPlatform, NotFoundError } = require('email-platform');
    const { createEmulator } = require('email-platform/testing');
    void (async () => {${call}})();`;
  expect(run('cjs.cjs', program)).toBe('true 0');
});

test.each([
  ['report.mjs', "import { createEmulator } from 'email-platform/testing';"],
  ['report.cjs', "const { createEmulator } = require('email-platform/testing');"],
])('a program in %s writes a report: the page is found when it is asked for', (file, imports) => {
  const program = `
    ${imports}
    void createEmulator().report('${file}.html').then(({ sent }) => console.log(sent));`;
  expect(run(file, program)).toBe('0');
  expect(readFileSync(join(consumer, `${file}.html`), 'utf8')).toContain('id="report">{"version":2');
});

test('an error of one copy is an instance of the other copy’s class', () => {
  const program = `
    import * as esm from 'email-platform';
    import { createEmulator } from 'email-platform/testing';
    import { createRequire } from 'node:module';
    const cjs = createRequire(import.meta.url)('email-platform');
    const options = createEmulator().clientOptions();
    const fail = ({ EmailPlatform }) => new EmailPlatform(options).campaigns.get(1).catch((error) => error);
    const errors = [await fail(esm), await fail(cjs)];
    const says = (error, { EmailPlatformError, ApiError, NotFoundError, RateLimitError }) => [
      error instanceof EmailPlatformError, error instanceof ApiError, error instanceof NotFoundError,
      error instanceof RateLimitError,
    ];
    console.log(esm.NotFoundError === cjs.NotFoundError);
    console.log(JSON.stringify([...new Set(errors.flatMap((e) => [says(e, esm), says(e, cjs)]).map(String))]));`;
  expect(run('both.mjs', program)).toBe('false\n["true,true,true,false"]');
});

test('an error of another realm is an instance too', () => {
  const program = `
    const { createContext, runInContext } = require('node:vm');
    const { ApiError, NotFoundError, RateLimitError } = require('email-platform');
    const code = require('node:fs').readFileSync(require.resolve('email-platform'), 'utf8');
    const globals = { Headers, URL, AbortController, AbortSignal, ReadableStream, TextEncoder, TextDecoder, Blob, process };
    const copy = { exports: {} };
    const load = runInContext('(function (module, exports, require) {' + code + '})', createContext(globals));
    load(copy, copy.exports, require);
    const refusal = { status: 404, headers: new Headers(), body: '', messages: [] };
    const error = new copy.exports.NotFoundError('m', refusal);
    console.log([Error, ApiError, NotFoundError, RateLimitError].map((type) => error instanceof type).join());`;
  expect(run('realm.cjs', program)).toBe('false,true,true,false');
});

test('with source maps enabled, a stack leads to file and line of the TypeScript', () => {
  const program = `
    import { EmailPlatform } from 'email-platform';
    try { new EmailPlatform({ token: '' }); } catch (error) { console.log(error.stack); }`;
  writeFileSync(join(consumer, 'maps.mjs'), program);
  const stack = execFileSync(process.execPath, ['--enable-source-maps', 'maps.mjs'], {
    cwd: consumer,
    encoding: 'utf8',
    env: {},
  });
  const [, line = '0'] = /src\/client\/client\.ts:(\d+)/.exec(stack) ?? [];
  const source = readFileSync(join(root, 'src/client/client.ts'), 'utf8').split('\n');
  expect(source[Number(line) - 1]).toContain('resolveOptions(');
});

test('only its documented entries can be imported', () => {
  const inside = [
    'dist/index.js',
    'dist/testing/index.js',
    'package.json',
    'src/index.ts',
    'cli',
    'core/errors',
  ];
  const program = `
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    const codes = new Set();
    for (const path of ${JSON.stringify(inside)}) {
      codes.add(await import('email-platform/' + path).then(() => path, ({ code }) => code));
      try { require('email-platform/' + path); codes.add(path); } catch ({ code }) { codes.add(code); }
    }
    console.log([...codes].join());`;
  expect(run('inside.mjs', program)).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
});

test('importing it has no side effect: ky is not evaluated, and no Request is created', () => {
  const program = `
    let made = 0;
    globalThis.Request = class extends Request { constructor(...all) { super(...all); made += 1; } };
    const { EmailPlatform } = await import('email-platform');
    const { createEmulator } = await import('email-platform/testing');
    const client = new EmailPlatform(createEmulator().clientOptions());
    const before = made;
    await client.campaigns.list();
    console.log(before, made > 0);`;
  expect(run('lazy.mjs', program)).toBe('0 true');
});

test('with a peer installed, the entry that needs it works in both formats', () => {
  const program = `
    import { createEmulator } from 'email-platform/testing';
    import { handlers } from 'email-platform/testing/msw';
    import { createRequire } from 'node:module';
    const cjs = createRequire(import.meta.url)('email-platform/testing/msw');
    const emulator = createEmulator();
    console.log(handlers(emulator).length, cjs.handlers(emulator).length);`;
  expect(run('msw.mjs', program, inject('consumerWithPeers'))).toBe('1 1');
});

const checked = `
  const options = { ...createEmulator({ seed: 'demo' }).clientOptions(), schemas, validateResponses: 'throw' };
  const { templates } = new EmailPlatform(options);
  const reviewed = schemas.template.extend({ reviewed_by: schemas.template.shape.name });
  const strict = new EmailPlatform({ ...options, schemas: { templateList: reviewed.array() } });
  const { issues } = await strict.templates.list().then(() => ({ issues: [] }), (error) => error);
  console.log((await templates.list()).items.length > 0, issues[0].path);`;

test('response schemas work when imported as an ECMAScript module', () => {
  const program = `
    import { EmailPlatform } from 'email-platform';
    import * as schemas from 'email-platform/schemas';
    import { createEmulator } from 'email-platform/testing';
    ${checked}`;
  expect(run('schemas.mjs', program, inject('consumerWithPeers'))).toBe('true [0].reviewed_by');
});

test('response schemas work when required as a CommonJS module', () => {
  const program = `
    const { EmailPlatform } = require('email-platform');
    const schemas = require('email-platform/schemas');
    const { createEmulator } = require('email-platform/testing');
    void (async () => {${checked}})();`;
  expect(run('schemas.cjs', program, inject('consumerWithPeers'))).toBe('true [0].reviewed_by');
});

const received = `
  const secret = 'a'.repeat(32);
  const body = '{"event":"soft bounce"}\\n{"event":"open"}';
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const events = await readWebhook({ payload: body, signature }, { secret });
  const error = await verifyWebhook({ payload: body + ' ', signature, secret }).catch((error) => error);
  console.log(events.map((event) => event.event_type).join(), error instanceof EmailPlatformError, error.name);`;

test('a receiver works when imported as an ECMAScript module, and its errors are those of the client', () => {
  const program = `
    import { EmailPlatformError } from 'email-platform';
    import { readWebhook, verifyWebhook } from 'email-platform/webhooks';
    import { createHmac } from 'node:crypto';
    ${received}`;
  expect(run('webhooks.mjs', program)).toBe('soft_bounce,open true WebhookSignatureError');
});

test('a receiver works when required as a CommonJS module', () => {
  const program = `
    const { EmailPlatformError } = require('email-platform');
    const { readWebhook, verifyWebhook } = require('email-platform/webhooks');
    const { createHmac } = require('node:crypto');
    void (async () => {${received}})();`;
  expect(run('webhooks.cjs', program)).toBe('soft_bounce,open true WebhookSignatureError');
});

test.each([
  ['transport.mjs', "import { emailPlatformTransport } from 'email-platform/nodemailer';"],
  ['transport.cjs', "const { emailPlatformTransport } = require('email-platform/nodemailer');"],
])('the transport for nodemailer needs no nodemailer to be made, in %s', (file, imported) => {
  const client = file.endsWith('.mjs')
    ? "import { EmailPlatform } from 'email-platform';"
    : "const { EmailPlatform } = require('email-platform');";
  const program = `
    ${imported}
    ${client}
    const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });
    const { name, version } = emailPlatformTransport({ client });
    console.log(name, /^\\d+\\.\\d+\\.\\d+/.test(version));`;
  expect(run(file, program)).toBe('email-platform true');
});

const throttled = `
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // No Redis listens there: the throttle works without it.
  const redis = new Redis({ port: server.address().port, host: '127.0.0.1', lazyConnect: true });
  server.close();
  const throttle = redisThrottle({ redis, processes: 1 });
  const client = new EmailPlatform({ ...createEmulator().clientOptions(), throttle });
  console.log((await client.campaigns.list()).items.length, throttle.isDegraded);`;

test('the Redis throttle works when imported as an ECMAScript module', () => {
  const program = `
    import { EmailPlatform } from 'email-platform';
    import { redisThrottle } from 'email-platform/redis';
    import { createEmulator } from 'email-platform/testing';
    import { Redis } from 'ioredis';
    import { once } from 'node:events';
    import { createServer } from 'node:net';
    ${throttled}`;
  expect(run('redis.mjs', program, inject('consumerWithPeers'))).toBe('0 true');
});

test('the Redis throttle works when required as a CommonJS module', () => {
  const program = `
    const { EmailPlatform } = require('email-platform');
    const { redisThrottle } = require('email-platform/redis');
    const { createEmulator } = require('email-platform/testing');
    const { Redis } = require('ioredis');
    const { once } = require('node:events');
    const { createServer } = require('node:net');
    void (async () => {${throttled}})();`;
  expect(run('redis.cjs', program, inject('consumerWithPeers'))).toBe('0 true');
});

test('the Bottleneck throttle works in both formats', () => {
  const program = `
    import Bottleneck from 'bottleneck';
    import { EmailPlatform } from 'email-platform';
    import { bottleneckThrottle } from 'email-platform/bottleneck';
    import { createEmulator } from 'email-platform/testing';
    import { createRequire } from 'node:module';
    const cjs = createRequire(import.meta.url)('email-platform/bottleneck');
    for (const make of [bottleneckThrottle, cjs.bottleneckThrottle]) {
      const limiter = new Bottleneck({ maxConcurrent: 150 });
      const throttle = make({ token: { limiter, release: 'window' } });
      const client = new EmailPlatform({ ...createEmulator().clientOptions(), throttle });
      console.log((await client.campaigns.list()).items.length, limiter.counts().EXECUTING);
    }`;
  expect(run('bottleneck.mjs', program, inject('consumerWithPeers'))).toBe('0 1\n0 1');
});

test('instruments calls in both formats', () => {
  const program = `
    import { EmailPlatform } from 'email-platform';
    import { instrument } from 'email-platform/opentelemetry';
    import { createEmulator } from 'email-platform/testing';
    import { trace } from '@opentelemetry/api';
    import { createRequire } from 'node:module';
    const cjs = createRequire(import.meta.url)('email-platform/opentelemetry');
    const client = new EmailPlatform(createEmulator().clientOptions());
    for (const start of [instrument, cjs.instrument]) {
      const names = [];
      const silent = trace.getTracer('silent');
      const startSpan = (name, ...rest) => (names.push(name), silent.startSpan(name, ...rest));
      const stop = start({ tracer: { startSpan } });
      await client.campaigns.list();
      stop();
      await client.campaigns.list();
      console.log(names.join(', '));
    }`;
  const names = 'campaigns.list, GET /api/email_campaigns';
  expect(run('opentelemetry.mjs', program, inject('consumerWithPeers'))).toBe(`${names}\n${names}`);
});

test('its command runs the emulator, and exits on SIGTERM', async () => {
  const command = join(consumer, 'node_modules/.bin/email-platform');
  const child = spawn(command, ['emulator', '--port', '0'], {
    cwd: consumer,
    shell: process.platform === 'win32',
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  while (!output.includes('curl')) await once(child.stdout, 'data');
  const value = (name: string) => new RegExp(`^EMAIL_PLATFORM_${name}=(.+)$`, 'm').exec(output)?.[1] ?? '';
  const response = await fetch(`${value('API_URL')}/api/email_campaigns?per_page=2`, {
    headers: { authorization: `Bearer ${value('TOKEN')}` },
  });
  expect(response.status).toBe(200);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
