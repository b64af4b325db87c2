import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { build, transform } from 'esbuild';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { lateConnections, NONE_ARRIVED } from '../attack/late-connections.ts';
import { lateSends, NONE_SENT_LATE } from '../attack/late-sends.ts';
import { extract } from '../docs/snippets.ts';
import { CERTIFICATE, KEY } from '../support/certificate.ts';
import { connectProxy, hangingUp, refusing, tunnelling, type OnConnect } from '../support/connect-proxy.ts';
import { root } from '../support/packed.ts';
import { listen } from '../support/ports.ts';
import { closedPort, portWith, selfSignedPort } from '../support/sockets.ts';
import type { Runtime } from './runtimes.ts';

const programs = inject('programs');
/** The last line of the smoke test. With node:http, it also counts a page of the demo's campaigns. */
const WORKS = /^email-platform \d+\.\d+\.\d+ works( with Array\.fromAsync)?(, 50 campaigns)?$/;
/** The only one without `Array.fromAsync`: all others must have read a list with it. */
const OLDEST = 'Node 20.19.0';
let server: Emulator.Server;
let options: string;
const closings: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  const emulator = createEmulator();
  const always = { times: Infinity };
  emulator.faults.next({ ...always, kind: 'stall', match: { path: '/api/email_campaigns/777' } });
  emulator.faults.next({
    ...always,
    kind: 'status',
    status: 302,
    headers: { location: '/account/api/email_campaigns/1' },
    match: { path: '/api/email_campaigns/778' },
  });
  server = await emulator.listen();
  const domainId = emulator.domains.list().find(({ verified }) => verified)?.id;
  options = JSON.stringify({ connection: server.clientOptions(), domainId });
});
afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
  await server.close();
});

async function run(
  path: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<string> {
  const env = { ...process.env, ...variables };
  const { stdout } = await promisify(execFile)(path, args, { cwd: programs, timeout: 80_000, env });
  return stdout.trim();
}

/** The address of a worker, which it reports on its third stream. */
async function listening(child: ChildProcess): Promise<string> {
  const control = child.stdio[3];
  if (!control) throw new Error('workerd was given no stream to report to');
  const [chunk] = (await once(control, 'data')) as [Buffer];
  const { port } = JSON.parse(chunk.toString().split('\n')[0] ?? '') as { readonly port: number };
  return `http://127.0.0.1:${port}/`;
}

/** Serves a Worker, with these variables; returns where. */
async function serveWorker(
  path: string,
  program: string,
  {
    variables = {},
    date = '2026-01-01',
    flags = [],
  }: { variables?: Readonly<Record<string, string>>; date?: string; flags?: readonly string[] } = {},
) {
  await build({
    entryPoints: [join(programs, program)],
    outfile: join(programs, 'bundled-worker.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['workerd', 'worker'],
    external: ['node:*'],
    logLevel: 'error',
  });
  const bindings = Object.entries(variables).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`,
  );
  const config = readFileSync(join(programs, 'worker.capnp'), 'utf8')
    .replace('2026-01-01', date)
    .replace('bindings = []', `bindings = [${bindings.join(', ')}]`)
    .replace('compatibilityFlags = []', `compatibilityFlags = ${JSON.stringify(flags)}`);
  writeFileSync(join(programs, 'served.capnp'), config);
  const child = spawn(path, ['serve', '--control-fd=3', 'served.capnp'], {
    cwd: programs,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  closings.push(async () => {
    child.kill();
    await once(child, 'exit');
  });
  return listening(child);
}

async function askWorker(path: string): Promise<string> {
  const response = await fetch(await serveWorker(path, 'worker.mjs'), { method: 'POST', body: options });
  return response.text();
}

/** Runs the smoke test; returns what it says at its end. */
const smokeOf: Record<Runtime['kind'], (path: string) => Promise<string>> = {
  node: importsAndRequires,
  bun: importsAndRequires,
  deno: (path) => {
    const leave = ['--allow-net=127.0.0.1', '--allow-env', '--no-prompt'];
    return run(path, ['run', ...leave, 'main.mjs', options]);
  },
  workerd: askWorker,
};

async function importsAndRequires(path: string): Promise<string> {
  expect(await run(path, ['main.cjs'])).toBe('required');
  return run(path, ['main.mjs', options]);
}

/** How a program is run, where the runtime has to be told what it may do. */
const argsOf = (kind: Runtime['kind'], program: string, allowed = ['--allow-net', '--allow-env']) =>
  kind === 'deno' ? ['run', '--no-prompt', ...allowed, program] : [program];

const TEMPLATE = '/api/email_campaigns/{id}';
const FAILED_ATTEMPT = ['start', 'end', 'error', 'asyncStart', 'asyncEnd'];

const tracedIn = async (kind: Runtime['kind'], path: string): Promise<unknown> =>
  JSON.parse(await run(path, argsOf(kind, 'tracing-main.mjs')));

async function tracedInWorker(path: string): Promise<unknown> {
  const url = await serveWorker(path, 'tracing-worker.mjs', { flags: ['nodejs_compat'] });
  return JSON.parse(await (await fetch(url)).text());
}

for (const runtime of inject('runtimes')) {
  const { name, kind } = runtime;
  if ('reason' in runtime) {
    test.skip(`${name}: ${runtime.reason}`, () => undefined);
    continue;
  }
  const { path } = runtime;
  test(`the package works under ${name}`, async () => {
    const said = await smokeOf[kind](path);
    expect(said).toMatch(WORKS);
    expect(said.includes('Array.fromAsync')).toBe(name !== OLDEST);
  });
  test(`${name} publishes calls and attempts to the tracing channels`, async () => {
    const said = kind === 'workerd' ? await tracedInWorker(path) : await tracedIn(kind, path);
    expect(said).toEqual({
      call: ['start', 'end', 'asyncStart', 'asyncEnd', 'start', 'end', 'error', 'asyncStart', 'asyncEnd'],
      attempt: [FAILED_ATTEMPT, ['start', 'end', 'asyncStart', 'asyncEnd'], FAILED_ATTEMPT].flat(),
      endings: [
        `${TEMPLATE} 502 1 server_error`,
        `${TEMPLATE} 200 2 `,
        `${TEMPLATE} 200 2 `,
        `${TEMPLATE} 404 1 not_found`,
        `${TEMPLATE} 404 1 not_found`,
      ],
      // docs/observability.md names the differences.
      withStoreAlone: Array(3).fill(kind === 'workerd' ? 'undefined' : 'campaigns.get'),
      withListeners: Array(3).fill('campaigns.get'),
      outside: 'none',
    });
  });

  if (kind === 'workerd') {
    sharedClient(path);
    continue;
  }

  test(`${name} sends an email with a key once`, async () => {
    const said = await run(path, argsOf(kind, 'journal.mjs'));
    const expected = 'sent, replayed, key_reused, connection_failed, replayed, replayed, accepted; 3 emails';
    expect(said).toContain(expected);
    // Bun is free to have it or not.
    if (kind !== 'bun') expect(said.startsWith('node:sqlite,')).toBe(name !== OLDEST);
  });

  test(`${name} says what a failed create proves`, async () => {
    let requests = 0;
    const [plain, certificate] = [
      await portWith(
        (socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      ),
      await selfSignedPort(() => (requests += 1)),
    ];
    const addresses = {
      refused: `http://127.0.0.1:${await closedPort()}`,
      unknownHost: 'https://does-not-exist.invalid',
      certificate: `https://localhost:${certificate}`,
      notTls: `https://127.0.0.1:${plain}`,
      lost: `http://127.0.0.1:${await portWith((socket) => void socket.once('data', () => socket.destroy()))}`,
    };
    expect(JSON.parse(await run(path, [...argsOf(kind, 'failures.mjs'), JSON.stringify(addresses)]))).toEqual(
      {
        refused: 'connect none',
        unknownHost: 'dns none',
        certificate: 'tls none',
        // Bun is given a text: nothing tells whether it was asked for.
        notTls: kind === 'bun' ? 'tls unknown' : 'tls none',
        lost: 'exchange unknown',
      },
    );
    expect(requests).toBe(0);
  });

  test(`${name} takes half of a compressed file for an error`, async () => {
    const text = Array.from({ length: 9_999 }, (_, index) => `line ${(index * 7919) % 10_007}`).join();
    const zipped = { gzip: gzipSync(text), br: brotliCompressSync(text) };
    const urlOf = async (encoding: 'gzip' | 'br' | 'identity', body: Buffer) =>
      `http://127.0.0.1:${await portWith(
        (socket) =>
          void socket.once('data', () => {
            const head = `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`;
            socket.end(Buffer.concat([Buffer.from(head), body]));
          }),
      )}/file`;
    const addresses = {
      whole: await urlOf('identity', Buffer.from(text)),
      gzip: await urlOf('gzip', zipped.gzip.subarray(0, zipped.gzip.length >> 1)),
      gzipEnd: await urlOf('gzip', zipped.gzip.subarray(0, -4)),
      br: await urlOf('br', zipped.br.subarray(0, zipped.br.length >> 1)),
    };
    const said: unknown = JSON.parse(
      await run(path, [...argsOf(kind, 'cut-files.mjs'), JSON.stringify(addresses)]),
    );
    const error = kind === 'bun' ? 'ConnectionError' : 'ResponseFormatError';
    expect(said).toEqual({ whole: text.length, gzip: error, gzipEnd: error, br: error });
  });

  test(`${name} sends a request once over a connection that breaks`, async () => {
    const seen: string[] = [];
    const port = await portWith((socket) => {
      socket.on('data', (data) => {
        const [method = ''] = data.toString('latin1').split(' /');
        if (/^[A-Z]+$/.test(method)) seen.push(method);
        if (method !== 'GET') socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n{"data":{"id":1}}');
      });
    });
    const said = await run(path, [...argsOf(kind, 'sent-once.mjs'), `http://127.0.0.1:${port}`]);
    expect(said).toBe('unknown unknown unknown unknown');
    expect(seen.filter((method) => method !== 'GET')).toEqual(['POST', 'DELETE', 'POST', 'DELETE']);
  });

  if (kind === 'node') {
    throughProxies(name, path);

    test(`no email goes out after its deadline under ${name}`, async () => {
      const seen = await lateSends((url) => run(path, ['late-sends.mjs', url]));
      expect(seen).toEqual(NONE_SENT_LATE);
    });

    test.each(['tcp', 'tls'] as const)(
      `nothing is written to a connection that stands only after deadline, timeout or abort under ${name}: %s`,
      async (way) => {
        const seen = await lateConnections(
          (argument, variables) => run(path, ['late-connections.mjs', argument], variables),
          way,
        );
        expect(seen).toEqual(NONE_ARRIVED);
      },
    );
  }

  if (kind === 'deno') {
    test('Deno without permission to read the environment: the error says so', async () => {
      expect(await run(path, argsOf(kind, 'no-permission.mjs', []))).toMatch(
        /^ConfigurationError: token is required: .* no permission \(--allow-env=EMAIL_PLATFORM_TOKEN\)$/,
      );
    });
  }
}

/** The Worker of the guide, whose requests share a client, under a service that allows 50 requests in a second. */
function sharedClient(path: string): void {
  describe.each(['2026-01-01', '2023-05-01'])('Requests of a Worker that share a client (%s)', (date) => {
    async function setUp() {
      const [snippet] = extract('docs/workers.md', readFileSync(join(root, 'docs/workers.md'), 'utf8'));
      writeFileSync(join(programs, 'guide.ts'), snippet?.code ?? '');
      const emulator = createEmulator({
        limits: { token: { requests: 50, perMs: 1_000 } },
        window: 'sliding',
      });
      const id = emulator.campaigns.add();
      const service = await emulator.listen();
      closings.push(() => service.close());
      const { token, hosts } = service.clientOptions();
      const variables = { TOKEN: token, API_URL: hosts.api };
      const url = `${await serveWorker(path, 'shared-worker.mjs', { variables, date })}?campaign=${id}`;
      const ask = async (more = '') => (await fetch(url + more)).text();
      return { emulator, ask };
    }
    const statuses = (emulator: Emulator) => new Set(emulator.requests.map(({ status }) => status));
    const answer = '{"current_state":"draft"}';

    test('are all answered, and none is refused', async () => {
      const { emulator, ask } = await setUp();
      const answers = await Promise.all(Array.from({ length: 400 }, () => ask()));
      expect(answers.filter((text) => text !== answer)).toEqual([]);
      expect(emulator.requests).toHaveLength(400);
      expect(statuses(emulator)).toEqual(new Set([200]));
    });

    test('are all answered when connections are cut', async () => {
      const { emulator, ask } = await setUp();
      emulator.faults.next({ kind: 'reset-before', times: 20 });
      const answers = await Promise.all(Array.from({ length: 200 }, () => ask()));
      expect(answers.filter((text) => text !== answer)).toEqual([]);
      expect(statuses(emulator)).toEqual(new Set([null, 200]));
    });

    test('are all answered when others give up', async () => {
      const { emulator, ask } = await setUp();
      const giveUp = (_: unknown, index: number) => ask(index % 2 === 0 ? '' : '&giveUpAfterMs=500');
      const answers = await Promise.all(Array.from({ length: 200 }, giveUp));
      expect(answers.filter((_, index) => index % 2 === 0 && answers[index] !== answer)).toEqual([]);
      expect(answers).toContain('gave up');
      expect(statuses(emulator)).toEqual(new Set([200]));
    });
  });
}

/** The output of the program about a proxy. */
interface ThroughProxy {
  readonly failure: string;
  readonly message: string | undefined;
  readonly statuses: Readonly<Record<string, number>>;
}

/** A service over TLS, which accepts what it is sent, or ends the connection after it has read a request. */
async function tlsService({ isLost = false } = {}): Promise<Readonly<Record<string, string>>> {
  const server = createHttpsServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (isLost) {
        request.socket.destroy();
        return;
      }
      const { requests } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly requests?: unknown[] };
      const responses = requests?.map((_, index) => ({ success: true, message_ids: [String(index)] }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(responses ? { success: true, responses } : { data: { id: 1 } }));
    });
  });
  const { port, close } = await listen(server);
  closings.push(close);
  writeFileSync(join(programs, 'certificate.pem'), CERTIFICATE);
  const url = `https://localhost:${port}`;
  return {
    EMAIL_PLATFORM_TOKEN: 'token',
    EMAIL_PLATFORM_API_URL: url,
    EMAIL_PLATFORM_SEND_URL: url,
    NODE_EXTRA_CA_CERTS: join(programs, 'certificate.pem'),
  };
}

/** A Node behind a proxy, named in the two ways of the guide. */
function throughProxies(name: string, path: string): void {
  const major = Number(/\d+/.exec(name)?.[0]);
  const guide = readFileSync(join(root, 'docs/connecting.md'), 'utf8');
  const ways = [
    ...(major >= 22 ? (['environment'] as const) : []),
    ...(inject('hasUndici') ? (['agent'] as const) : []),
  ];

  describe.each(ways)(`${name} behind a proxy, named by the %s`, (way) => {
    /** The variables of the guide's command, with a proxy of the test's own; for the agent, its client as well. */
    async function proxied(onConnect: OnConnect) {
      const proxy = await connectProxy(onConnect);
      closings.push(proxy.close);
      const [, command = ''] = /```sh\n(.*) node app\.js\n```/.exec(guide) ?? [];
      const variables = Object.fromEntries(
        command.split(' ').map((pair) => pair.replace(/(?<=PROXY=)http:.*/, proxy.url).split('=')),
      ) as Record<string, string>;
      expect(Object.keys(variables)).toEqual(['NODE_USE_ENV_PROXY', 'HTTPS_PROXY']);
      if (way === 'agent') {
        delete variables.NODE_USE_ENV_PROXY;
        const snippet = extract('docs/connecting.md', guide).find(({ code }) =>
          code.includes("from 'undici'"),
        );
        const { code } = await transform(snippet?.code ?? '', { loader: 'ts' });
        writeFileSync(join(programs, 'guide-client.mjs'), code);
      }
      return { variables, asked: proxy.asked };
    }

    async function ask(
      onConnect: OnConnect,
      { timeoutMs = 60_000, ...service }: { readonly isLost?: boolean; readonly timeoutMs?: number } = {},
    ) {
      const { variables, asked } = await proxied(onConnect);
      const said = await run(path, ['--no-warnings', 'through-a-proxy.mjs', way, String(timeoutMs)], {
        ...(await tlsService(service)),
        ...variables,
      });
      return { ...(JSON.parse(said) as ThroughProxy), asked };
    }

    test('reaches the service', async () => {
      const { failure, statuses, asked } = await ask(tunnelling);
      expect({ failure, statuses }).toEqual({ failure: ' ', statuses: { accepted: 1_200 } });
      expect(asked[0]).toMatch(/^localhost:\d+$/);
    });

    // The agent is in a `fetch` of the caller's, which gets the body as text, and sends it late.
    const isNodesOwn = way === 'environment';
    test.runIf(isNodesOwn)('that connects after deadline, timeout or abort: nothing is sent', async () => {
      const { variables, asked } = await proxied(tunnelling);
      const port = await closedPort();
      const url = `https://localhost:${port}`;
      const seen = await lateConnections(
        (argument, trust) =>
          run(path, ['--no-warnings', 'late-connections.mjs', argument], {
            ...variables,
            ...trust,
            EMAIL_PLATFORM_TOKEN: 'token',
            EMAIL_PLATFORM_API_URL: url,
            EMAIL_PLATFORM_SEND_URL: url,
          }),
        'tls',
        port,
      );
      expect(seen).toEqual(NONE_ARRIVED);
      expect(new Set(asked)).toEqual(new Set([`localhost:${port}`]));
    });

    test.each([407, 403, 502])('that refuses with %i: nothing was sent', async (status) => {
      const { failure, message, statuses } = await ask(refusing(status));
      expect({ failure, statuses }).toEqual({ failure: 'connect none', statuses: { not_sent: 1_200 } });
      expect(message).toContain(`a proxy on the way refused it (Proxy response (${status})`);
    });

    test('that loses the answer: its effect is unknown', async () => {
      const { failure, statuses } = await ask(tunnelling, { isLost: true });
      expect({ failure, statuses }).toEqual({ failure: 'exchange unknown', statuses: { unknown: 1_200 } });
    });

    test('that hangs up: nothing was sent, which Node says from 26 on', async () => {
      const { failure, statuses } = await ask(hangingUp, { timeoutMs: 3_000 });
      const isSaid = major >= 26 && way === 'environment';
      expect({ failure, statuses }).toEqual(
        isSaid
          ? { failure: 'connect none', statuses: { not_sent: 1_200 } }
          : way === 'environment'
            ? { failure: 'attempt none', statuses: { not_sent: 1_200 } }
            : { failure: 'attempt unknown', statuses: { unknown: 1_200 } },
      );
    });
  });
}
