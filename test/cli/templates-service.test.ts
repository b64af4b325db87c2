import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { accountOf, lockIn } from '../entries/templates/account.ts';
import { folderOf, RECEIPT, templatesIn } from '../entries/templates/folders.ts';
import { cli } from './in-process.ts';

/** What every command says first. */
const WHERE = 'Account 2001 at emulator.test\n';

/** Runs `templates` with the client of an emulator. */
function commands() {
  const account = accountOf();
  const { client } = account;
  const surroundings = { client: () => client, ended: new Promise(() => undefined) };
  const run = (...args: string[]) => cli(['templates', ...args], surroundings);
  return { ...account, run };
}

/** A folder with a template of each kind of difference. */
async function differing() {
  const { client, run, emulator } = commands();
  const folder = templatesIn({ digest: RECEIPT, invite: RECEIPT, old: RECEIPT, receipt: RECEIPT });
  await run('push', folder);
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write('receipt/body.html', '<p>\n{{name}}\n{{#each items}}{{sku}}: {{price}}{{/each}}');
  write('invite/body.txt', 'ours {{name}}');
  await client.templates.update(41_002, { body_text: 'theirs {{name}}' });
  await client.templates.update(41_001, { subject: 'Theirs {{{name}}}' });
  rmSync(join(folder, 'old'), { recursive: true });
  await client.templates.create({ name: 'Of the editor', subject: 'x', category: 'y' });
  return { client, run, folder, emulator, write };
}

describe('templates plan', () => {
  test('a 403 of a proxy says nothing about the token', async () => {
    const fetch = () => Promise.resolve(new Response('<html>Sign in</html>', { status: 403 }));
    const { emulator } = commands();
    const client = new EmailPlatform({ ...emulator.clientOptions(), fetch });
    const { code, err } = await cli(['templates', 'plan', templatesIn({ a: RECEIPT })], {
      client: () => client,
      ended: new Promise(() => undefined),
    });
    expect([code, err]).toEqual([1, expect.stringMatching(/\n→ the host answered 403 with a page, unlike/)]);
    expect(err).not.toContain('admin access');
  });

  test('says what each side changed; a conflict is exit code 1', async () => {
    const { run, folder } = await differing();
    expect(await run('plan', folder)).toEqual({
      code: 1,
      out: `< digest: subject, changed in the service: pull takes it
! invite: text changed on both sides: pull --overwrite invite takes the service, push --overwrite invite the files
· old: has no folder: push --delete old deletes it, pull writes it again
~ receipt: html, 2 lines
· "Of the editor" (41005): has no folder: pull writes it
`,
      err: `${WHERE}1 template with ! would stop a push: nothing would be pushed\n`,
    });
    const { code, out } = await run('plan', folder, '--overwrite', 'invite', '--delete', 'old');
    expect(code).toBe(0);
    expect(out).toContain('~ invite: text, 1 line\n- old\n~ receipt');
    expect((await run('plan', folder, '--overwrite', 'invite', '--exit-code')).code).toBe(3);
  });

  test('a template that both sides changed in other parts has a line for each side', async () => {
    const { client, run, folder } = await differing();
    await client.templates.update(41_004, { subject: 'Theirs {{{name}}}' });
    expect((await run('plan', folder)).out).toContain(
      '~ receipt: html, 2 lines\n< receipt: subject, changed in the service: pull takes it\n',
    );
  });

  test('ends when the process should', async () => {
    const { client } = commands();
    const surroundings = { client: () => client, ended: Promise.resolve() };
    const { code, out } = await cli(['templates', 'plan', templatesIn({ a: RECEIPT })], surroundings);
    expect([code, out]).toEqual([1, '']);
  });

  test('nothing to do is exit code 0, also with --exit-code; --json is the plan', async () => {
    const { run } = commands();
    const folder = templatesIn({ receipt: RECEIPT });
    expect(await run('plan', folder)).toMatchObject({ code: 0, out: '+ receipt\n' });
    await run('push', folder);
    expect(await run('plan', folder, '--exit-code')).toEqual({
      code: 0,
      out: 'Nothing to push: 1 template with no difference\n',
      err: WHERE,
    });
    expect(JSON.parse((await run('plan', folder, '--json')).out)).toEqual({
      accountId: 2001,
      changes: [],
      same: 1,
      unlocked: [],
    });
  });
});

describe('templates push', () => {
  test('says what it did, and that types have new UUIDs', async () => {
    const { run, folder } = await differing();
    const before = await run('push', folder);
    expect(before).toEqual({
      code: 1,
      out: '',
      err: `${WHERE}${folder}/invite: text changed on both sides: pull --overwrite invite takes the service, push --overwrite invite the files\nNothing was pushed: run plan for details.\n`,
    });
    expect(await run('push', folder, '--overwrite', 'invite', '--delete', 'old')).toEqual({
      code: 0,
      out: '~ invite\n~ receipt\n- old\n',
      err: WHERE,
    });
    expect(await run('push', folder)).toEqual({ code: 0, out: 'Nothing to push\n', err: WHERE });
    const fresh = templatesIn({ a: { ...RECEIPT, json: { ...RECEIPT.json, name: 'Fresh' } } });
    expect((await run('push', fresh)).out).toBe(
      `+ a\nNew UUIDs: generate the types again (email-platform templates types ${fresh} --out <file>), and commit the lock\n`,
    );
    rmSync(join(fresh, 'templates.lock.json'));
    expect((await run('push', fresh)).out).toMatch(/^= a\nNew UUIDs/);
  });

  test('says how far it is on standard error of a terminal; --json is the result', async () => {
    const { client } = commands();
    const folder = templatesIn({ a: RECEIPT, b: RECEIPT });
    const { out, err } = await cli(['templates', 'push', folder, '--json'], {
      client: () => client,
      ended: new Promise(() => undefined),
      isTerminal: { out: false, err: true },
    });
    expect(err).toContain('1 of 2: a');
    expect(JSON.parse(out)).toEqual({
      accountId: 2001,
      created: ['a', 'b'],
      found: [],
      updated: [],
      deleted: [],
      problems: [],
    });
  });

  test('a token without the right gets the remedy', async () => {
    const { client, emulator } = commands();
    const folder = templatesIn({ a: RECEIPT });
    const token = emulator.createToken({ permissions: { templates: 'viewer' } });
    for (const wrong of [token, 'none']) {
      const { code, err } = await cli(['templates', 'push', folder], {
        client: () => client.withOptions({ token: wrong }),
        ended: new Promise(() => undefined),
      });
      expect(code).toBe(1);
      expect(err).toContain('Templates need a token with admin access to the account');
      expect(err).not.toContain(token);
    }
  });
});

describe('templates pull', () => {
  test('names the folders, and what it left alone, with exit code 1', async () => {
    const { run, folder } = await differing();
    expect(await run('pull', folder)).toEqual({
      code: 1,
      out: `+ ${folder}/old\n+ ${folder}/of-the-editor\n~ ${folder}/digest\nGenerate the types again: email-platform templates types ${folder} --out <file>\n`,
      err: `${WHERE}${folder}/invite: text changed on both sides: pull --overwrite invite takes the service, push --overwrite invite the files\n`,
    });
    expect((await run('pull', folder, '--overwrite', 'invite')).out).toContain(`~ ${folder}/invite\n`);
    expect(await run('pull', folder)).toEqual({ code: 0, out: 'Nothing to pull\n', err: WHERE });
  });

  test('names a variable that the service renamed, and that the example now has', async () => {
    const { client, run } = commands();
    const folder = templatesIn({ receipt: RECEIPT });
    await run('push', folder);
    const renamed = (text: string) => text.replaceAll('{name}', '{first_name}');
    await client.templates.update(41_001, {
      subject: renamed('Your order, {{{name}}}'),
      body_html: renamed('<p>Hello {{name}}</p>\n{{#each items}}{{sku}}: {{price}}{{/each}}'),
      body_text: renamed('Hello {{name}}\n'),
    });
    expect((await run('pull', folder)).out).toContain(
      `~ ${folder}/receipt\n~ ${folder}/receipt/example.json: name is now first_name\n`,
    );
  });

  test('reads the client from the environment', async () => {
    const { emulator } = commands();
    emulator.templates.add({ name: 'Receipt' });
    const { fetch, ...options } = emulator.clientOptions();
    const folder = folderOf({});
    const client = () => new EmailPlatform({ ...options, fetch, accountId: undefined });
    const { code, out } = await cli(['templates', 'pull', folder, '--json'], {
      client,
      ended: new Promise(() => undefined),
    });
    expect([code, JSON.parse(out)]).toMatchObject([0, { accountId: 2001, created: ['receipt'] }]);
  });
});

test('a problem that the languages of a template share is printed once', async () => {
  const { run } = commands();
  const folder = templatesIn({ receipt: { text: '{{name}}' } });
  writeFileSync(join(folder, 'templates.config.json'), '{"languages":["en","de","fr"],"default":"en"}');
  for (const [language, text] of Object.entries({ de: 'x {{formatDate x}}', fr: '{{name}}' })) {
    mkdirSync(join(folder, 'receipt', language));
    writeFileSync(join(folder, 'receipt', language, 'body.txt'), text);
  }
  const problem = `${folder}/receipt/de/body.txt:1:3: the service has no helper formatDate`;
  expect((await run('plan', folder)).out).toBe(
    `! receipt: ${problem}\n! receipt/de: see its other language\n! receipt/fr: see its other language\n`,
  );
  expect((await run('push', folder)).err).toBe(
    `${WHERE}${problem}\nNothing was pushed: run plan for details.\n`,
  );
});

describe('templates check', () => {
  test('a rename in the service is exit code 1, and an edit of the files is not', async () => {
    const { client, run } = commands();
    const folder = templatesIn({ receipt: RECEIPT });
    await run('push', folder);
    expect(await run('check', folder)).toEqual({ code: 0, out: '1 template checked\n', err: WHERE });
    writeFileSync(join(folder, 'receipt/body.txt'), '{{name}} {{greeting}}');
    expect(await run('check', folder)).toEqual({
      code: 0,
      out: '· receipt: the service does not yet read greeting: the files were edited since\n1 template checked\n',
      err: WHERE,
    });
    await client.templates.update(41_001, { body_html: '{{first_name}}' });
    const { code, out, err } = await run('check', folder);
    expect([code, out]).toEqual([
      1,
      `✗ receipt: first_name is new in the service: the code does not pass it
✗ receipt: items is gone in the service: the code passes it for nothing
· receipt: the service does not yet read greeting: the files were edited since
`,
    ]);
    expect(err).toContain(
      '1 template in the service would not render with the variables that the code passes',
    );
    expect(JSON.parse((await run('check', folder, '--json')).out)).toMatchObject({ checked: 1 });
  });

  test('a folder that was never pushed is exit code 1', async () => {
    expect(await commands().run('check', templatesIn({ receipt: RECEIPT }))).toEqual({
      code: 1,
      out: '✗ receipt: was never pushed to the account\n',
      err: `${WHERE}1 template never pushed to the account: push, and generate the types again\n`,
    });
  });
});

test.each([
  [['push'], 'Missing required argument'],
  [['plan', 'emails', '--overwrite'], 'argument missing'],
  [['pul', 'emails'], 'Did you mean pull?'],
])('%j is a wrong command line', async (args, words) => {
  const { code, err } = await commands().run(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});

test('no command prints what a terminal obeys: names of folders, variables and the service', async () => {
  const { client } = commands();
  const escape = '\u001b]0;title\u0007\u202e\u009b2J';
  const files = (name: string) => ({
    json: { name, subject: `Hi${escape} {{{name}}}` },
    html: '{{name}}',
    example: { [`x${escape}`]: 1, name: 'Ann' },
  });
  const folder = templatesIn({ [`a${escape}`]: files(`A${escape}`), [`b${escape}`]: { html: '{{x}' } });
  await client.templates.create({ name: `C${escape}`, subject: 's', category: 'c', body_text: 'x' });
  await client.templates.create({ name: `A${escape}`, subject: 's', category: 'c' });
  const surroundings = {
    client: () => client,
    ended: new Promise(() => undefined),
    isTerminal: { out: true, err: true },
    env: { NO_COLOR: '1' },
  };
  const commandLines = [
    ['types', folder, '--out', join(folder, 'x.ts')],
    ['render', `${folder}/a${escape}`],
    ...['plan', 'push', 'check', 'pull', 'push'].flatMap((command) => [
      [command, folder],
      [command, folder, '--json'],
    ]),
  ];
  for (const args of commandLines) {
    const { out, err } = await cli(['templates', ...args], surroundings);
    // The line of progress begins with these.
    const printed = `${out}${err}`.replaceAll('\r', '').replaceAll('\u001b[K', '');
    const obeyed = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u.exec(printed);
    expect([args[0], obeyed]).toEqual([args[0], null]);
    expect(printed).not.toBe('');
  }
});

test('a pull from the usual account of emulators adds it to no lock, and says so; a push does', async () => {
  const { client } = accountOf({ accountId: 1001 });
  await client.templates.create({ name: 'Offer', subject: 's', category: 'c', body_text: 'x' });
  const folder = templatesIn({});
  const run = (command: string) =>
    cli(['templates', command, folder], { client: () => client, ended: new Promise(() => undefined) });
  const { code, out } = await run('pull');
  expect([code, out]).toEqual([
    0,
    `+ ${folder}/offer
Generate the types again: email-platform templates types ${folder} --out <file>
The lock has no line for 1001, the account of every emulator: emulator --account-id <number> plays another
`,
  ]);
  expect(existsSync(join(folder, 'templates.lock.json'))).toBe(false);
  expect((await run('pull')).out).toBe('Nothing to pull\n');
  expect((await run('push')).out).toMatch(/^= offer\n/);
  await client.templates.create({ name: 'Later', subject: 's', category: 'c', body_text: 'x' });
  await run('pull');
  expect(Object.keys(lockIn(folder)['1001'] ?? {})).toEqual(['later', 'offer']);
});
