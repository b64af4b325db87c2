import { describe, expect, test } from 'vitest';
import { cli } from './in-process.ts';

// What it does with databases is tested in test/peers, which has them.
describe('email-platform journal', () => {
  test.each([
    [['journal', 'stats', '--sqlite', 'a.db'], "Unknown command 'stats' (Did you mean status?)"],
    [['journal', 'status', 'now', '--sqlite', 'a.db'], "Too many arguments for 'status'"],
    [['journal', 'status'], 'Needs either --sqlite <file> or --postgres <url>'],
    [['journal', 'status', '--sqlite', 'a', '--postgres', 'b'], 'Needs either --sqlite'],
    [['journal', 'status', '--sqlite', 'a', '--schema', 'b'], '--schema needs --postgres <url>'],
    [['journal', 'status', '--sqlite'], "Option '--sqlite <file>' argument missing"],
    [['journal', 'status', '--sqlite', 'a.db', '--port', '1'], "Unknown option '--port'"],
    [
      ['journal', 'deliveries', '--sqlite', 'a.db'],
      'Needs one of --key <key>, --message <id> and --to <address>',
    ],
    [['journal', 'deliveries', '--sqlite', 'a.db', '--key', 'a', '--to', 'b'], 'Needs one of --key <key>'],
    [['emulator', '--sqlite', 'a.db'], "Unknown option '--sqlite'"],
  ])('%j is invalid: says why, and the usage in one line, exit 2', async (args, message) => {
    const { code, out, err } = await cli(args);
    expect([code, out]).toEqual([2, '']);
    const [why, usage, ...others] = err.split('\n');
    expect(why).toContain(message);
    expect(usage).toContain(`Usage: email-platform ${String(args[0])}`);
    expect(others).toEqual(['']);
  });

  test.each([
    ['--sqlite', 'WITHOUT ROWID'],
    ['--postgres', 'timestamptz'],
  ])('schema prints that of %s, and needs no database', async (place, text) => {
    const { code, out, err } = await cli(['journal', 'schema', place, 'nowhere']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('CREATE TABLE IF NOT EXISTS email_platform_journal_v1');
    expect(out).toContain(text);
    expect(out).not.toContain('deliveries');
  });

  test.each(['--sqlite', '--postgres'])(
    'schema %s --deliveries prints those of deliveries too',
    async (place) => {
      const { out } = await cli(['journal', 'schema', place, 'nowhere', '--deliveries']);
      expect(out).toContain('CREATE TABLE IF NOT EXISTS email_platform_journal_v1');
      expect(out).toContain('CREATE TABLE IF NOT EXISTS email_platform_deliveries_v1');
    },
  );

  test('schema prints that of a schema', async () => {
    const { out } = await cli(['journal', 'schema', '--postgres', 'nowhere', '--schema', 'shop']);
    expect(out).toContain('CREATE TABLE IF NOT EXISTS "shop".email_platform_journal_v1');
  });

  test('says what to install, exit 1', async () => {
    const { code, out, err } = await cli([
      'journal',
      'status',
      '--postgres',
      'postgres://u:secret@localhost/x',
    ]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('--postgres needs the package pg: npm install pg\n');
  });
});
