import {
  ApiError,
  ConnectionError,
  EmailPlatform,
  InvalidRequestError,
  NotFoundError,
  ValidationError,
  type RequestOptions,
} from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { emulated } from '../../support/contacts-service.ts';
import { json, lost, scriptedFetch, text, type Turn } from '../../support/scripted-fetch.ts';

const mail = {
  from: { email: 'hello@mail.example.com', name: 'The Shop' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Confirm your address',
  text: 'Hello',
};

function scripted(...turns: [Turn, ...Turn[]]) {
  const { fetch, sent } = scriptedFetch(...turns);
  const hosts = { api: 'https://api.test/base' };
  const client = new EmailPlatform({ token: 't', hosts, fetch, throttle: false, retry: { maxRetries: 1 } });
  return { client, sandbox: client.sandbox, sent };
}

/** An emulated client with one message in its test inbox. */
async function withMessage(more: object = {}, options: Parameters<typeof emulated>[0] = {}) {
  const { client, emulator } = emulated(options);
  const inbox = emulator.clientOptions().sandboxInboxId;
  await client.sending.send({ ...mail, ...more }, { stream: 'sandbox' });
  const [message] = await client.sandbox.messages.list(inbox).toArray();
  return {
    messages: client.sandbox.messages,
    sandbox: client.sandbox,
    inbox,
    id: message?.id ?? 0,
  };
}

describe('Projects and test inboxes', () => {
  test('are made, read, changed and deleted', async () => {
    const { sandbox } = emulated().client;
    const project = await sandbox.projects.create({ name: 'Shop' });
    const inbox = await sandbox.inboxes.create(project.id, { name: 'Signup', project_id: project.id });
    expect(inbox).toMatchObject({ name: 'Signup', project_id: project.id, emails_count: 0, used: false });
    expect(await sandbox.inboxes.get(inbox.id)).toEqual(inbox);
    expect((await sandbox.projects.update(project.id, { name: 'The shop' })).inboxes).toEqual([inbox]);
    const renamed = await sandbox.inboxes.update(inbox.id, { email_username: 'signup' });
    expect(renamed).toEqual({ ...inbox, email_username: 'signup' });
    const names = (await sandbox.projects.list().toArray()).map(({ name }) => name);
    expect(names).toEqual(['Test inboxes', 'The shop']);
    expect((await sandbox.inboxes.list().toArray()).map(({ id }) => id)).toEqual([2001, inbox.id]);
    expect(await sandbox.inboxes.delete(inbox.id)).toMatchObject({ id: inbox.id });
    expect(await sandbox.projects.delete(project.id)).toEqual({ id: project.id });
    await rejection(sandbox.inboxes.get(inbox.id), NotFoundError);
    await rejection(sandbox.projects.get(project.id), NotFoundError);
  });

  test('errors name the field', async () => {
    const { sandbox } = emulated({ sandbox: { maxInboxes: 1 } }).client;
    const { fieldErrors } = await rejection(sandbox.projects.create({ name: 'x' }), ValidationError);
    expect(fieldErrors).toEqual({ name: ['is too short (minimum is 2 characters)'] });
    const { id } = await sandbox.projects.create({ name: 'Shop' });
    const full = await rejection(sandbox.inboxes.create(id, { name: 'Signup' }), ValidationError);
    expect(Object.keys(full.fieldErrors)).toEqual(['name']);
  });

  test('actions: marks, credentials, the address, and everything deleted', async () => {
    const { sandbox, inbox } = await withMessage();
    const before = await sandbox.inboxes.get(inbox);
    expect(before).toMatchObject({ emails_count: 1, emails_unread_count: 1, email_username_enabled: true });
    expect(await sandbox.inboxes.markAllRead(inbox)).toEqual({ ...before, emails_unread_count: 0 });
    const reset = await sandbox.inboxes.resetCredentials(inbox);
    expect(reset.username).not.toBe(before.username);
    expect(reset.password).not.toBe(before.password);
    expect(await sandbox.inboxes.toggleEmailAddress(inbox)).toMatchObject({ email_username_enabled: false });
    expect(await sandbox.inboxes.toggleEmailAddress(inbox)).toMatchObject({ email_username_enabled: true });
    expect((await sandbox.inboxes.resetEmailAddress(inbox)).email_username).not.toBe(before.email_username);
    expect(await sandbox.inboxes.clean(inbox)).toMatchObject({ emails_count: 0, sent_messages_count: 1 });
    expect(await sandbox.messages.list(inbox).toArray()).toEqual([]);
  });

  test.each(['clean', 'resetCredentials', 'toggleEmailAddress', 'resetEmailAddress'] as const)(
    '%s is never repeated when its outcome is unknown',
    async (action) => {
      const { sandbox, sent } = scripted(lost, json(200, { id: 1 }));
      expect(await rejection(sandbox.inboxes[action](1), ConnectionError)).toMatchObject({
        effect: 'unknown',
      });
      expect(sent.map(({ method }) => method)).toEqual(['PATCH']);
    },
  );

  test('markAllRead is', async () => {
    const { sandbox, sent } = scripted(lost, json(200, { id: 1 }));
    await sandbox.inboxes.markAllRead(1);
    expect(sent).toHaveLength(2);
  });
});

describe('The two families of paths', () => {
  test.each<[string, RequestOptions, string, string]>([
    ['without an account', {}, 'https://api.test/base/api', 'sandbox'],
    ['under an account', { accountId: 7 }, 'https://api.test/base/api/accounts/7', 'inbox'],
  ])('%s', async (_, options, base, word) => {
    const words = word === 'inbox' ? 'inboxes' : 'sandboxes';
    const { sandbox, sent } = scripted(json(200, { id: 1 }));
    await sandbox.inboxes.create(5, { name: 'Signup' }, options);
    await sandbox.inboxes.update(6, { name: 'Signup' }, options);
    await sandbox.projects.create({ name: 'Shop' }, options);
    await sandbox.messages.markRead(6, 8, { is_read: false }, options);
    await sandbox.attachments.get(6, 8, 9, options);
    await sandbox.inboxes.create(5, { name: 'Signup', project_id: 5 }, options);
    expect(sent.map(({ url, body }) => [url, body])).toEqual([
      [`${base}/projects/5/${words}`, JSON.stringify({ [word]: { name: 'Signup' } })],
      [`${base}/${words}/6`, JSON.stringify({ [word]: { name: 'Signup' } })],
      [`${base}/projects`, '{"project":{"name":"Shop"}}'],
      [`${base}/${words}/6/messages/8`, '{"message":{"is_read":false}}'],
      [`${base}/${words}/6/messages/8/attachments/9`, ''],
      [`${base}/projects/5/${words}`, JSON.stringify({ [word]: { name: 'Signup', project_id: 5 } })],
    ]);
  });

  test('have one name for the caller, in lists too', async () => {
    const inbox = { id: 1, password: 'secret' };
    const { sandbox } = scripted(
      json(200, { id: 2, sandboxes: [inbox] }),
      json(200, [{ id: 2, sandboxes: [inbox] }, { id: 3, inboxes: [] }, null]),
      json(200, { id: 4, sandbox_id: 1 }),
      json(200, [
        { id: 4, sandbox_id: 1 },
        { id: 5, inbox_id: 1 },
      ]),
      json(200, []),
    );
    expect((await sandbox.projects.get(2)).inboxes).toEqual([inbox]);
    expect((await sandbox.projects.list()).items).toMatchObject([
      { inboxes: [inbox] },
      { inboxes: [] },
      null,
    ]);
    expect(await sandbox.messages.get(1, 4)).toEqual({ id: 4, sandbox_id: 1, inbox_id: 1 });
    expect(await sandbox.messages.list(1).toArray()).toMatchObject([{ inbox_id: 1 }, { inbox_id: 1 }]);
  });

  test.each([true, false])('have the same results in the emulator (account: %s)', async (hasAccount) => {
    const { emulator } = emulated();
    const { accountId, ...options } = emulator.clientOptions();
    const client = new EmailPlatform({ ...options, throttle: false, ...(hasAccount && { accountId }) });
    await client.sending.send(mail, { stream: 'sandbox' });
    const [message] = await client.sandbox.messages.list(2001).toArray();
    expect(message).toMatchObject({ inbox_id: 2001, to_email: 'ann@example.org', from_name: 'The Shop' });
    const [project] = await client.sandbox.projects.list().toArray();
    expect(project?.inboxes.map(({ id }) => id)).toEqual([2001]);
  });
});

describe('Messages', () => {
  test('are listed by last_id until a page is empty, none twice', async () => {
    const { client, emulator } = emulated();
    const requests = Array.from({ length: 65 }, (_, number) => ({ ...mail, subject: `Number ${number}` }));
    await client.sending.batch({ requests }, { stream: 'sandbox' });
    const before = emulator.requests.length;
    const all = await client.sandbox.messages.list(2001).toArray();
    expect(all.map(({ subject }) => subject)).toEqual(requests.map(({ subject }) => subject).reverse());
    const queries = emulator.requests.slice(before).map(({ query }) => query);
    expect(queries).toEqual(['', ...[29, 59, 64].map((at) => `?last_id=${all[at]?.id}`)]);
    const resumed = await client.sandbox.messages.list(2001, { last_id: all[62]?.id, search: 'NUMBER' });
    expect(resumed.items).toEqual(all.slice(63));
  });

  test('are listed from a page on, which `last_id` goes before', async () => {
    const { client, emulator } = emulated();
    const requests = Array.from({ length: 95 }, (_, number) => ({ ...mail, subject: `Number ${number}` }));
    await client.sending.batch({ requests }, { stream: 'sandbox' });
    const { messages } = client.sandbox;
    const all = await messages.list(2001).toArray();
    const before = emulator.requests.length;
    expect(await messages.list(2001, { page: 2, search: 'number' }).toArray()).toEqual(all.slice(30));
    const queries = emulator.requests.slice(before).map(({ query }) => query);
    expect(queries).toEqual([
      '?page=2&search=number',
      ...[59, 89, 94].map((at) => `?search=number&last_id=${all[at]?.id}`),
    ]);
    const resumed = await messages.list(2001, { page: 1, last_id: all[89]?.id });
    expect(resumed.items).toEqual(all.slice(90));
  });

  test('are marked, forwarded, analyzed and deleted', async () => {
    const { messages, sandbox, inbox, id } = await withMessage({ html: '<p>Hello</p>' });
    expect(await messages.markRead(inbox, id)).toMatchObject({ id, is_read: true });
    expect(await messages.markRead(inbox, id, { is_read: false })).toMatchObject({ is_read: false });
    expect(await messages.forward(inbox, id, { email: 'me@example.com' })).toMatchObject({ success: true });
    await rejection(messages.forward(inbox, id, { email: 'me' }), ValidationError);
    expect(await sandbox.inboxes.get(inbox)).toMatchObject({ forwarded_messages_count: 1 });
    expect(await messages.spamReport(inbox, id)).toMatchObject({ Spam: false, Threshold: 5, Details: [] });
    expect(await messages.htmlAnalysis(inbox, id)).toEqual({ status: 'success', errors: [] });
    expect(await messages.headers(inbox, id)).toMatchObject({
      from: 'The Shop <hello@mail.example.com>',
      to: 'ann@example.org',
      subject: 'Confirm your address',
      mime_version: '1.0',
    });
    expect(await messages.delete(inbox, id)).toMatchObject({ id });
    await rejection(messages.get(inbox, id), NotFoundError);
  });

  test('a deletion whose response was lost is one', async () => {
    const { sandbox, sent } = scripted(lost, json(404, { error: 'Not Found' }));
    expect(await sandbox.messages.delete(1, 2)).toEqual({ id: 2 });
    expect(sent).toHaveLength(2);
  });
});

describe('The findings of an HTML analysis', () => {
  test('is named with its line and the email programs that do not support it', async () => {
    const html = '<p>Hello</p>\n<style>p { color: red }</style>\n<video src="a"></video>';
    const { messages, inbox, id } = await withMessage({ html });
    const { status, errors = [] } = await messages.htmlAnalysis(inbox, id);
    expect(status).toBe('success');
    expect(errors).toMatchObject([
      { error_line: 2, rule_name: 'style' },
      { error_line: 3, rule_name: 'video' },
    ]);
    for (const issue of errors) {
      const { desktop, mobile, web } = (issue as EmailPlatform.SandboxHtmlIssue).email_clients;
      expect([...desktop, ...mobile, ...web].length).toBeGreaterThan(0);
    }
  });

  test('are empty, with a reason, if there is no HTML', async () => {
    const { messages, inbox, id } = await withMessage();
    const analysis = await messages.htmlAnalysis(inbox, id);
    expect(analysis).toEqual({ status: 'error', msg: 'The message has no HTML' });
  });
});

test('A message may come without a report of blacklists', async () => {
  const { messages, inbox, id } = await withMessage({}, { sandbox: { blacklistReport: 'none' } });
  expect((await messages.get(inbox, id)).blacklists_report_info).toBe(false);
  const other = await withMessage();
  const { blacklists_report_info } = await other.messages.get(other.inbox, other.id);
  expect(blacklists_report_info).toMatchObject({ result: 'success', domain: 'mail.example.com' });
});

describe('Parts of a message', () => {
  const html = '<p>Grüße, <a href="https://shop.example.com/confirm?code=1">confirm</a></p>';

  test('are text by default, and bytes or a stream where that is wanted', async () => {
    const { messages, inbox, id } = await withMessage({ html });
    expect(await messages.text(inbox, id)).toBe('Hello');
    expect(await messages.html(inbox, id)).toBe(html);
    expect(await messages.htmlSource(inbox, id, { as: 'text' })).toBe(html);
    const bytes = await messages.html(inbox, id, { as: 'bytes' });
    expect(new TextDecoder().decode(bytes)).toBe(html);
    const stream = await messages.html(inbox, id, { as: 'stream' });
    expect(await new Response(stream).text()).toBe(html);
    const eml = await messages.eml(inbox, id);
    expect(eml).toBeInstanceOf(Uint8Array);
    expect(new TextDecoder().decode(eml)).toBe(await messages.raw(inbox, id));
    expect(await messages.eml(inbox, id, { as: 'text' })).toContain('Subject: Confirm your address\r\n');
  });

  test('any type of content is asked for', async () => {
    const { sandbox, sent } = scripted(text(200, 'Hello'));
    await sandbox.messages.text(1, 2);
    expect(sent[0]?.headers.get('accept')).toBe('*/*');
  });

  test.each(['conflict', 'not-found'] as const)(
    'one that a message does not have is a NotFoundError: %s',
    async (missingPart) => {
      const { messages, inbox, id } = await withMessage({}, { sandbox: { missingPart } });
      const status = missingPart === 'conflict' ? 409 : 404;
      for (const part of ['html', 'htmlSource'] as const) {
        for (const as of ['text', 'bytes', 'stream'] as const) {
          const error = await rejection(messages[part](inbox, id, { as }), NotFoundError);
          expect(error).toMatchObject({ status, code: 'not_found', effect: 'none' });
        }
      }
      await rejection(messages.text(inbox, id + 1), NotFoundError);
    },
  );

  test('a 409 to another request is an ordinary error', async () => {
    const { sandbox } = scripted(text(409, 'Conflict'));
    expect(await rejection(sandbox.messages.get(1, 2), ApiError)).toMatchObject({ code: 'api_error' });
  });

  test('an empty one is an empty text', async () => {
    const { sandbox } = scripted(text(200, ''));
    expect(await sandbox.messages.text(1, 2)).toBe('');
  });

  test('a form that there is not is refused', async () => {
    const { sandbox, sent } = scripted(text(200, 'Hello'));
    const { issues } = await rejection(
      sandbox.messages.text(1, 2, { as: 'blob' as 'text' }),
      InvalidRequestError,
    );
    expect(issues).toEqual([{ path: 'options.as', message: "must be one of 'text', 'bytes', 'stream'" }]);
    expect(sent).toEqual([]);
  });
});

describe('Attachments', () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256);
  const attachments = [
    { filename: 'Rechnung für Ann.pdf', content: bytes, type: 'application/pdf' },
    { filename: 'logo.png', content: 'iVBORw==', disposition: 'inline', content_id: 'logo' },
  ];

  test('are listed, read, and downloaded byte for byte', async () => {
    const { sandbox, inbox, id } = await withMessage({ attachments });
    const all = await sandbox.attachments.list(inbox, id).toArray();
    expect(all).toMatchObject([
      { message_id: id, filename: 'Rechnung für Ann.pdf', attachment_size: 70_000, content_id: '' },
      { filename: 'logo.png', attachment_type: 'inline', content_id: 'logo' },
    ]);
    const [file, logo] = all;
    if (!file || !logo) throw new Error('They are not there.');
    expect(await sandbox.attachments.list(inbox, id, { attachment_type: 'inline' }).toArray()).toEqual([
      logo,
    ]);
    expect(await sandbox.attachments.get(inbox, id, file.id)).toEqual(file);
    expect(await sandbox.attachments.download(file)).toEqual(bytes);
    const stream = await sandbox.attachments.download(file, { as: 'stream' });
    expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(bytes);
    await rejection(sandbox.attachments.get(inbox, id, 1), NotFoundError);
    const changed = { download_path: file.download_path.replace('/download', '0/download') };
    await rejection(sandbox.attachments.download(changed), NotFoundError);
  });

  test('are fetched from the path of the service, with the token', async () => {
    const { sandbox, sent } = scripted(text(200, 'Hello'));
    const download_path = '/api/testing_message_parts/0123/download';
    expect(await sandbox.attachments.download({ download_path }, { as: 'text' })).toBe('Hello');
    expect(sent.map(({ url }) => url)).toEqual([`https://api.test/base${download_path}`]);
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer t');
  });

  test.each([{ download_path: 'https://elsewhere.test/x' }, { download_path: 5 }, {}, undefined])(
    'nothing else is fetched: %j',
    async (given) => {
      const { sandbox, sent } = scripted(text(200, 'Hello'));
      const { issues } = await rejection(sandbox.attachments.download(given as never), InvalidRequestError);
      expect(issues.map(({ path }) => path)).toEqual(['attachment']);
      expect(sent).toEqual([]);
    },
  );

  test('the path appears in no error', async () => {
    const path = `/api/testing_message_parts/${'0123456789abcdef'.repeat(5)}/download`;
    const { sandbox } = scripted(text(404, `nothing at ${path}`));
    const error = await rejection(sandbox.attachments.download({ download_path: path }), NotFoundError);
    expect(error.request).toMatchObject({ path: '(signed address)' });
    expect(JSON.stringify(error) + String(error.body) + error.message).not.toContain('0123456789abcdef');
  });
});

describe('A wrong argument is reported before a request is sent', () => {
  test.each<[string, (client: EmailPlatform) => PromiseLike<unknown>, string[]]>([
    ['a project', ({ sandbox }) => sandbox.projects.create({} as never), ['name']],
    [
      'an inbox',
      ({ sandbox }) => sandbox.inboxes.create(0, { title: 'x' } as never),
      ['project', 'name', 'title'],
    ],
    ['an update of nothing', ({ sandbox }) => sandbox.inboxes.update(1, {}), ['params']],
    ['a list', ({ sandbox }) => sandbox.messages.list(1, { last_id: '5' as never }), ['last_id']],
    ['a page', ({ sandbox }) => sandbox.messages.list(1, { page: 0 }), ['page']],
    [
      'the project of an inbox',
      ({ sandbox }) => sandbox.inboxes.create(1, { name: 'x', project_id: '1' as never }),
      ['project_id'],
    ],
    ['a mark', ({ sandbox }) => sandbox.messages.markRead(1, 2, { is_read: 1 as never }), ['is_read']],
    ['two ids', ({ sandbox }) => sandbox.messages.get(NaN, '2' as never), ['inbox', 'id']],
    ['a forward', ({ sandbox }) => sandbox.messages.forward(1, 2, {} as never), ['email']],
    ['three ids', ({ sandbox }) => sandbox.attachments.get(1, 2, -3), ['id']],
    [
      'a wait',
      ({ sandbox }) => sandbox.messages.waitFor({ to: 5, after: 'now', subjet: '' } as never, { pollMs: 0 }),
      ['inbox', 'to', 'after', 'subjet', 'options.pollMs'],
    ],
    ['a wait for nothing', ({ sandbox }) => sandbox.messages.waitFor(undefined as never), ['inbox']],
  ])('%s', async (_, call, paths) => {
    const { client, sent } = scripted(json(200, []));
    const { issues } = await rejection(call(client), InvalidRequestError);
    expect(issues.map(({ path }) => path)).toEqual(paths);
    expect(sent).toEqual([]);
  });

  test('groups are made once, when they are first read', () => {
    const { sandbox } = scripted(json(200, []));
    expect(sandbox.messages).toBe(sandbox.messages);
    expect(sandbox.attachments).toBe(sandbox.attachments);
  });
});
