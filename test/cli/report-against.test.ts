import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from './in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-against-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [main, pr] = [join(folder, 'main.html'), join(folder, 'pr.html')];

beforeAll(async () => {
  for (const [file, texts] of [
    [main, { Receipt: 'Thank you', Digest: 'This week', Welcome: 'Hello' }],
    [pr, { Receipt: 'Thanks', Invoice: 'Please pay', Welcome: 'Hello' }],
  ] as const) {
    const emulator = createEmulator();
    const client = new EmailPlatform(emulator.clientOptions());
    for (const [category, text] of Object.entries(texts)) {
      const subject = category === 'Welcome' && file === pr ? 'Welcome\u001B[2J' : category;
      await client.sending.send({
        from: 'a@mail.example.com',
        to: 'ann@example.org',
        subject,
        text,
        category,
      });
    }
    await emulator.report(file);
  }
});

test('the changes, in lines, in a page and in a summary', async () => {
  const [out, summary] = [join(folder, 'changes.html'), join(folder, 'summary.md')];
  const result = await cli(['report', pr, '--against', main, '--out', out, '--summary', summary]);
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(result.out).toBe(`2 of 4 kinds changed, 1 new, 1 gone
 ~ Receipt  text 1 place
 ~ Welcome  subject (was "Welcome", now "Welcome [2J")
 + Invoice
 - Digest
`);
  expect(readFileSync(out, 'utf8')).toContain('"changes":{');
  expect(readFileSync(summary, 'utf8')).toContain('- Changed: ` Receipt `: text 1 place');
});

test('as JSON, and with an exit code', async () => {
  const changed = await cli(['report', pr, '--against', main, '--json', '--exit-code']);
  expect(changed).toMatchObject({ code: 3, err: '' });
  const { kinds } = JSON.parse(changed.out) as { kinds: { state: string }[] };
  expect(kinds.map(({ state }) => state)).toEqual(['changed', 'changed', 'new', 'gone']);
  const same = await cli(['report', pr, '--against', main, '--against', pr, '--exit-code']);
  // As a shell passes `--against reports/*.html`.
  expect(await cli(['report', pr, '--against', main, pr, '--exit-code'])).toEqual(same);
  expect(same.code).toBe(3);
  expect(await cli(['report', pr, '--against', pr, '--exit-code'])).toMatchObject({
    code: 0,
    out: '0 of 3 kinds changed, 3 the same\n',
  });
});

test('with --fail-on, only a finding that the earlier run does not have ends with 1', async () => {
  const [good, bad] = [join(folder, 'good.html'), join(folder, 'bad.html')];
  for (const [file, name] of [
    [good, 'Ann'],
    [bad, 'undefined'],
  ] as const) {
    const emulator = createEmulator();
    const client = new EmailPlatform(emulator.clientOptions());
    const mail = { from: 'a@mail.example.com', to: 'ann@example.org', subject: 'Welcome' };
    await client.sending.send({ ...mail, text: `Hello ${name},` });
    await emulator.report(file);
  }
  const added = await cli(['report', bad, '--against', good, '--fail-on', 'error']);
  expect(added.code).toBe(1);
  expect(added.out).toContain('new error: Welcome');
  expect(await cli(['report', bad, '--against', bad, '--fail-on', 'warn'])).toMatchObject({ code: 0 });
  expect(await cli(['report', good, '--against', bad, '--fail-on', 'warn'])).toMatchObject({ code: 0 });
  expect(await cli(['report', bad, '--against', good])).toMatchObject({ code: 0 });
});

test('options that do not belong together, and a file that is missing, are said', async () => {
  expect(await cli(['report', pr, '--json'])).toMatchObject({ code: 2 });
  expect((await cli(['report', pr, '--exit-code'])).err).toContain('--exit-code needs --against <file>');
  expect(await cli(['report', pr, '--against', join(folder, 'none.html')])).toMatchObject({ code: 1 });
  const kept = readFileSync(main, 'utf8');
  for (const out of [main, join(folder, '.', 'main.html'), pr])
    expect(await cli(['report', pr, '--against', main, '--out', out])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--out names a report that is compared') as string,
    });
  expect(readFileSync(main, 'utf8')).toBe(kept);
});
