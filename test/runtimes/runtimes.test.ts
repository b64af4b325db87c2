import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createEmulator, type EmulatorServer } from 'email-platform/testing';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { lateSends, NONE_SENT_LATE } from '../attack/late-sends.ts';
import type { Runtime } from './runtimes.ts';

const programs = inject('programs');
/** What the smoke test says at its end; where there is node:http, a page of the demo's campaigns comes with it. */
const WORKS = /^email-platform \d+\.\d+\.\d+ works(, 50 campaigns)?$/;
let server: EmulatorServer;
let options: string;

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
afterEach(() => server.close());

async function run(path: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(path, args, { cwd: programs, timeout: 60_000 });
  return stdout.trim();
}

/** Where a worker listens, once it says so on its third stream. */
async function listening(child: ChildProcess): Promise<string> {
  const control = child.stdio[3];
  if (!control) throw new Error('workerd was given no stream to report to');
  const [chunk] = (await once(control, 'data')) as [Buffer];
  const { port } = JSON.parse(chunk.toString().split('\n')[0] ?? '') as { readonly port: number };
  return `http://127.0.0.1:${port}/`;
}

async function askWorker(path: string): Promise<string> {
  await build({
    entryPoints: [join(programs, 'worker.mjs')],
    outfile: join(programs, 'bundled-worker.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['workerd', 'worker'],
    external: ['node:*'],
    logLevel: 'error',
  });
  const child = spawn(path, ['serve', '--control-fd=3', 'worker.capnp'], {
    cwd: programs,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  try {
    const response = await fetch(await listening(child), { method: 'POST', body: options });
    return await response.text();
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

const programOf: Record<Runtime['kind'], (path: string) => Promise<void>> = {
  node: importsAndRequires,
  bun: importsAndRequires,
  deno: async (path) => {
    const leave = ['--allow-net=127.0.0.1', '--allow-env', '--no-prompt'];
    expect(await run(path, ['run', ...leave, 'main.mjs', options])).toMatch(WORKS);
  },
  workerd: async (path) => {
    expect(await askWorker(path)).toMatch(WORKS);
  },
};

async function importsAndRequires(path: string): Promise<void> {
  expect(await run(path, ['main.mjs', options])).toMatch(WORKS);
  expect(await run(path, ['main.cjs'])).toBe('required');
}

for (const runtime of inject('runtimes')) {
  const { name, kind } = runtime;
  if ('reason' in runtime) test.skip(`${name}: ${runtime.reason}`, () => undefined);
  else {
    test(`the package works under ${name}`, () => programOf[kind](runtime.path));
    if (kind !== 'node') continue;
    test(`no email goes out after its deadline under ${name}`, async () => {
      const seen = await lateSends((url) => run(runtime.path, ['late-sends.mjs', url]));
      expect(seen).toEqual(NONE_SENT_LATE);
    });
  }
}
