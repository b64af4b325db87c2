import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';

// What it does with databases is tested in test/peers, which has them.
async function cli(...args: string[]) {
  let out = '';
  let err = '';
  const ended = new Promise(() => undefined);
  const code = await run(args, { out: (text) => (out += text), err: (text) => (err += text), ended });
  return { code, out, err };
}

describe('email-platform journal', () => {
  test.each([
    [['journal'], 'journal needs one of status, settle, schema, not nothing'],
    [['journal', 'stats', '--sqlite', 'a.db'], 'journal needs one of status, settle, schema, not "stats"'],
    [['journal', 'status', 'now', '--sqlite', 'a.db'], 'Unexpected argument "now"'],
    [['journal', 'status'], 'journal needs either --sqlite <file> or --postgres <url>'],
    [['journal', 'status', '--sqlite', 'a', '--postgres', 'b'], 'journal needs either --sqlite'],
    [['journal', 'status', '--sqlite'], "'--sqlite <value>' argument missing"],
    [['journal', 'status', '--sqlite', 'a.db', '--port', '1'], "Unknown option '--port' of journal"],
    [['emulator', '--sqlite', 'a.db'], "Unknown option '--sqlite' of emulator"],
  ])('%j is invalid: says why and shows the usage, exit 2', async (args, message) => {
    const { code, out, err } = await cli(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err).toContain('email-platform journal status|settle|schema');
  });

  test.each([
    ['--sqlite', 'WITHOUT ROWID'],
    ['--postgres', 'timestamptz'],
  ])('schema prints that of %s, and needs no database', async (place, text) => {
    const { code, out, err } = await cli('journal', 'schema', place, 'nowhere');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('CREATE TABLE IF NOT EXISTS email_platform_journal_v1');
    expect(out).toContain(text);
  });

  test('says what to install, exit 1', async () => {
    const { code, out, err } = await cli(
      'journal',
      'status',
      '--postgres',
      'postgres://u:secret@localhost/x',
    );
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('--postgres needs the package pg: npm install pg\n');
  });
});
