/** Tests of `email-platform journal`, for the peers that have a database. */
import { EmailPlatform } from 'email-platform';
import type { Journal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { plainEnv } from './redis/workers.ts';

/** Where it is run, there is none. */
const tsx = import.meta.resolve('tsx');
const program = fileURLToPath(new URL('../../src/cli/index.ts', import.meta.url));

/** Runs the command in a folder, where its packages are. */
export const journalCommand = (
  args: readonly string[],
  { cwd, node = process.execPath, env = {} }: { cwd: string; node?: string; env?: NodeJS.ProcessEnv },
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> =>
  new Promise((resolve) => {
    const words = ['--disable-warning=ExperimentalWarning', '--import', tsx, program, 'journal', ...args];
    const running = execFile(node, words, { cwd, env: { ...plainEnv(), ...env } }, (_, out, err) =>
      resolve({ code: running.exitCode ?? -1, out, err }),
    );
  });

/** Two keys are left open, of which one email was sent: the command shows both, and finds that one. */
export async function testJournalCommand(
  journal: Journal,
  place: readonly string[],
  how: { readonly cwd: string; readonly node?: string },
): Promise<void> {
  const emulator = createEmulator();
  const service = await emulator.listen();
  try {
    const options = service.clientOptions();
    const client = new EmailPlatform({ ...options, journal });
    const mail = { from: 'hello@mail.example.com', to: 'ann@example.org', subject: 'Hello', text: 'Hi.' };
    for (const kind of ['reset-before', 'reset-after'] as const) {
      emulator.faults.next({ kind, match: { path: '/api/send' } });
      await expect(client.sending.send(mail, { idempotencyKey: kind })).rejects.toThrow();
    }
    const before = await journalCommand(['status', ...place], how);
    expect(before).toMatchObject({ code: 0, err: '' });
    expect(before.out).toMatch(
      /^2 keys are open in the namespace "default", oldest first:\n\nreset-before +transactional +no answer arrived, since \d{4}-\S+Z\nreset-after +transactional +no answer arrived, since \d{4}-\S+Z\n$/,
    );

    const noToken = await journalCommand(['settle', ...place], how);
    expect([noToken.code, noToken.out]).toEqual([1, '']);
    expect(noToken.err).toContain('EMAIL_PLATFORM_TOKEN');

    const env = { EMAIL_PLATFORM_TOKEN: options.token, EMAIL_PLATFORM_URL: service.url };
    const settled = await journalCommand(['settle', ...place], { ...how, env });
    expect(settled).toMatchObject({ code: 0, err: '' });
    expect(settled.out).toMatch(
      /^reset-after: accepted, \S+\nreset-before: unknown, the email log does not have it\n1 settled, 1 still unknown\n$/,
    );

    const after = await journalCommand(['status', ...place], how);
    expect(after.out).toMatch(/^1 key is open .*:\n\nreset-before /);
    const other = await journalCommand(['status', ...place, '--namespace', 'other'], how);
    expect(other).toEqual({ code: 0, out: 'No key is open in the namespace "other".\n', err: '' });
  } finally {
    await service.close();
  }
}
