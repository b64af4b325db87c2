import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bundledProgram } from '../support/programs.ts';
import { serve, type Service } from './service.ts';

/** Runs a program. Fails if it does not exit by itself; it would then run for ten minutes. */
async function run({ connection }: Service, name: string, ...args: string[]): Promise<string[]> {
  const program = bundledProgram(fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], {
    env: {
      ...process.env,
      EMAIL_PLATFORM_TOKEN: connection.token,
      EMAIL_PLATFORM_API_URL: connection.hosts.api,
    },
    timeout: 60_000,
  });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

describe.concurrent('A process', { timeout: 70_000 }, () => {
  test('with a queued call stays alive until the response arrives, and then exits', async (context) => {
    const service = await serve(context);
    context
      .expect(await run(service, 'pending-call', '1500'))
      .toEqual(['answered, 1 waiting', 'answered, 1 waiting', 'answered, 0 waiting']);
  });

  test('whose calls have ended exits, even while their permits are in use', async (context) => {
    context.expect(await run(await serve(context), 'calls-over')).toEqual(['2 of 2 used']);
  });

  test('with a call that waits before a retry stays alive until the response arrives', async (context) => {
    const service = await serve(context);
    service.emulator.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '1' } });
    context.expect(await run(service, 'pending-retry')).toEqual(['rate_limited', '0 campaigns']);
  });
});
