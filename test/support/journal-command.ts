/** Tests of `email-platform journal`, for the folders of test/peers with a database. */
import { EmailPlatform } from 'email-platform';
import type { Deliveries, Journal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { claimOf } from '../entries/journal/claim-of.ts';
import { bundledProgram } from './programs.ts';
import { plainEnv } from './redis/workers.ts';

const program = bundledProgram(fileURLToPath(new URL('../../src/cli/index.ts', import.meta.url)));

/** Runs the command in a folder with the packages that it needs. */
export const journalCommand = (
  args: readonly string[],
  { cwd, node = process.execPath, env = {} }: { cwd: string; node?: string; env?: NodeJS.ProcessEnv },
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> =>
  new Promise((resolve) => {
    const words = ['--disable-warning=ExperimentalWarning', program, 'journal', ...args];
    const running = execFile(node, words, { cwd, env: { ...plainEnv(), ...env } }, (_, out, err) =>
      resolve({ code: running.exitCode ?? -1, out, err }),
    );
  });

/** Leaves two keys open, of which one email was sent. The command shows both, and finds the sent one. */
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
    expect(before.out).toBe(
      '2 keys are open in the namespace "default":\n  2 unknown: no response arrived\nNext, with the same options: journal settle, which searches the email log for them.\n',
    );
    const listed = await journalCommand(['status', '--list', ...place], how);
    expect(listed.out.slice(before.out.length)).toMatch(
      /^\nreset-before +transactional +no response arrived, since \d{4}-\S+Z\nreset-after +transactional +no response arrived, since \d{4}-\S+Z\n$/,
    );

    const noToken = await journalCommand(['settle', ...place], how);
    expect([noToken.code, noToken.out]).toEqual([1, '']);
    expect(noToken.err).toContain('EMAIL_PLATFORM_TOKEN');

    const env = { EMAIL_PLATFORM_TOKEN: options.token, EMAIL_PLATFORM_URL: service.url };
    const settled = await journalCommand(['settle', ...place], { ...how, env });
    expect(settled).toMatchObject({ code: 0, err: '' });
    expect(settled.out).toBe(
      '1 settled, 1 still unknown\nNext, with the same options: journal resend --all-unknown, if an email may arrive twice; journal release <key>, if it was certainly not sent.\n',
    );
    const again = await journalCommand(['settle', '--list', '--json', ...place], { ...how, env });
    const unknownKeys = ['reset-before'];
    const noFlight = { inFlight: 0, leasesEnd: null };
    const result = { settled: 0, unknown: 1, ...noFlight, settledKeys: [], unknownKeys };
    expect(JSON.parse(again.out)).toEqual(result);

    await journal.store.claim([claimOf('flying')]);
    const after = await journalCommand(['status', ...place], how);
    expect(after.out).toMatch(
      /^1 key is open .*\n {2}1 unknown: .*\n1 key is in flight; its lease ends \d{4}-\S+Z\.\nNext, .* journal settle, .*\n$/,
    );
    const soon = await journalCommand(['settle', ...place], { ...how, env });
    expect(soon.out).toMatch(
      /^0 settled, 1 still unknown\n1 key is in flight; its lease ends \S+Z\. Settle again after that\.\nNext, .* journal resend .*\n$/,
    );
    const soonJson = await journalCommand(['settle', '--json', ...place], { ...how, env });
    expect(JSON.parse(soonJson.out)).toMatchObject({ settled: 0, unknown: 1, inFlight: 1 });
    const json = await journalCommand(['status', '--json', '--list', ...place], how);
    expect(JSON.parse(json.out)).toMatchObject({
      ...{ namespace: 'default', unknown: 1, claimed: 0, inFlight: 1 },
      openKeys: [{ key: 'reset-before', state: 'unknown' }],
      inFlightKeys: [{ key: 'flying', state: 'claimed' }],
    });

    // Without a terminal.
    const unasked = await journalCommand(['resend', 'reset-before', ...place], how);
    expect(unasked).toMatchObject({ code: 2, out: '' });
    const mixed = await journalCommand(['release', 'reset-before', 'flying', '--yes', ...place], how);
    expect(mixed).toEqual({
      code: 1,
      out: '1 key is free\n',
      err: 'Not open: flying. These keys are accepted, in flight, free, or not in the journal. Next, with the same options: journal status --list, which shows the open ones.\n',
    });
    emulator.faults.next({ kind: 'reset-before', match: { path: '/api/send' } });
    await expect(client.sending.send(mail, { idempotencyKey: 'reset-before' })).rejects.toThrow();
    const resent = await journalCommand(['resend', 'reset-before', '--yes', ...place], how);
    expect(resent).toEqual({ code: 0, out: '1 key is free to be sent again\n', err: '' });
    await client.sending.send(mail, { idempotencyKey: 'reset-before' });
    const none = await journalCommand(['resend', '--all-unknown', '--yes', '--json', ...place], how);
    expect(none).toEqual({ code: 0, out: '{"freed":[],"notOpen":[]}\n', err: '' });
    const other = await journalCommand(['status', ...place, '--namespace', 'other'], how);
    expect(other).toEqual({ code: 0, out: 'No key is open in the namespace "other".\n', err: '' });
  } finally {
    await service.close();
  }
}

/** Records an email that bounced, and shows it by its key, its message and its recipient. */
export async function testDeliveriesCommand(
  deliveries: Deliveries,
  place: readonly string[],
  how: { readonly cwd: string; readonly node?: string },
): Promise<void> {
  const event = (event_type: string, second: number) => ({
    ...{ kind: 'sending', event_type, event_id: `${event_type} ${second}`, message_id: 'id-1' },
    ...{ email: 'ann@example.org', occurredAt: new Date(Date.UTC(2026, 0, 1, 12, 0, second)) },
  });
  const response = '550 \u001b[31mno such user';
  await deliveries.record([
    { ...event('bounce', 5), response, response_code: 550, bounce_category: 'badmailbox' },
    event('delivery', 1),
    event('open', 2),
    event('open', 4),
  ]);
  await deliveries.recordSent({ message_ids: ['id-1'] }, { key: 'receipt/7' });
  const text = [
    'bounced 2026-01-01T12:00:05Z, to ann@example.org, key receipt/7, message id-1',
    '  2026-01-01T12:00:01Z delivery',
    '  2026-01-01T12:00:05Z bounce; badmailbox; 550 [31mno such user',
    '  opened 2×: 2026-01-01T12:00:02Z to 2026-01-01T12:00:04Z',
    '',
  ].join('\n');
  for (const query of [
    ['--key', 'receipt/7'],
    ['--message', 'id-1'],
    ['--to', 'Ann@example.org'],
  ]) {
    const shown = await journalCommand(['deliveries', ...query, ...place], how);
    const to = query[0] === '--to' ? 'Ann@example.org' : 'ann@example.org';
    expect(shown).toEqual({ code: 0, out: text.replace('ann@example.org', to), err: '' });
  }
  const json = await journalCommand(['deliveries', '--key', 'receipt/7', '--json', ...place], how);
  expect(JSON.parse(json.out)).toMatchObject([{ status: 'bounced', opens: { count: 2 } }]);
  const none = await journalCommand(['deliveries', '--key', 'receipt/8', ...place], how);
  expect(none).toEqual({ code: 0, out: 'Nothing is recorded.\n', err: '' });
  const wrong = await journalCommand(['deliveries', '--to', 'ann', ...place], how);
  expect(wrong).toEqual({ code: 1, out: '', err: 'recipient must be one email address\n' });
}
