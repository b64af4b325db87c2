import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { writtenTypes } from '../../src/cli/templates-types.ts';
import { folderOf, RECEIPT, templatesIn } from '../entries/templates/folders.ts';
import { quiet } from './in-process.ts';

/** Runs the command until the test is over, and lets a browser in. */
async function started(folder: string, ...args: string[]) {
  let printed = '';
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const take = (text: string) => void (printed += text);
  const exited = run(['templates', 'dev', folder, ...args], { ...quiet(), out: take, err: take, ended });
  onTestFinished(async () => {
    end();
    await exited;
  });
  await expect.poll(() => printed).toContain('/_emulator/open?code=');
  const [, address = ''] = /: (http\S+)/.exec(printed) ?? [];
  const { origin } = new URL(address);
  const first = await fetch(address, { redirect: 'manual' });
  const path = first.headers.get('location') ?? '';
  const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const own = { cookie, origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
  const ask = async (method: string, what: string, body?: unknown, headers: Record<string, string> = own) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    // The client of the platform would not send these headers.
    return new Promise<{ status: number; json: Record<string, unknown>; headers: NodeJS.Dict<unknown> }>(
      (resolve, reject) => {
        const sent = request(`${origin}${path}${what}`, { method, headers }, (response) => {
          let answer = '';
          response.on('data', (chunk: Buffer) => (answer += String(chunk)));
          response.on('end', () => {
            const isJson = (response.headers['content-type'] ?? '').includes('json');
            const json = (isJson ? JSON.parse(answer) : { answer }) as Record<string, unknown>;
            resolve({ status: response.statusCode ?? 0, json, headers: response.headers });
          });
        });
        sent.on('error', reject);
        sent.end(text);
      },
    );
  };
  const list = async (since = 0) => (await ask('GET', `templates?since=${since}`)).json;
  const read = async () => {
    let now = await list();
    while ((now.templates as unknown[]).length === 0) now = await list(Number(now.version));
    return now;
  };
  return { origin, path, cookie, own, ask, list, read, address, printed: () => printed };
}

test('the page is one file, whose policy allows only its own script and style', async () => {
  const { ask, own } = await started(templatesIn({ receipt: RECEIPT }));
  const { status, json, headers } = await ask('GET', '', undefined, { ...own, 'sec-fetch-mode': 'navigate' });
  expect(status).toBe(200);
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(String(json.answer)) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(headers['content-security-policy']).toContain(`script-src 'sha256-${hash}'`);
  expect(script).toContain('Save example.json');
});

const example = RECEIPT.example as Record<string, unknown>;

test('shows the email of an example, its checks, and a form whose fields follow from the types', async () => {
  const { read, ask } = await started(templatesIn({ receipt: RECEIPT }));
  expect(await read()).toMatchObject({
    templates: [{ folder: 'receipt', name: 'Receipt', problems: [] }],
  });
  const { json } = await ask('POST', 'preview', { folder: 'receipt' });
  expect(json).toMatchObject({ subject: 'Your order, Ann', text: 'Hello Ann\n', missing: [], unused: [] });
  expect(json.form).toMatchObject({
    fields: {
      name: { kind: 'text', isNeeded: true },
      items: { kind: 'list', item: { kind: 'object', fields: { sku: { kind: 'text' } } } },
    },
  });
  const html = await ask('GET', `html/${String(json.id)}`);
  expect(html.json.answer).toContain('<p>Hello Ann</p>');
  expect(html.headers['content-security-policy']).toContain('sandbox');
  const other = await ask('POST', 'preview', { folder: 'receipt', variables: { items: [] } });
  expect(other.json).toMatchObject({ missing: ['name'], findings: [{ check: 'variables', level: 'error' }] });
});

test('an email that is too large is refused with the reason', async () => {
  const { read, ask } = await started(templatesIn({ receipt: RECEIPT }));
  await read();
  const variables = { ...example, name: '&'.repeat(4_000_000) };
  expect(await ask('POST', 'preview', { folder: 'receipt', variables })).toMatchObject({
    status: 422,
    json: { error: expect.stringContaining('its result is too large') as string },
  });
});

test('a broken template keeps its last good email, and a mended one has no message', async () => {
  const folder = templatesIn({ receipt: RECEIPT });
  const { read, list, ask } = await started(folder);
  const { version } = await read();
  const next = list(Number(version));
  writeFileSync(join(folder, 'receipt/body.html'), '<p>\n{{#if name}}');
  const broken = await next;
  expect(broken).toMatchObject({
    templates: [{ problems: [{ file: join(folder, 'receipt/body.html'), line: 2 }] }],
    problems: [],
  });
  const { json } = await ask('POST', 'preview', { folder: 'receipt' });
  expect(json.html).toContain('Hello Ann');
  const mended = list(Number(broken.version));
  writeFileSync(join(folder, 'receipt/body.html'), '<p>Dear {{name}}</p>');
  expect(await mended).toMatchObject({ templates: [{ problems: [] }], problems: [] });
});

test('a change between two requests of the page is in the list at once', async () => {
  const folder = templatesIn({ receipt: RECEIPT });
  const { read, list, ask } = await started(folder);
  const { version } = await read();
  writeFileSync(join(folder, 'receipt/body.html'), '<p>Dear {{name}}</p>');
  const html = async () => (await ask('POST', 'preview', { folder: 'receipt' })).json.html;
  await expect.poll(html).toContain('Dear Ann');
  const now = (await read()).version;
  expect(now).not.toBe(version);
  expect((await list(Number(version))).version).toBe(now);
});

test('saves an example, and leaves the rest of the file as it was', async () => {
  const folder = templatesIn({ receipt: RECEIPT });
  const file = join(folder, 'receipt/example.json');
  const text = '\ufeff{\r\n  "name": "Ann",\r\n\r\n  "items": [{ "sku": "T-1",   "price": "4 €" }]\r\n}\r\n';
  writeFileSync(file, text);
  const { read, ask } = await started(folder);
  await read();
  const variables = { ...example, name: 'Bob' };
  const saved = await ask('PUT', 'example', { folder: 'receipt', before: example, variables });
  expect(saved.status).toBe(204);
  expect(readFileSync(file, 'utf8')).toBe(text.replace('Ann', 'Bob'));
  const wrong = { folder: 'receipt', before: variables, variables: { items: 'none', name: 'Bob' } };
  await expect
    .poll(() => ask('PUT', 'example', wrong))
    .toMatchObject({ status: 422, json: { error: 'items must be a list' } });
  expect((await ask('PUT', 'example', { folder: 'receipt', before: example, variables })).status).toBe(409);
  expect(readFileSync(file, 'utf8')).toBe(text.replace('Ann', 'Bob'));
});

test('a save over a file that the page does not show is refused, with the file; the next save knows it', async () => {
  const folder = templatesIn({ receipt: RECEIPT });
  const file = join(folder, 'receipt/example.json');
  const { read, ask } = await started(folder);
  await read();
  const save = (before: unknown) =>
    ask('PUT', 'example', { folder: 'receipt', before, variables: { ...example, name: 'Bob' } });
  const text = JSON.stringify(example);
  for (let end = 0; end < text.length; end += 7) {
    writeFileSync(file, text.slice(0, end));
    const refused = await save(example);
    expect(refused).toMatchObject({ status: 409, json: { text: text.slice(0, end), example: null } });
  }
  const now = { ...example, note: 'by hand' };
  writeFileSync(file, JSON.stringify(now));
  const refused = await save(example);
  expect(refused).toMatchObject({ status: 409, json: { text: JSON.stringify(now), example: now } });
  expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(now));
  // Of two saves at once, the second one was not shown what the first one wrote.
  const both = await Promise.all([save(now), save(now)]);
  expect(both.map(({ status }) => status)).toEqual([204, 409]);
  rmSync(file);
  expect(await save(example)).toMatchObject({ status: 409, json: { text: null, example: {} } });
  expect((await save({})).status).toBe(204);
});

test('an example that is corrected while the body is broken is shown, and a save keeps it', async () => {
  const folder = templatesIn({ receipt: RECEIPT });
  const file = join(folder, 'receipt/example.json');
  const { read, list, ask } = await started(folder);
  let { version } = await read();
  for (const [name, text] of [
    ['body.html', '{{#if name}}'],
    ['example.json', JSON.stringify({ ...example, note: 'by hand' })],
  ] as const) {
    const next = list(Number(version));
    writeFileSync(join(folder, 'receipt', name), text);
    ({ version } = await next);
  }
  const { json } = await ask('POST', 'preview', { folder: 'receipt' });
  expect(json.example).toEqual({ ...example, note: 'by hand' });
  const variables = { ...(json.example as object), name: 'Bob' };
  const saved = await ask('PUT', 'example', { folder: 'receipt', before: json.example, variables });
  expect(saved.status).toBe(204);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...example, note: 'by hand', name: 'Bob' });
});

test('a save of a template that was never good is refused', async () => {
  const folder = templatesIn({ receipt: { ...RECEIPT, html: '{{#if name}}' } });
  const { read, ask } = await started(folder);
  await read();
  const saved = await ask('PUT', 'example', { folder: 'receipt', before: example, variables: example });
  expect(saved).toMatchObject({ status: 422, json: { error: expect.stringContaining('if') as string } });
});

test('shows each language, and saves the one example of all', async () => {
  const folder = folderOf({
    'templates.config.json': '{ "languages": ["en", "de"], "default": "en" }',
    'hi/template.json': '{ "name": "Hi", "subject": "Hello, {{name}}", "category": "x" }',
    'hi/body.html': '<p>Hello {{name}}</p>',
    'hi/body.txt': 'Hello {{name}}',
    'hi/example.json': '{ "name": "Ann", "vat": "20 %" }',
    'hi/de/body.html': '<p>Hallo {{name}}, USt. {{vat}}</p>',
  });
  const { read, list, ask } = await started(folder);
  const { version, templates } = await read();
  const languages = [
    { folder: 'hi', locale: 'en' },
    { folder: 'hi/de', locale: 'de' },
  ];
  expect(templates).toEqual([{ folder: 'hi', name: 'Hi', problems: [], languages }]);
  const variables = { name: 'Bob', vat: '20 %' };
  const english = await ask('POST', 'preview', { folder: 'hi', variables });
  expect(english.json).toMatchObject({ html: '<p>Hello Bob</p>', taken: [], unused: [], misfits: [] });
  const german = await ask('POST', 'preview', { folder: 'hi/de', variables: { name: 'Bob' } });
  expect(german.json).toMatchObject({
    subject: 'Hello, Bob',
    html: '<p>Hallo Bob, USt. </p>',
    taken: ['subject (en)', 'category (en)', 'text (en)'],
    missing: ['vat'],
    misfits: ['vat is missing'],
  });
  const next = list(Number(version));
  const before = { name: 'Ann', vat: '20 %' };
  expect((await ask('PUT', 'example', { folder: 'hi/de', before, variables })).status).toBe(204);
  // Also before the command has read the file again.
  for (const each of ['hi', 'hi/de'])
    expect((await ask('POST', 'preview', { folder: each })).json.example).toEqual(variables);
  expect(readFileSync(join(folder, 'hi/example.json'), 'utf8')).toBe('{ "name": "Bob", "vat": "20 %" }');
  expect(existsSync(join(folder, 'hi/de/example.json'))).toBe(false);
  const { version: later } = await next;
  writeFileSync(join(folder, 'hi/de/body.html'), '{{#if name}}');
  expect(await list(Number(later))).toMatchObject({
    templates: [{ problems: [{ file: join(folder, 'hi/de/body.html'), line: 1 }] }],
  });
});

test('writes the types when a template is saved', async () => {
  const folder = templatesIn({ receipt: RECEIPT });
  const types = join(folderOf({}), 'emails.ts');
  const { printed } = await started(folder, '--out', types);
  await expect.poll(() => existsSync(types)).toBe(true);
  writeFileSync(join(folder, 'receipt/body.html'), '<p>{{name}} {{total}}</p>');
  writeFileSync(join(folder, 'receipt/example.json'), '{ "name": "Ann", "total": 3 }');
  await expect.poll(() => readFileSync(types, 'utf8')).toContain('readonly total: number;');
  expect(printed()).toContain(`${types} was written`);
});

test('writes the types of the others beside a broken template, and says which one it left out', async () => {
  const folder = templatesIn({ receipt: RECEIPT, other: { ...RECEIPT, json: { name: 'Other' } } });
  writeFileSync(join(folder, 'other/body.html'), '{{#if name}}');
  const types = join(folderOf({}), 'emails.ts');
  const { printed } = await started(folder, '--out', types);
  await expect.poll(printed).toContain(`${types} was written without other\n`);
  expect(readFileSync(types, 'utf8')).toContain('receipt');
  writeFileSync(join(folder, 'other/body.html'), '{{#unless name}}');
  await expect.poll(printed).toContain(`${types} stays without other\n`);
});

test('no template can be rendered: the file of the types stays', async () => {
  const folder = templatesIn({ hi: { json: { name: 'Hi' }, html: '{{#if name}}' } });
  const types = join(folderOf({ 'emails.ts': 'earlier' }), 'emails.ts');
  expect(await writtenTypes(folder, types)).toEqual({ isNew: false, left: [] });
  expect(readFileSync(types, 'utf8')).toBe('earlier');
});

test('has the rules of the control API, and no path out of the folder', async () => {
  const secret = join(folderOf({ 'secret.json': '{}' }), 'secret.json');
  const folder = templatesIn({ receipt: RECEIPT, other: { ...RECEIPT, json: { name: 'Other' } } });
  const { read, ask, own, origin, cookie, address, list } = await started(folder);
  await read();
  const status = async (headers: Record<string, string>, what = 'templates', method = 'GET') =>
    (await ask(method, what, undefined, headers)).status;
  expect(await status({ ...own, cookie: '' })).toBe(401);
  expect(await status({ cookie })).toBe(403);
  expect(await status({ ...own, 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await status({ ...own, host: 'evil.example.com' })).toBe(403);
  expect(await status({ ...own, origin: 'http://evil.example.com' }, 'preview', 'POST')).toBe(403);
  expect((await fetch(`${address}x`, { redirect: 'manual' })).status).toBe(403);
  expect((await fetch(`${origin}/_emulator/templates`)).status).toBe(401);
  expect(
    (await fetch(`${origin}/_emulator/templates`, { headers: { authorization: 'Bearer x' } })).status,
  ).toBe(401);
  for (const name of ['..', '../receipt', 'receipt/', '', '__proto__'])
    expect((await ask('PUT', 'example', { folder: name, before: {}, variables: {} })).status).toBe(404);
  // A link takes the place of the example: it is not followed.
  const { version } = await list();
  const next = list(Number(version));
  symlinkSync(secret, join(folder, 'other/example.json.new'));
  renameSync(join(folder, 'other/example.json.new'), join(folder, 'other/example.json'));
  const problems = [{ message: 'is a link: templates are plain files' }];
  expect((await next).templates).toContainEqual(
    expect.objectContaining({ folder: 'other', problems: [expect.objectContaining(problems[0])] }),
  );
  const variables = { ...example, name: 'Eve' };
  const saved = await ask('PUT', 'example', { folder: 'other', before: example, variables });
  expect([saved.status, saved.json.error]).toEqual([422, expect.stringContaining('is a link')]);
  expect(readFileSync(secret, 'utf8')).toBe('{}');
});

test('problems stand with their template alone, and those of the folder with none; the terminal has them too', async () => {
  const named = (name: string) => ({ ...RECEIPT, json: { ...RECEIPT.json, name } });
  const folder = templatesIn({ receipt: RECEIPT, 'receipt-2': named('Second') });
  const { read, list, printed } = await started(folder);
  let { version } = await read();
  const problemsAfter = async (file: string, text: string) => {
    const next = list(Number(version));
    writeFileSync(join(folder, file), text);
    const now = (await next) as {
      version: number;
      templates: { folder: string; problems: unknown[]; languages: { folder: string }[] }[];
      problems: unknown[];
    };
    ({ version } = now);
    // Without other languages, each has its own.
    expect(now.templates.map((one) => one.languages.map((each) => each.folder))).toEqual([
      ['receipt'],
      ['receipt-2'],
    ]);
    return [...now.templates.map(({ problems }) => problems.length), now.problems.length];
  };
  expect(await problemsAfter('receipt-2/body.html', '{{#if name}}')).toEqual([0, 1, 0]);
  expect(printed()).toContain(`${join(folder, 'receipt-2/body.html')}:1`);
  expect(await problemsAfter('receipt-2/body.html', '{{name}}')).toEqual([0, 0, 0]);
  expect(await problemsAfter('templates.config.json', '{')).toEqual([0, 0, 1]);
});

test('a save is shown at once, in its template alone; a refused one is not', async () => {
  const folder = templatesIn({ other: { ...RECEIPT, json: { name: 'Other' } }, receipt: RECEIPT });
  const { read, ask } = await started(folder);
  await read();
  const shown = async (name: string) => (await ask('POST', 'preview', { folder: name })).json.example;
  const save = (name: string, before: unknown) =>
    ask('PUT', 'example', { folder: 'receipt', before, variables: { ...example, name } });
  expect((await save('Bob', { name: 'Eve' })).status).toBe(409);
  expect(await shown('receipt')).toEqual(example);
  expect((await save('Bob', example)).status).toBe(204);
  expect([await shown('receipt'), await shown('other')]).toEqual([{ ...example, name: 'Bob' }, example]);
});

test('the picture of an email is in the scheme that is asked for, opens links in new tabs, and the newest fifty stay', async () => {
  const html =
    '<style>@media (prefers-color-scheme: dark) { p { color: #fff } }</style><p>{{name}}</p><a href="https://e.org">E</a>';
  const { read, ask } = await started(templatesIn({ receipt: { ...RECEIPT, html } }));
  await read();
  const rendered = async () => String((await ask('POST', 'preview', { folder: 'receipt' })).json.id);
  const ids = [await rendered()];
  const picture = async (id = '', scheme = '') => {
    const { status, json } = await ask('GET', `html/${id}${scheme}`);
    return { status, html: String(json.answer) };
  };
  expect((await picture(ids[0], '?scheme=dark')).html).toContain('@media (min-width: 0)');
  expect((await picture(ids[0], '?scheme=light')).html).toContain('@media (max-width: 0)');
  const light = (await picture(ids[0])).html;
  expect([light.includes('(max-width: 0)'), /<a [^>]*target="_blank"/.test(light)]).toEqual([true, true]);
  for (let count = 0; count < 50; count += 1) ids.push(await rendered());
  expect((await picture(ids[0])).status).toBe(404);
  expect((await picture(ids[1])).status).toBe(200);
});

test.each([
  ['POST', 'preview', { folder: 'none' }, 404],
  ['POST', 'preview', { folder: 'receipt', variables: [] }, 422],
  ['PUT', 'example', { folder: 'receipt', before: {} }, 422],
  ['POST', 'preview', 'receipt', 400],
  ['PUT', 'preview', { folder: 'receipt' }, 404],
  ['GET', 'html/none', undefined, 404],
  ['GET', 'html/none/more', undefined, 404],
])('%s %s of %j is refused with %i', async (method, what, body, status) => {
  const { read, ask } = await started(templatesIn({ receipt: RECEIPT }));
  await read();
  expect((await ask(method, what, body)).status).toBe(status);
});

test('the cookie counts beside others, with the headers of its own page alone', async () => {
  const { read, ask, own, origin, cookie } = await started(templatesIn({ receipt: RECEIPT }));
  await read();
  const get = async (headers: Record<string, string>) =>
    (await ask('GET', '', undefined, { ...own, ...headers })).status;
  expect(await get({ cookie: `a=1; email-platform=x; ${cookie}; b=2` })).toBe(200);
  expect(await get({ cookie: `a=1; x${cookie}` })).toBe(401);
  const typed = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
  expect(await get(typed)).toBe(200);
  expect(await get({ ...typed, 'sec-fetch-mode': 'cors' })).toBe(403);
  expect(await get({ ...typed, 'sec-fetch-site': 'cross-site' })).toBe(403);
  const post = async (headers: Record<string, string>) =>
    (await ask('POST', 'preview', { folder: 'receipt' }, { cookie, ...headers })).status;
  const same = { 'sec-fetch-site': 'same-origin' };
  expect(await post({ ...same, origin })).toBe(200);
  expect(await post(same)).toBe(403);
  expect(await post({ ...typed, origin })).toBe(403);
  expect(await post({ ...same, origin: `${origin}0` })).toBe(403);
});

test('types that cannot be written are a message, and the page goes on', async () => {
  const folder = templatesIn({ receipt: RECEIPT });
  const place = folderOf({ 'emails.ts/taken': '' });
  const { read, printed } = await started(folder, '--out', join(place, 'emails.ts'));
  await expect.poll(printed).toContain('EISDIR');
  expect(await read()).toMatchObject({ templates: [{ folder: 'receipt' }] });
  expect(printed()).not.toContain('was written');
});
