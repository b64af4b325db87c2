/**
 * A real Next of three versions: each builds and starts the app beside this file, whose handlers send the same email
 * again and again. Next puts its own function in the place of `fetch`, which answers from a cache unless a request
 * forbids it, and throws an error to leave a static rendering.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFull } from '../../support/extent.ts';
import { installPacked, pack } from '../../support/packed.ts';
import { closedPort } from '../../support/ports.ts';

/** All of them at night; by day the one whose edge runtime keeps only the address of a Request. */
const VERSIONS = isFull ? [14, 15, 16] : [15];

const ROUNDS = 3;

describe.each(VERSIONS)('In Next %i', (version) => {
  const packages = join(import.meta.dirname, `../next-${version}`);
  /** Inside the folder of its packages. */
  const copy = join(packages, '.tmp/app');
  const next = join(packages, 'node_modules/next/dist/bin/next');
  let emulator: Emulator;
  let service: Awaited<ReturnType<Emulator['listen']>>;
  let server: ChildProcess;
  let url: string;
  let built: string;

  /** The variables of the app, without those of this test. */
  function environment(): NodeJS.ProcessEnv {
    const { token, hosts } = service.clientOptions();
    const others = Object.entries(process.env).filter(
      ([key]) => !/^(VITEST|NODE_|TEST|EMAIL_PLATFORM)/.test(key),
    );
    const addresses = Object.entries<string>({ ...hosts }).map(([name, address]): [string, string] => [
      `EMAIL_PLATFORM_${name.toUpperCase()}_URL`,
      address,
    ]);
    return {
      ...Object.fromEntries<string | undefined>([...others, ...addresses]),
      EMAIL_PLATFORM_TOKEN: token,
      NEXT_TELEMETRY_DISABLED: '1',
    };
  }

  const run = (...args: string[]) =>
    spawn(process.execPath, [next, ...args], {
      cwd: copy,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  /** The output of a program, until it ends or `holds` is true of it. */
  async function outputOf(child: ChildProcess, holds: (output: string) => boolean = () => false) {
    let output = '';
    const ended = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (data) => {
          output += String(data);
          if (holds(output)) resolve();
        });
      child.once('close', () => resolve());
    });
    await ended;
    return output;
  }

  beforeAll(async () => {
    rmSync(copy, { recursive: true, force: true });
    installPacked(pack(), copy);
    cpSync(join(import.meta.dirname, 'app'), copy, { recursive: true });
    const root = JSON.stringify(packages);
    const config =
      version < 15
        ? '{}'
        : `{ outputFileTracingRoot: ${root}${version < 16 ? '' : `, turbopack: { root: ${root} }`} }`;
    writeFileSync(join(copy, 'next.config.mjs'), `export default ${config};\n`);
    emulator = createEmulator();
    service = await emulator.listen({ port: 0 });
    const building = run('build');
    built = await outputOf(building);
    if (building.exitCode !== 0) throw new Error(built);
    expect(emulator.messages()).toHaveLength(0);
    const port = await closedPort();
    url = `http://127.0.0.1:${port}`;
    server = run('start', '--hostname', '127.0.0.1', '--port', String(port));
    const started = await outputOf(server, (output) => output.includes('Ready'));
    if (server.exitCode !== null) throw new Error(started);
  }, 600_000);

  afterAll(async () => {
    if (server.exitCode === null) {
      server.kill();
      await once(server, 'close');
    }
    await service.close();
  });

  const sent = () => emulator.messages().length;
  const textOf = async (path: string, init?: RequestInit) => (await fetch(`${url}${path}`, init)).text();

  test.each([
    ['a GET handler that is forced to be dynamic', '/api/cron', 'GET'],
    ['a GET handler with nothing dynamic in it', '/api/plain', 'GET'],
    ['a POST handler', '/api/send', 'POST'],
    ['a GET handler in the edge runtime', '/api/edge', 'GET'],
  ])('%s sends every email that it says was accepted', async (_, path, method) => {
    const before = sent();
    const ids = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { message_ids } = JSON.parse(await textOf(path, { method })) as { message_ids: string[] };
      for (const id of message_ids) ids.add(id);
    }
    expect([ids.size, sent() - before]).toEqual([ROUNDS, ROUNDS]);
  });

  test('a server action sends each time', async () => {
    const before = sent();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [, action = ''] = /name="(\$ACTION_ID_\w+)"/.exec(await textOf('/form')) ?? [];
      const body = new FormData();
      body.set(action, '');
      expect((await fetch(`${url}/form`, { method: 'POST', body })).status).toBe(200);
    }
    expect(sent() - before).toBe(ROUNDS);
  });

  test.each([
    ['a page with nothing dynamic in it', '/', 'GET'],
    ['a page whose token function asks for a cookie', '/tenant', 'GET'],
    ['a handler in the edge runtime', '/api/edge', 'POST'],
  ])('%s reads what is there now', async (_, path, method) => {
    const { items } = await new EmailPlatform(service.clientOptions()).campaigns.list();
    for (let round = 0; round < ROUNDS; round += 1) {
      expect(await textOf(path, { method })).toContain(`${items.length + round} campaigns`);
      emulator.campaigns.add();
    }
  });
});
