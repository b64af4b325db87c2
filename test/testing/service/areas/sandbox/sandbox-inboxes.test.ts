import { describe, expect, test } from 'vitest';
import { mail, post } from '../../../tools/mail.ts';
import { still, wire } from '../../../tools/wire.ts';

const permissions = { can_read: true, can_update: true, can_destroy: true, can_leave: true };

describe.each([
  ['token', '/api', 'sandboxes', 'sandbox'],
  ['account', '/api/accounts/1001', 'inboxes', 'inbox'],
])('In the form of the %s', (_, base, inboxes, wrapper) => {
  test('projects are a bare list, created with 200 and deleted with 200 and their id', async () => {
    const call = wire(still());
    const { value } = await call('GET', `${base}/projects`);
    expect(value).toMatchObject([{ id: 3001, name: 'Test inboxes', [inboxes]: [{ id: 2001 }], permissions }]);
    expect((value as { share_links: object }[])[0]?.share_links).toMatchObject({
      admin: expect.any(String) as string,
    });
    const created = await call('POST', `${base}/projects`, { body: { project: { name: 'Shop' } } });
    expect([created.status, created.value]).toMatchObject([200, { id: 3002, name: 'Shop', [inboxes]: [] }]);
    const renamed = await call('PATCH', `${base}/projects/3002`, { body: { project: { name: 'Big shop' } } });
    expect([renamed.status, renamed.value]).toMatchObject([200, { name: 'Big shop' }]);
    const deleted = await call('DELETE', `${base}/projects/3002`);
    expect([deleted.status, deleted.value]).toEqual([200, { id: 3002 }]);
    expect((await call('GET', `${base}/projects/3002`)).text).toBe('{"error":"Not Found"}');
  });

  test('inboxes have a wrapper of their own; every response is the whole inbox', async () => {
    const call = wire(still());
    const path = `${base}/projects/3001/${inboxes}`;
    const created = await call('POST', path, { body: { [wrapper]: { name: 'Signup' } } });
    const inbox = created.value as Record<string, unknown>;
    expect(created.status).toBe(200);
    expect(inbox).toEqual({
      id: 2002,
      name: 'Signup',
      username: expect.stringMatching(/^[\da-f]{14}$/) as string,
      password: expect.stringMatching(/^[\da-f]{14}$/) as string,
      max_size: 10_000,
      status: 'active',
      email_username: expect.stringMatching(/^inbox-/) as string,
      email_username_enabled: true,
      sent_messages_count: 0,
      forwarded_messages_count: 0,
      used: false,
      forward_from_email_address: 'a1001-i2002@forward.example.com',
      project_id: 3001,
      domain: 'sandbox.smtp.example.com',
      pop3_domain: 'pop3.example.com',
      email_domain: 'inbox.example.com',
      api_domain: 'sandbox.api.example.com',
      smtp_ports: [25, 465, 587, 2525],
      pop3_ports: [1100, 9950],
      emails_count: 0,
      emails_unread_count: 0,
      last_message_sent_at: null,
      max_message_size: 10_485_760,
      permissions,
    });
    const one = `${base}/${inboxes}/2002`;
    const body = { [wrapper]: { name: 'Login', email_username: 'login' } };
    expect((await call('PATCH', one, { body })).value).toEqual({ ...inbox, ...body[wrapper] });
    expect((await call('GET', `${base}/${inboxes}`)).value).toMatchObject([
      { id: 2001 },
      { id: 2002, name: 'Login' },
    ]);
    const deleted = await call('DELETE', one);
    expect([deleted.status, deleted.value]).toMatchObject([200, { id: 2002, name: 'Login' }]);
    expect((await call('GET', one)).status).toBe(404);
  });

  test('the other wrapper gets an empty 400', async () => {
    const call = wire(still());
    const other = wrapper === 'inbox' ? 'sandbox' : 'inbox';
    const path = `${base}/projects/3001/${inboxes}`;
    const { status, text } = await call('POST', path, { body: { [other]: { name: 'Signup' } } });
    expect([status, text]).toEqual([400, '']);
  });
});

describe('Errors', () => {
  const errorsOf = async (path: string, body: object, options: Parameters<typeof still>[0] = {}) => {
    const { status, value } = await wire(still(options))('POST', path, {
      body: body,
    });
    return [status, (value as { errors?: object }).errors];
  };

  test.each<[unknown, string[]]>([
    ['', ["can't be blank", 'is too short (minimum is 2 characters)']],
    ['x', ['is too short (minimum is 2 characters)']],
    ['x'.repeat(101), ['is too long (maximum is 100 characters)']],
  ])('the name of a project: %j', async (name, errors) => {
    expect(await errorsOf('/api/projects', { project: { name } })).toEqual([422, { name: errors }]);
  });

  test('the limits of a plan', async () => {
    const project = await errorsOf(
      '/api/projects',
      { project: { name: 'ab' } },
      { sandbox: { maxProjects: 1 } },
    );
    expect(project).toEqual([422, { base: ['The limit of projects is reached'] }]);
    const path = '/api/projects/3001/sandboxes';
    const inbox = await errorsOf(path, { sandbox: { name: 'ab' } }, { sandbox: { maxInboxes: 1 } });
    expect(inbox).toEqual([422, { name: ['limit of sandboxes is reached for your plan'] }]);
    expect(await errorsOf(path, { sandbox: { name: ' ' } })).toEqual([422, { name: ["can't be blank"] }]);
  });

  test('the address of an inbox', async () => {
    const { status, value } = await wire(still())('PATCH', '/api/sandboxes/2001', {
      body: { sandbox: { email_username: 'a b' } },
    });
    expect([status, value]).toEqual([422, { errors: { email_username: ['is invalid'] } }]);
  });
});

describe('Actions', () => {
  const act = async (action: string) => {
    const emulator = still();
    await post(emulator, {}, { host: 'sandbox' });
    const call = wire(emulator);
    const before = (await call('GET', '/api/sandboxes/2001')).value as Record<string, unknown>;
    const after = await call('PATCH', `/api/sandboxes/2001/${action}`);
    expect(after.status).toBe(200);
    const changed = Object.entries(after.value as object).filter(([key, value]) => {
      return JSON.stringify(value) !== JSON.stringify(before[key]);
    });
    return { emulator, call, before, changed: Object.fromEntries(changed) as Record<string, unknown> };
  };

  test('clean deletes the messages; what was sent to the sandbox is still known to the test', async () => {
    const { changed, call, emulator } = await act('clean');
    expect(changed).toEqual({ emails_count: 0, emails_unread_count: 0 });
    expect((await call('GET', '/api/sandboxes/2001/messages')).value).toEqual([]);
    expect(emulator.sandbox.messages()).toHaveLength(1);
  });

  test('all_read marks them', async () => {
    const { changed, call } = await act('all_read');
    expect(changed).toEqual({ emails_unread_count: 0 });
    expect((await call('GET', '/api/sandboxes/2001/messages')).value).toMatchObject([{ is_read: true }]);
  });

  test('toggle_email_username flips, reset_email_username and reset_credentials make new ones', async () => {
    const { changed, call } = await act('toggle_email_username');
    expect(changed).toEqual({ email_username_enabled: false });
    const again = await call('PATCH', '/api/sandboxes/2001/toggle_email_username');
    expect(again.value).toMatchObject({ email_username_enabled: true });
    expect(Object.keys((await act('reset_email_username')).changed)).toEqual(['email_username']);
    expect(Object.keys((await act('reset_credentials')).changed)).toEqual(['username', 'password']);
  });
});

describe('Access', () => {
  test('a viewer sees no password and no links', async () => {
    const emulator = still();
    const token = emulator.createToken({ permissions: { sandbox: 'viewer' } });
    const call = wire(emulator);
    const { value } = await call('GET', '/api/projects', { token });
    const none = { can_read: true, can_update: false, can_destroy: false, can_leave: false };
    expect(value).toMatchObject([{ sandboxes: [{ password: null, permissions: none }], permissions: none }]);
    expect(value).not.toMatchObject([{ share_links: {} }]);
    expect((await call('PATCH', '/api/sandboxes/2001/clean', { token })).status).toBe(403);
  });

  test('another account has its own projects, and sees no other', async () => {
    const emulator = still();
    const token = emulator.createToken({ accountId: 77 });
    const call = wire(emulator);
    expect((await call('GET', '/api/projects', { token })).value).toEqual([]);
    expect((await call('GET', '/api/sandboxes/2001', { token })).status).toBe(404);
    const body = { sandbox: { name: 'Signup' } };
    expect((await call('POST', '/api/projects/3001/sandboxes', { token, body })).status).toBe(404);
  });

  test('an inbox that was deleted accepts nothing; one that was created does', async () => {
    const emulator = still();
    const call = wire(emulator);
    await call('DELETE', '/api/projects/3001');
    expect((await post(emulator, {}, { host: 'sandbox' })).status).toBe(401);
    await call('POST', '/api/projects', { body: { project: { name: 'Shop' } } });
    await call('POST', '/api/projects/3002/sandboxes', { body: { sandbox: { name: 'Signup' } } });
    const sent = await call('POST', '/api/send/2002', { host: 'sandbox', body: mail });
    expect(sent.status).toBe(200);
    expect((await call('GET', '/api/sandboxes/2002')).value).toMatchObject({ emails_count: 1, used: true });
  });
});
