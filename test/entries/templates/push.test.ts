import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError, ConnectionError, EmailPlatform, PermissionDeniedError } from 'email-platform';
import type { Emulator } from 'email-platform/testing';
import { planTemplates, pullTemplates, pushTemplates, TemplateError } from 'email-platform/templates';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { accountOf, clientThrough, lockIn, textIn } from './account.ts';
import { RECEIPT, templatesIn } from './folders.ts';

/** A folder whose template was pushed. */
async function pushed() {
  const account = accountOf();
  const folder = templatesIn({ receipt: RECEIPT });
  const { problems } = await pushTemplates(account.client, folder);
  expect(problems).toEqual([]);
  const { id = 0 } = lockIn(folder)['2001']?.receipt as { id?: number };
  const write = (file: string, text: string) => writeFileSync(join(folder, 'receipt', file), text);
  const subject = (text: string) =>
    write('template.json', JSON.stringify({ name: 'Receipt', subject: text, category: 'orders' }));
  return { ...account, folder, id, write, subject, hosted: () => account.client.templates.get(id) };
}

describe('a push', () => {
  test('creates what is new, with the intent in the lock before the request, and then changes nothing', async () => {
    const { emulator, requests } = accountOf();
    const folder = templatesIn({ receipt: RECEIPT, bare: { json: { name: 'Bare' }, text: 'Bare' } });
    const seen: unknown[] = [];
    const client = clientThrough(emulator, (request, send) => {
      if (request.method === 'POST') seen.push(lockIn(folder)['2001']);
      return send();
    });
    expect(await planTemplates(client, folder)).toMatchObject({
      accountId: 2001,
      changes: [
        { folder: 'bare', action: 'create', id: undefined },
        { folder: 'receipt', action: 'create' },
      ],
      same: 0,
    });
    expect(await pushTemplates(client, folder)).toEqual({
      accountId: 2001,
      created: ['bare', 'receipt'],
      found: [],
      updated: [],
      deleted: [],
      problems: [],
    });
    expect(seen).toMatchObject([
      { bare: { createdAfter: 0, parts: { html: null } } },
      { bare: { id: 41_001 }, receipt: { createdAfter: 41_001 } },
    ]);
    const hosted = await client.templates.list().toArray();
    expect(hosted).toMatchObject([
      { name: 'Bare', body_html: null, body_text: 'Bare' },
      { name: 'Receipt', subject: RECEIPT.json?.subject, body_html: RECEIPT.html, body_text: RECEIPT.text },
    ]);
    const lines = textIn(folder, 'templates.lock.json').split('\n');
    expect(lines[2]).toMatch(
      /^ {4}"bare": \{"id":41001,"uuid":"[\da-f-]{36}","parts":\{"name":"[\da-f]{32}",.*"updated_at":"[^"]+"\},$/,
    );
    expect(lines).toHaveLength(7);
    const before = requests().length;
    expect(await planTemplates(client, folder)).toMatchObject({ changes: [], same: 2, unlocked: [] });
    expect(await pushTemplates(client, folder)).toMatchObject({ created: [], updated: [], problems: [] });
    expect(requests().slice(before)).toEqual(['GET /email_templates', 'GET /email_templates']);
  });

  test('changes only the parts that the files changed, after a fresh read', async () => {
    const { folder, id, requests, write, emulator } = await pushed();
    const html = '<p>Hello {{name}}</p>\r\n{{#each items}}{{sku}}: {{price}}!{{/each}}\r\n';
    write('body.html', html);
    const bodies: unknown[] = [];
    const client = clientThrough(emulator, async (request, send) => {
      if (request.method === 'PATCH') bodies.push(await request.json());
      return send();
    });
    const plan = await planTemplates(client, folder);
    expect(plan.changes).toMatchObject([{ action: 'update', push: [{ part: 'html', lines: 1 }], pull: [] }]);
    const before = requests().length;
    expect(await pushTemplates(client, folder)).toMatchObject({ updated: ['receipt'], problems: [] });
    expect(requests().slice(before)).toEqual([
      'GET /email_templates',
      `GET /email_templates/${id}`,
      `PATCH /email_templates/${id}`,
    ]);
    expect(bodies).toEqual([{ email_template: { body_html: html.replaceAll('\r\n', '\n') } }]);
    expect((await planTemplates(client, folder)).changes).toEqual([]);
  });

  test('theirs in the HTML and ours in the subject merge', async () => {
    const { client, folder, id, subject, hosted } = await pushed();
    subject('Thanks');
    await client.templates.update(id, { body_html: '<b>{{name}}</b>' });
    expect((await planTemplates(client, folder)).changes).toMatchObject([
      { action: 'update', push: [{ part: 'subject' }], pull: [{ part: 'html' }] },
    ]);
    expect(await pushTemplates(client, folder)).toMatchObject({ updated: ['receipt'], problems: [] });
    expect(await hosted()).toMatchObject({ subject: 'Thanks', body_html: '<b>{{name}}</b>' });
    // The lock still has the HTML that both had: it is the service's change.
    expect((await planTemplates(client, folder)).changes).toMatchObject([
      { action: 'none', push: [], pull: [{ part: 'html' }] },
    ]);
    expect(await pullTemplates(client, folder)).toMatchObject({ updated: ['receipt'], problems: [] });
    expect(textIn(folder, 'receipt/body.html')).toBe('<b>{{name}}</b>');
    expect((await planTemplates(client, folder)).changes).toEqual([]);
  });

  test('a part that both changed is a conflict: nothing at all is pushed until it is named', async () => {
    const { client, folder, id, write, hosted, requests } = await pushed();
    write('body.txt', 'ours {{name}}');
    await client.templates.update(id, { body_text: 'theirs {{name}}' });
    const before = requests().length;
    const reason =
      'text changed on both sides: pull --overwrite receipt takes the service, push --overwrite receipt the files';
    expect((await planTemplates(client, folder)).changes).toMatchObject([{ action: 'conflict', reason }]);
    expect(await pushTemplates(client, folder)).toMatchObject({
      updated: [],
      problems: [{ file: `${folder}/receipt`, message: reason }],
    });
    expect(requests().slice(before)).toEqual(['GET /email_templates', 'GET /email_templates']);
    expect(await pushTemplates(client, folder, { overwrite: ['receipt'] })).toMatchObject({
      updated: ['receipt'],
      problems: [],
    });
    expect(await hosted()).toMatchObject({ body_text: 'ours {{name}}' });
  });

  test('a change between the list and the PATCH is a conflict of that template, also if it is named', async () => {
    const { emulator, folder, id, write, hosted, client: direct } = await pushed();
    write('body.txt', 'ours');
    const client = clientThrough(emulator, async ({ url }, send) => {
      const response = await send();
      if (url.endsWith('/email_templates')) await direct.templates.update(id, { body_text: 'theirs' });
      return response;
    });
    expect(await pushTemplates(client, folder, { overwrite: ['receipt'] })).toMatchObject({
      updated: [],
      problems: [{ message: 'text changed in the service meanwhile: plan again' }],
    });
    expect(await hosted()).toMatchObject({ body_text: 'theirs' });
  });

  test('a template that was deleted there is created again only if it is named', async () => {
    const { client, folder, id } = await pushed();
    await client.templates.delete(id);
    expect((await pushTemplates(client, folder)).problems).toMatchObject([
      {
        message:
          'was deleted in the service: pull --delete receipt deletes the folder, push --overwrite receipt creates the template again',
      },
    ]);
    expect(await pushTemplates(client, folder, { overwrite: ['receipt'] })).toMatchObject({
      created: ['receipt'],
      problems: [],
    });
    expect(await client.templates.list().toArray()).toHaveLength(1);
  });

  test('a template is deleted only by its name, without its folder, and if the service did not change it', async () => {
    const { client, folder, id } = await pushed();
    const named = { delete: ['receipt'] };
    expect((await pushTemplates(client, folder, named)).problems).toMatchObject([
      { message: 'its folder is still there: delete that first' },
    ]);
    rmSync(join(folder, 'receipt'), { recursive: true });
    expect(await pushTemplates(client, folder)).toMatchObject({ deleted: [], problems: [] });
    await client.templates.update(id, { subject: 'Other' });
    expect((await pushTemplates(client, folder, named)).problems).toHaveLength(1);
    expect(await client.templates.list().toArray()).toHaveLength(1);
    const both = { ...named, overwrite: ['receipt'] };
    expect(await pushTemplates(client, folder, both)).toMatchObject({ deleted: ['receipt'], problems: [] });
    expect(await client.templates.list().toArray()).toEqual([]);
    expect(lockIn(folder)).toEqual({ 2001: {} });
  });

  test('a name that no template has is a mistake, before anything is written', async () => {
    const { client, folder, write } = await pushed();
    write('body.txt', 'ours');
    const error = await rejection(pushTemplates(client, folder, { overwrite: ['reciept'] }), TemplateError);
    expect(error.message).toBe(`${folder}/reciept: there is no such template; did you mean \`receipt\`?`);
  });

  test('a body that the files lost stays in the service, and is said', async () => {
    const { client, folder, hosted, subject } = await pushed();
    rmSync(join(folder, 'receipt/body.txt'));
    subject('Thanks');
    const { problems } = await pushTemplates(client, folder);
    expect(problems).toMatchObject([
      {
        message:
          'text removed, and the service cannot clear a body: pull --overwrite receipt writes it again, push --overwrite receipt pushes the rest',
      },
    ]);
    expect(await pushTemplates(client, folder, { overwrite: ['receipt'] })).toMatchObject({ problems: [] });
    expect(await hosted()).toMatchObject({ subject: 'Thanks', body_text: RECEIPT.text });
    // With nothing else to push, that is said too.
    expect(await pushTemplates(client, folder, { overwrite: ['receipt'] })).toMatchObject({
      updated: [],
      problems: [
        {
          message:
            'text removed, and the service cannot clear a body: pull --overwrite receipt writes it again',
        },
      ],
    });
    expect(await pullTemplates(client, folder, { overwrite: ['receipt'] })).toMatchObject({ problems: [] });
    expect(textIn(folder, 'receipt/body.txt')).toBe(RECEIPT.text);
  });

  test('a template of the visual editor keeps its bodies; its subject and the others go on', async () => {
    const { emulator, client } = accountOf();
    emulator.templates.add({ name: 'Visual', body_html: '<p>{{name}}</p>', editor: 'visual' });
    emulator.templates.add({ name: 'Zebra', body_html: '<p>' });
    const folder = templatesIn({});
    await pullTemplates(client, folder);
    for (const name of ['visual', 'zebra']) {
      writeFileSync(join(folder, name, 'body.html'), '<p>new');
      const file = join(folder, name, 'template.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"Subject"', '"New"'));
    }
    expect(await pushTemplates(client, folder)).toMatchObject({
      updated: ['visual', 'zebra'],
      problems: [
        {
          file: `${folder}/visual`,
          message: 'was not changed: body_html cannot update body_html of template created within UI editor',
        },
      ],
    });
    expect(await client.templates.list().toArray()).toMatchObject([
      { subject: 'New', body_html: '<p>{{name}}</p>' },
      { subject: 'New', body_html: '<p>new' },
    ]);
    // It is still the files' change.
    expect((await planTemplates(client, folder)).changes).toMatchObject([
      { folder: 'visual', action: 'update', push: [{ part: 'html' }] },
    ]);
  });

  test("beyond the plan's limit, one template is refused, the other not tried, and what can be changed is", async () => {
    const { emulator, client, requests } = accountOf();
    for (let left = 199; left > 0; left -= 1) emulator.templates.add({ name: `T${left}` });
    const one = { json: { name: 'One' }, html: 'One' };
    const folder = templatesIn({ zz: one });
    await pushTemplates(client, folder);
    const more = templatesIn({ a: RECEIPT, b: RECEIPT, zz: { ...one, html: 'new' } }, lockIn(folder));
    const before = requests().length;
    const { created, updated, problems } = await pushTemplates(client, more);
    expect([created, updated]).toEqual([[], ['zz']]);
    expect(problems).toMatchObject([
      { file: `${more}/a`, message: expect.stringContaining('maximum number of templates') as string },
      { file: `${more}/b` },
    ]);
    expect(
      requests()
        .slice(before)
        .filter((line) => line.startsWith('POST')),
    ).toHaveLength(1);
    expect(Object.keys(lockIn(more)['2001'] ?? {})).toEqual(['zz']);
  });
});

describe('a push that was interrupted', () => {
  /** A client whose POST reaches the service, and whose response is lost. */
  const losing = (emulator: Emulator) =>
    clientThrough(emulator, async ({ method }, send) => {
      const response = await send();
      if (method === 'POST') throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
      return response;
    });

  test('finds the template that it created without a response', async () => {
    const { emulator, client } = accountOf();
    const older = { ...RECEIPT.json, body_html: RECEIPT.html ?? '', body_text: RECEIPT.text ?? '' };
    emulator.templates.add({ ...older, subject: 'Old' });
    const folder = templatesIn({ receipt: RECEIPT });
    const named = { overwrite: ['receipt'] };
    await rejection(pushTemplates(losing(emulator), folder, named), ConnectionError);
    await client.templates.update(41_001, { subject: RECEIPT.json?.subject as string });
    expect(lockIn(folder)['2001']?.receipt).toMatchObject({ createdAfter: 41_001 });
    // The files were edited meanwhile.
    writeFileSync(join(folder, 'receipt/body.txt'), 'edited');
    expect((await planTemplates(client, folder)).changes).toMatchObject([
      { action: 'update', id: 41_002, push: [{ part: 'text' }] },
    ]);
    expect(await pushTemplates(client, folder)).toMatchObject({ updated: ['receipt'], created: [] });
    expect(await client.templates.list().toArray()).toMatchObject([{}, { id: 41_002, body_text: 'edited' }]);
  });

  test('two of them are a conflict, which deleting one resolves', async () => {
    const { emulator, client } = accountOf();
    const folder = templatesIn({ receipt: RECEIPT });
    await rejection(pushTemplates(losing(emulator), folder), ConnectionError);
    const { name, subject, category, body_html, body_text } = await client.templates.get(41_001);
    await client.templates.create({ name, subject, category, body_html, body_text });
    const reason = 'an interrupted push may have created 41001 and 41002: delete all but one in the service';
    expect((await planTemplates(client, folder)).changes).toMatchObject([{ action: 'conflict', reason }]);
    expect((await pullTemplates(client, folder)).problems).toMatchObject([{ message: reason }]);
    await client.templates.delete(41_001);
    expect((await pushTemplates(client, folder)).problems).toEqual([]);
    expect(lockIn(folder)['2001']?.receipt).toMatchObject({ id: 41_002 });
  });

  test('a refusal leaves no intent', async () => {
    const { emulator, client } = accountOf();
    const folder = templatesIn({ receipt: RECEIPT });
    const token = emulator.createToken({ permissions: { templates: 'viewer' } });
    const viewer = client.withOptions({ token });
    await rejection(pushTemplates(viewer, folder), PermissionDeniedError);
    expect(lockIn(folder)).toEqual({ 2001: {} });
    expect((await pushTemplates(client, folder)).created).toEqual(['receipt']);
  });

  test('a refusal to create a deleted template again leaves the lock as it was', async () => {
    const { emulator, client, folder, id } = await pushed();
    await client.templates.delete(id);
    const [lock, { changes }] = [lockIn(folder), await planTemplates(client, folder)];
    expect(changes).toMatchObject([{ folder: 'receipt', action: 'conflict' }]);
    const token = emulator.createToken({ permissions: { templates: 'viewer' } });
    const viewer = client.withOptions({ token });
    await rejection(pushTemplates(viewer, folder, { overwrite: ['receipt'] }), PermissionDeniedError);
    expect(lockIn(folder)).toEqual(lock);
    // Without its name, the deleted template still stops a push.
    expect((await planTemplates(client, folder)).changes).toEqual(changes);
  });
});

test('the account is the only one that the token can see; several are a mistake', async () => {
  const { emulator, requests } = accountOf();
  const client = new EmailPlatform({ ...emulator.clientOptions(), accountId: undefined });
  const folder = templatesIn({ receipt: RECEIPT });
  expect(await pushTemplates(client, folder)).toMatchObject({ accountId: 2001, created: ['receipt'] });
  expect(requests()).toEqual(['GET /api/accounts', 'GET /email_templates', 'POST /email_templates']);
  const several = {
    accountId: undefined,
    templates: client.templates,
    accounts: {
      async *list() {
        yield* (await client.accounts.list()).items;
        yield { id: 7, name: 'Other', access_levels: [100] };
      },
    },
  };
  const error = await rejection(planTemplates(several, folder), ConfigurationError);
  expect([error.option, error.message]).toEqual([
    'accountId',
    'The token can see the accounts 2001, 7: pass accountId to the client, or set EMAIL_PLATFORM_ACCOUNT_ID',
  ]);
});
