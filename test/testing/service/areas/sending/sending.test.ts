import { describe, expect, test } from 'vitest';
import { createTemplate, errorsOf, idsOf, mail, post, uuid } from '../../../tools/mail.ts';
import { start, still, wire } from '../../../tools/wire.ts';

describe('Sending: POST /api/send', () => {
  test.each(['send', 'bulk', 'sandbox'] as const)('%s: 200 with success and message_ids', async (host) => {
    const emulator = still();
    const answer = await post(emulator, {}, { host });
    expect([answer.status, answer.value]).toEqual([
      200,
      { success: true, message_ids: [expect.stringMatching(uuid)] },
    ]);
    expect(emulator.messages()).toMatchObject([
      {
        id: idsOf(answer)[0],
        stream: { send: 'transactional', bulk: 'bulk', sandbox: 'sandbox' }[host],
        sandboxInboxId: host === 'sandbox' ? 2001 : null,
        at: start,
        from: 'hello@mail.example.com',
        to: 'ann@example.org',
        field: 'to',
        subject: 'Welcome',
        text: 'Good morning',
        html: null,
      },
    ]);
  });

  test('one message for each recipient, in the order to, cc, bcc', async () => {
    const emulator = still();
    const people = (name: string) => [1, 2].map((n) => ({ email: `${name}${n}@example.org` }));
    const answer = await post(emulator, { to: people('to'), cc: people('cc'), bcc: people('bcc') });
    expect(new Set(idsOf(answer)).size).toBe(6);
    expect(emulator.messages().map(({ id }) => id)).toEqual(idsOf(answer));
    expect(emulator.messages().map(({ to }) => to)).toEqual(
      ['to', 'cc', 'bcc'].flatMap((name) => people(name).map(({ email }) => email)),
    );
  });

  test('only the newest messages are kept', async () => {
    const emulator = still({ sending: { keep: 10 }, limits: false });
    for (let index = 0; index < 30; index += 1) await post(emulator, { subject: `${index}` });
    const subjects = emulator.messages().map(({ subject }) => subject);
    expect(subjects.length).toBeLessThanOrEqual(11);
    expect(subjects.at(-1)).toBe('29');
  });

  test('any of to, cc and bcc is enough', async () => {
    const emulator = still();
    expect((await post(emulator, { to: undefined, bcc: mail.to })).status).toBe(200);
    expect((await post(emulator, { to: [], cc: mail.to })).status).toBe(200);
  });

  test('all fields at once', async () => {
    const emulator = still();
    const answer = await post(emulator, {
      html: '<p>Good morning</p>',
      reply_to: { email: 'help@example.com', name: 'Help' },
      category: 'c'.repeat(255),
      custom_variables: { user: '7', age: 7, vip: true },
      headers: { 'X-Campaign': 'a', 'In-Reply-To': '<a@b>', 'Content-Transfer-Encoding': '7bit' },
      attachments: [
        { content: 'aGk=', filename: 'hi.txt' },
        { content: 'aGk=', filename: 'hi.png', type: 'image/png', disposition: 'inline', content_id: 'hi' },
      ],
      unknown: 'ignored',
    });
    expect(answer.status).toBe(200);
    const [message] = emulator.messages();
    expect(message?.headers).toEqual({ 'X-Campaign': 'a', 'In-Reply-To': '<a@b>' });
    expect(message?.customVariables).toEqual({ user: '7', age: 7, vip: true });
    expect(message?.attachments.map(({ disposition }) => disposition)).toEqual(['attachment', 'inline']);
  });

  test.each([
    [{ from: undefined }, "'from' is required"],
    [{ from: { email: 'nobody' } }, "'from' address is invalid"],
    [{ from: 'hello@mail.example.com' }, "'from' must be an object"],
    [{ to: undefined }, 'At least one recipient'],
    [{ to: [] }, 'At least one recipient'],
    [{ to: [{ email: 'x' }] }, "'to[0]' address is invalid"],
    [{ to: Array(1001).fill({ email: 'a@b.c' }) }, "'to' must not exceed 1000 recipients"],
    [{ reply_to: { email: '' } }, "'reply_to' address is invalid"],
    [{ subject: undefined }, "'subject' is required"],
    [{ subject: '' }, "'subject' must not be empty"],
    [{ text: undefined }, 'must specify either text or html body'],
    [{ text: 7 }, "'text' must be a string"],
    [{ category: 'c'.repeat(256) }, "'category' must not exceed 255 characters"],
    [{ custom_variables: { a: 'x'.repeat(1000) } }, "'custom_variables' must not exceed 1000 bytes"],
    [{ custom_variables: { a: 'ä'.repeat(497) } }, "'custom_variables' must not exceed 1000 bytes"],
    [{ custom_variables: { a: {} } }, "'custom_variables' must hold plain values only"],
    [{ headers: { Subject: 'a' } }, 'reserved header Subject'],
    [{ headers: { 'X-A': 'a\r\nBcc: b@c.d' } }, "'headers.X-A' has an invalid value"],
    [{ headers: { 'X-A: b\r\nX-B': 'c' } }, "'headers' has an invalid name"],
    [{ attachments: [{ filename: 'a' }] }, "'attachments[0]' content must be base64"],
    [{ attachments: [{ content: '?', filename: 'a' }] }, "'attachments[0]' content must be base64"],
    [{ attachments: [{ content: 'aGk=' }] }, "'attachments[0]' filename is required"],
    [{ attachments: [{ content: 'aGk=', filename: 'a', disposition: 'x' }] }, 'attachment or inline'],
  ])('%j → 400 with success and errors', async (fields, message) => {
    const emulator = still();
    const answer = await post(emulator, fields);
    expect([answer.status, answer.value]).toEqual([
      400,
      { success: false, errors: [expect.stringContaining(message)] },
    ]);
    expect(emulator.messages()).toEqual([]);
  });

  test.each([
    [
      'A Reply-To with several addresses',
      'in place of reply_to',
      'Reply-To',
      'ann@example.org, Ben <ben@example.org>',
    ],
    ['A Message-ID', 'in place of the one that the emulator writes', 'message-id', '<own@example.org>'],
  ])('%s header is passed on, %s', async (_what, _place, name, value) => {
    const emulator = still();
    const headers = { [name]: value };
    expect((await post(emulator, { headers, reply_to: { email: 'help@example.com' } })).status).toBe(200);
    expect(emulator.messages()[0]?.headers).toEqual(headers);
    await post(emulator, { headers }, { host: 'sandbox' });
    const call = wire(emulator);
    const [message] = (await call('GET', '/api/sandboxes/2001/messages')).value as { id: number }[];
    const { text } = await call('GET', `/api/sandboxes/2001/messages/${message?.id}/body.raw`);
    expect(text.match(new RegExp(`^${name}: .*$`, 'gim'))).toEqual([`${name}: ${value}`]);
  });

  test('all errors are reported at once', async () => {
    const answer = await post(still(), { from: undefined, to: undefined, subject: undefined });
    expect(errorsOf(answer)).toHaveLength(3);
  });

  test('reports the first thousand of a million errors', async () => {
    const emulator = still();
    const answer = await post(emulator, { to: Array.from({ length: 1_000_000 }, () => 1) });
    expect(answer.status).toBe(400);
    const errors = errorsOf(answer);
    expect(errors).toHaveLength(1000);
    expect(errors.slice(0, 2)).toEqual(["'to' must not exceed 1000 recipients", "'to[0]' must be an object"]);
    expect(emulator.messages()).toEqual([]);
  });

  test('custom_variables of exactly 1000 bytes pass', async () => {
    const answer = await post(still(), { custom_variables: { a: 'ä'.repeat(496) } });
    expect(answer.status).toBe(200);
  });

  test('a body that is not JSON → 400 in the shape of the sending hosts', async () => {
    const answer = await wire(still())('POST', '/api/send', { host: 'send', raw: '{' });
    expect([answer.status, answer.value]).toEqual([
      400,
      { success: false, errors: ['The request body is not valid JSON'] },
    ]);
  });

  test('an email over the limit → 413', async () => {
    const emulator = still({ sending: { maxMailBytes: 1000 } });
    const answer = await post(emulator, { text: 'x'.repeat(1000) });
    expect([answer.status, answer.value]).toEqual([
      413,
      { success: false, errors: ['The message is too large'] },
    ]);
  });

  test('files of many megabytes, which no stack holds, are kept or refused', async () => {
    const file = (bytes: number) => [{ filename: 'a.bin', content: 'A'.repeat(bytes) }];
    expect((await post(still(), { attachments: file(8_000_000) })).status).toBe(200);
    expect((await post(still(), { attachments: file(24_000_000) })).status).toBe(413);
  });
});

describe('Sending: permissions', () => {
  test.each([
    ['not verified', 'unverified.example.com'],
    ['unknown', 'example.net'],
  ])('a sender whose domain is %s → 401, or 403 as an option', async (_, domain) => {
    const from = { email: `hello@${domain}` };
    for (const answers of ['specified', 'recorded'] as const) {
      const answer = await post(still({ answers }), { from });
      expect([answer.status, answer.value]).toEqual([
        401,
        { error: 'Unauthorized', errors: ['Unauthorized'] },
      ]);
    }
    const message = 'Sending from this domain is not allowed';
    for (const [answers, body] of [
      ['specified', { errors: message }],
      ['recorded', { success: false, errors: [message] }],
    ] as const) {
      const forbidding = still({ sending: { unverifiedDomain: 'forbidden' }, answers });
      const refused = await post(forbidding, { from });
      expect([refused.status, refused.value]).toEqual([403, body]);
      expect(forbidding.messages()).toEqual([]);
    }
  });

  test('a domain that the token cannot access, or of another account, counts as unknown', async () => {
    const emulator = still();
    const other = emulator.domains.add({ name: 'other.example.com' });
    const limited = emulator.createToken({ domains: [other] });
    expect((await post(emulator, {}, { token: limited })).status).toBe(401);
    const from = { email: 'hello@other.example.com' };
    expect((await post(emulator, { from }, { token: emulator.createToken({ accountId: 77 }) })).status).toBe(
      401,
    );
  });

  test('an account has its own domains: a new one a verified and an unverified one', async () => {
    const emulator = still();
    const token = emulator.createToken({ accountId: 77 });
    expect((await post(emulator, {}, { token })).status).toBe(200);
    emulator.createToken({ accountId: 77 });
    emulator.createToken();
    const ofOther = () => emulator.domains.list().filter(({ accountId }) => accountId === 77);
    expect(ofOther().map(({ name, verified }) => [name, verified])).toEqual([
      ['mail.example.com', true],
      ['unverified.example.com', false],
    ]);
    const id = emulator.domains.add({ name: 'third.example.com', accountId: 77 });
    expect(ofOther().map((domain) => domain.id)).toContain(id);
    const from = { email: 'hello@third.example.com' };
    expect((await post(emulator, { from }, { token })).status).toBe(200);
    expect((await post(emulator, { from })).status).toBe(401);
  });

  test('a domain can be used once its DNS records pass', async () => {
    const emulator = still();
    const id = emulator.domains.add({ name: 'new.example.com', verified: false });
    const from = { email: 'hello@NEW.example.com' };
    expect((await post(emulator, { from })).status).toBe(401);
    emulator.domains.setVerified(id, true);
    expect((await post(emulator, { from })).status).toBe(200);
  });

  test.each([
    ['specified', { errors: 'Access forbidden' }],
    ['recorded', { success: false, errors: ['Access forbidden'] }],
  ] as const)('a token without permission, as %s → 403', async (answers, body) => {
    const emulator = still({ answers });
    const token = emulator.createToken({ permissions: { sending: 'viewer', sandbox: 'none' } });
    for (const host of ['send', 'bulk', 'sandbox'] as const) {
      const answer = await post(emulator, {}, { token, host });
      expect([answer.status, answer.value]).toEqual([403, body]);
    }
  });
});

describe('Sending: templates', () => {
  test('the subject and the bodies come from the rendered template', async () => {
    const emulator = still();
    const template_uuid = await createTemplate(emulator, {
      subject: 'Hi {{name}}',
      body_html: '<p>{{user.city}} {{{html}}} {{html}}</p>',
      body_text:
        '{{#if vip}}Dear{{else}}Hello{{/if}} {{name}}{{#each items}} {{@index}}:{{this.id}}{{/each}}',
    });
    const template_variables = {
      name: 'Ann & Bob',
      user: { city: 'Rome' },
      html: '<b>',
      vip: true,
      items: [{ id: 'a' }, { id: 'b' }],
    };
    const answer = await post(emulator, {
      subject: undefined,
      text: undefined,
      template_uuid,
      template_variables,
    });
    expect(answer.status).toBe(200);
    expect(emulator.messages()[0]).toMatchObject({
      subject: 'Hi Ann &amp; Bob',
      html: '<p>Rome <b> &lt;b&gt;</p>',
      text: 'Dear Ann &amp; Bob 0:a 1:b',
    });
  });

  test('subject, text and html are refused together with a template', async () => {
    const emulator = still();
    const template_uuid = await createTemplate(emulator);
    const answer = await post(emulator, { template_uuid, html: '<p>' });
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      ['subject', 'text', 'html'].map((name) => `'${name}' is not allowed with 'template_uuid'`),
    ]);
  });

  test('the template must exist in the same account', async () => {
    const emulator = still();
    const fields = { subject: undefined, text: undefined };
    const unknown = await post(emulator, { ...fields, template_uuid: crypto.randomUUID() });
    expect([unknown.status, errorsOf(unknown)]).toEqual([
      400,
      [
        "'template_uuid' is not the UUID of a template of the account: push it, and generate its types again. An emulator reads a folder of templates with its option templates, or --templates",
      ],
    ]);
  });
});
