import {
  ANY,
  among,
  having,
  LIST,
  mail,
  matching,
  NOT_FOUND,
  NUMBER,
  quote,
  TEXT,
  type Asked,
} from './quote.ts';

const I = '/api/inbound';
const inbox = async ({ call }: Asked) => {
  const { id: folder } = await call(`POST ${I}/folders`, { name: 'f' });
  const { id, value } = await call(`POST ${I}/folders/${folder}/inboxes`, { name: 'Support tickets' });
  return { folder, id, address: (value as { address: string }).address };
};
/** A received message: the inbox of it, and its id. */
const received = async (asked: Asked, fields: object = {}) => {
  const { id, address } = await inbox(asked);
  const [{ messageId, threadId } = { messageId: '', threadId: '' }] = asked.emulator.inbound.receive({
    from: 'Ann Lee <ann@example.org>',
    to: `Support <${address}>`,
    cc: 'Bo Ek <bo@example.org>',
    reply_to: 'Ann Lee <ann.lee@example.org>',
    subject: 'Acme order',
    text: 'Hello',
    ...fields,
  });
  return { at: `${I}/inboxes/${id}`, messageId, threadId, address };
};
const ofMessage = (line: (at: string, id: string) => string, body?: object) => async (asked: Asked) => {
  const { at, messageId } = await received(asked);
  return asked.call(line(at, messageId), body);
};
const ofThread = (line: (at: string, id: string) => string) => async (asked: Asked) => {
  const { at, threadId } = await received(asked);
  return asked.call(line(at, threadId));
};
const S = '/api/sandboxes/2001';
const captured =
  (line: (at: string) => string, body?: object, email: object = mail) =>
  async ({ call }: Asked) => {
    await call('POST sandbox /api/send/2001', email);
    const { value } = await call(`GET ${S}/messages`);
    return call(line(`${S}/messages/${(value as { id: number }[])[0]?.id ?? 0}`), body);
  };
const withType =
  (ask: (asked: Asked) => Promise<{ status?: number; value: unknown; headers: Headers }>) =>
  async (asked: Asked) => {
    const { status, headers } = await ask(asked);
    return { status: status ?? 0, value: headers.get('content-type') };
  };
const rule = {
  name: 'r',
  conditions: [{ match_type: 'sender', operator: 'equal', value: 'ann@example.org' }],
  destinations: [{ email: 'bo@example.org' }],
};

export const ofInboxes = [
  quote('a folder', ({ call }) => call(`POST ${I}/folders`, { name: 'f' }), 201, { id: NUMBER, name: 'f' }),
  quote(
    'an inbox',
    async ({ call }) => {
      const { id } = await call(`POST ${I}/folders`, { name: 'f' });
      return call(`POST ${I}/folders/${id}/inboxes`, { name: 'Support tickets' });
    },
    201,
    {
      id: NUMBER,
      name: 'Support tickets',
      address: matching(/^support-tickets-[\da-f]{8}@/),
      domain_id: NUMBER,
    },
  ),
  quote(
    'an inbox at a domain is a catch-all',
    async ({ call }) => {
      const { id } = await call(`POST ${I}/folders`, { name: 'f' });
      return call(`POST ${I}/folders/${id}/inboxes`, { name: 'x', domain_id: 301 });
    },
    201,
    having({ address: '*@mail.example.com', domain_id: 301 }),
  ),
  quote(
    'a folder is deleted',
    async (asked) => asked.call(`DELETE ${I}/folders/${(await inbox(asked)).folder}`),
    204,
    '',
  ),
  quote(
    'messages',
    async (asked) => asked.call(`GET ${I}/inboxes/${(await inbox(asked)).id}/messages`),
    200,
    { data: [], total_count: 0, last_id: null },
  ),
  quote(
    'a message',
    ofMessage((at, id) => `GET ${at}/messages/${id}`),
    200,
    having({
      id: matching(/^\d{17,}$/),
      from: 'Ann Lee <ann@example.org>',
      cc: ['Bo Ek <bo@example.org>'],
      headers: { 'mime-version': '1.0', 'return-path': '' },
      in_reply_to: null,
      references: [],
      text_body: 'Hello',
      html_body: null,
      raw_message_url: TEXT,
      raw_message_expires_at: TEXT,
    }),
  ),
  quote(
    'the raw text of a message has the names',
    async (asked) => {
      const { at, messageId, address } = await received(asked);
      const { value } = await asked.call(`GET ${at}/messages/${messageId}`);
      const raw = await (
        await asked.emulator.fetch((value as { raw_message_url: string }).raw_message_url)
      ).text();
      return {
        value: raw
          .split('\r\n')
          .filter((line) => /^(?:From|To|Cc|Reply-To):/.test(line))
          .map((line) => line.replace(address, 'ADDRESS')),
      };
    },
    undefined,
    [
      'From: Ann Lee <ann@example.org>',
      'To: Support <ADDRESS>',
      'Cc: Bo Ek <bo@example.org>',
      'Reply-To: Ann Lee <ann.lee@example.org>',
    ],
  ),
  quote(
    'a message is deleted',
    ofMessage((at, id) => `DELETE ${at}/messages/${id}`),
    204,
    '',
  ),
  ...['reply', 'reply_all'].map((kind) =>
    quote(
      kind,
      ofMessage((at, id) => `POST ${at}/messages/${id}/${kind}`, { text: 'Hi', html: '' }),
      201,
      { message_ids: LIST },
    ),
  ),
  quote(
    'forward',
    ofMessage((at, id) => `POST ${at}/messages/${id}/forward`, {
      to: [{ email: 'bo@example.org' }],
      text: 'x',
    }),
    201,
    { message_ids: [TEXT] },
  ),
  quote(
    'forward without to',
    ofMessage((at, id) => `POST ${at}/messages/${id}/forward`, { text: 'x' }),
    422,
    { errors: having({ to: [TEXT] }) },
  ),
  quote(
    'threads, found by the subject',
    ofThread((at) => `GET ${at}/threads?search=acme`),
    200,
    {
      data: [having({ subject: 'Acme order', message_count: 1, last_sent_at: null })],
      total_count: 1,
      last_id: null,
    },
  ),
  quote(
    'threads, past an invalid cursor',
    ofThread((at) => `GET ${at}/threads?last_id=abc123`),
    200,
    having({ data: [ANY], last_id: null }),
  ),
  quote(
    'a message of a thread',
    ofThread((at, id) => `GET ${at}/threads/${id}`),
    200,
    having({
      messages: [having({ visibility_status: 'available', direction: 'inbound', message_group_id: null })],
    }),
  ),
  quote(
    'reply_to is empty in a thread without one',
    async (asked) => {
      const { at, threadId } = await received(asked, { reply_to: undefined });
      return asked.call(`GET ${at}/threads/${threadId}`);
    },
    200,
    having({ messages: [having({ reply_to: '' })] }),
  ),
  quote(
    'a forward rule',
    async (asked) => asked.call(`POST ${I}/inboxes/${(await inbox(asked)).id}/forward_rules`, rule),
    201,
    {
      data: having({
        ...rule,
        conditions: rule.conditions.map(having),
        id: NUMBER,
        created_at: TEXT,
        updated_at: TEXT,
      }),
    },
  ),
  quote(
    'a project',
    ({ call }) => call('POST /api/projects', { project: { name: 'Shop' } }),
    200,
    having({
      id: NUMBER,
      name: 'Shop',
      share_links: { admin: TEXT, viewer: TEXT },
      sandboxes: [],
      permissions: ANY,
    }),
  ),
  quote(
    'a project is deleted',
    async ({ call }) =>
      call(`DELETE /api/projects/${(await call('POST /api/projects', { project: { name: 'Shop' } })).id}`),
    200,
    { id: NUMBER },
  ),
  quote(
    'a project without a name',
    ({ call }) => call('POST /api/projects', { project: { name: '' } }),
    422,
    { errors: { name: LIST } },
  ),
  quote(
    'a test inbox',
    `GET ${S}`,
    200,
    having({
      id: 2001,
      username: TEXT,
      password: TEXT,
      smtp_ports: LIST,
      pop3_ports: LIST,
      emails_count: 0,
      max_size: NUMBER,
      project_id: NUMBER,
    }),
  ),
  ...['clean', 'all_read', 'reset_credentials', 'toggle_email_username', 'reset_email_username'].map(
    (action) => quote(`PATCH ${action}`, `PATCH ${S}/${action}`, 200, having({ id: 2001 })),
  ),
  quote(
    'messages of a test inbox',
    async ({ call }) => {
      await call('POST sandbox /api/send/2001', mail);
      return call(`GET ${S}/messages`);
    },
    200,
    [
      having({
        sandbox_id: 2001,
        subject: 'Hi',
        is_read: false,
        smtp_information: { ok: false },
        blacklists_report_info: having({ result: ANY }),
        from_name: '',
        to_name: '',
      }),
    ],
  ),
  quote(
    'messages of a test inbox, under the account',
    async ({ call }) => {
      await call('POST sandbox /api/send/2001', mail);
      return call('GET /api/accounts/1001/inboxes/2001/messages');
    },
    200,
    [having({ inbox_id: 2001 })],
  ),
  ...[true, 'true'].map((is_read) =>
    quote(
      `is_read as a ${typeof is_read}`,
      captured((at) => `PATCH ${at}`, { message: { is_read } }),
      200,
      having({ is_read: true }),
    ),
  ),
  quote(
    'a message of a test inbox is deleted',
    captured((at) => `DELETE ${at}`),
    200,
    having({ subject: 'Hi' }),
  ),
  quote(
    'a message is forwarded',
    captured((at) => `POST ${at}/forward`, { email: 'bo@example.org' }),
    200,
    { success: true, message: TEXT },
  ),
  quote(
    'a spam report',
    captured((at) => `GET ${at}/spam_report`),
    200,
    {
      report: having({
        ResponseCode: NUMBER,
        ResponseMessage: TEXT,
        ResponseVersion: TEXT,
        Score: NUMBER,
        Spam: ANY,
        Threshold: NUMBER,
        Details: LIST,
      }),
    },
  ),
  quote(
    'an analysis of HTML',
    captured((at) => `GET ${at}/analyze`, undefined, { ...mail, html: '<p>x</p>' }),
    200,
    { report: having({ status: TEXT, errors: LIST }) },
  ),
  quote(
    'the headers of a message',
    captured((at) => `GET ${at}/mail_headers`),
    200,
    { headers: having({ subject: 'Hi' }) },
  ),
  ...Object.entries({
    'body.txt': 'text/plain',
    'body.raw': 'text/plain',
    'body.html': 'text/html',
    'body.htmlsource': 'text/html',
    'body.eml': 'message/rfc822',
  }).map(([part, type]) =>
    quote(
      `the type of ${part}`,
      withType(captured((at) => `GET ${at}/${part}`, undefined, { ...mail, html: '<p>x</p>' })),
      200,
      matching(new RegExp(`^${type}`)),
    ),
  ),
  quote(
    'a part that a message does not have',
    withType(captured((at) => `GET ${at}/body.html`)),
    409,
    matching(/^text\/plain/),
  ),
  quote(
    'the files of a message',
    captured((at) => `GET ${at}/attachments`, undefined, {
      ...mail,
      attachments: [{ content: 'QQ==', filename: 'a.txt' }],
    }),
    200,
    [
      having({
        filename: 'a.txt',
        content_id: '',
        download_path: matching(/^\/api\/testing_message_parts\//),
      }),
    ],
  ),
  quote('a message that a test inbox does not have', `GET ${S}/messages/7/body.txt`, 404, NOT_FOUND),
  quote(
    'PUT of a test inbox',
    ({ call }) => call(`PUT ${S}`, { sandbox: { name: 'x' } }),
    200,
    having({ name: 'x' }),
  ),
  quote('test inboxes', 'GET /api/sandboxes', 200, among(having({ id: 2001 }))),
];
