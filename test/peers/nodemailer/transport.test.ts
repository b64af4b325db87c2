import { createServer } from 'node:http';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  AbortedError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  EmailPlatform,
  EmailPlatformError,
  IdempotencyError,
  InvalidRequestError,
  PermissionDeniedError,
  RateLimitError,
  RecipientRefusedError,
  ResponseFormatError,
  ServerError,
  TimeoutError,
  type EmailPlatformOptions,
} from 'email-platform';
import { createJournal } from 'email-platform/journal';
import { emailPlatformTransport, type IgnorableField } from 'email-platform/nodemailer';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IGNORABLE_FIELDS, MESSAGE_FIELDS, PART_FIELDS } from '../../../src/entries/nodemailer/fields.ts';
import { MemoryStore } from '../../entries/journal/memory-store.ts';
import { rejection, thrown } from '../../support/expect-error.ts';
import { until, virtualRuntime, WALL_START } from '../../support/virtual-client.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { handlebars, htmlToText, nodemailers, type Message } from './peers.mjs';
import { mail, sent, setUp } from './set-up.ts';

const PNG = new Uint8Array([137, 80, 78, 71]);

const folder = mkdtempSync(join(tmpdir(), 'email-platform-'));
const file = join(folder, 'notes.txt');
const server = createServer((_, response) => response.end('from the web'));
let url = '';
beforeAll(async () => {
  writeFileSync(file, 'from a file');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/web.txt`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** What an error has, besides what every error has. */
interface Codes {
  readonly code: string;
  readonly platformCode: string;
  readonly responseCode?: number;
  readonly command: string;
}

const bytesOf = (content = '') => Buffer.from(content, 'base64').toString();

describe.each(nodemailers)('With nodemailer %s,', (version, nodemailer) => {
  describe('a message', () => {
    test('becomes an email, with every field that the service has', async () => {
      const { emulator, transporter, bodies } = setUp(nodemailer);
      const info = await transporter.sendMail({
        from: '"Gardeners, The" <hello@mail.example.com>',
        to: ['Ann <ann@example.org>', { name: 'Bö', address: 'ben@bücher.example' }],
        cc: 'cleo@example.org',
        bcc: 'dan@example.org, Eve <eve@example.org>',
        replyTo: 'Desk <desk@example.com>',
        subject: 'Grüße',
        text: 'Good day',
        html: '<p>Good day <img src="cid:logo"></p>',
        attachments: [{ filename: 'logo.png', content: Buffer.from(PNG), cid: 'logo' }],
        list: { unsubscribe: ['https://example.com/u', 'u@example.com'], help: 'https://example.com/h' },
        inReplyTo: 'question@example.org',
        references: ['first@example.org', '<question@example.org>'],
        messageId: '<answer@mail.example.com>',
        priority: 'high',
        xMailer: 'Shed 2',
        headers: { 'X-Order': '12', 'X-Greeting': 'Grüß Gott' },
        category: 'orders',
        customVariables: { order: 12 },
      });
      const [first] = emulator.messages();
      expect(first).toMatchObject({
        from: 'hello@mail.example.com',
        subject: 'Grüße',
        text: 'Good day',
        html: '<p>Good day <img src="cid:logo"></p>',
        category: 'orders',
        customVariables: { order: 12 },
        stream: 'transactional',
      });
      expect(first?.headers).toEqual({
        'X-Order': '12',
        'X-Greeting': expect.stringMatching(/^=\?UTF-8\?/) as string,
        'In-Reply-To': '<question@example.org>',
        References: '<first@example.org> <question@example.org>',
        'Message-ID': '<answer@mail.example.com>',
        'X-Mailer': 'Shed 2',
        'X-Priority': '1 (Highest)',
        'X-Msmail-Priority': 'High',
        Importance: 'High',
        'List-Unsubscribe': '<https://example.com/u>, <mailto:u@example.com>',
        'List-Help': '<https://example.com/h>',
      });
      expect(first?.attachments).toEqual([
        {
          filename: 'logo.png',
          type: 'image/png',
          disposition: 'inline',
          contentId: 'logo',
          content: Buffer.from(PNG).toString('base64'),
        },
      ]);
      expect(bodies[0]).toMatchObject({
        from: { email: 'hello@mail.example.com', name: 'Gardeners, The' },
        reply_to: { email: 'desk@example.com', name: 'Desk' },
        to: [
          { email: 'ann@example.org', name: 'Ann' },
          { email: 'ben@xn--bcher-kva.example', name: 'Bö' },
        ],
        bcc: [{ email: 'dan@example.org' }, { email: 'eve@example.org', name: 'Eve' }],
      });
      const recipients = [
        'ann@example.org',
        'ben@xn--bcher-kva.example',
        'cleo@example.org',
        'dan@example.org',
        'eve@example.org',
      ];
      expect(info).toEqual({
        messageId: first?.id,
        messageIds: emulator.messages().map(({ id }) => id),
        envelope: { from: 'hello@mail.example.com', to: recipients },
        accepted: recipients,
        rejected: [],
        response: 'accepted',
      });
    });

    test('has its content from files, streams, addresses, data URLs and encodings', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      await transporter.sendMail({
        ...mail,
        text: { path: file },
        html: Readable.from([Buffer.from('<p>streamed</p>')]),
        attachments: [
          { path: file },
          { filename: 'a.txt', content: createReadStream(file) },
          { path: url },
          { href: url, filename: 'b.txt' },
          { path: 'data:text/plain;base64,aGVsbG8=', filename: 'c.txt' },
          { filename: 'd.txt', content: '68656c6c6f', encoding: 'hex' },
          { filename: 'e.txt', content: 'hällo' },
          { filename: 'f.txt', content: '' },
          { filename: 'g.txt', content: 'aGVsbG8=', encoding: 'base64' },
        ],
      });
      const [email] = emulator.messages();
      expect([email?.text, email?.html]).toEqual(['from a file', '<p>streamed</p>']);
      expect(email?.attachments.map(({ filename, content }) => [filename, bytesOf(content)])).toEqual([
        ['notes.txt', 'from a file'],
        ['a.txt', 'from a file'],
        ['web.txt', 'from the web'],
        ['b.txt', 'from the web'],
        ['c.txt', 'hello'],
        ['d.txt', 'hello'],
        ['e.txt', 'hällo'],
        ['f.txt', ''],
        ['g.txt', 'hello'],
      ]);
    });

    test('has its content from bytes of any kind, numbers, and a single attachment', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      const bytes = new TextEncoder().encode('hällo');
      await transporter.sendMail({
        ...mail,
        subject: 7,
        text: bytes,
        html: { content: Buffer.from('<p>7</p>') },
        attachments: { filename: 'a.txt', content: Buffer.from('one') },
        alternatives: { filename: 'b.txt', content: bytes },
      });
      await transporter.sendMail({ ...mail, text: 7, attachments: [{ filename: 'c.txt', content: bytes }] });
      const emails = emulator.messages();
      expect(emails.map(({ subject, text, html }) => [subject, text, html])).toEqual([
        ['7', 'hällo', '<p>7</p>'],
        ['Hi', '7', null],
      ]);
      expect(emails.flatMap(({ attachments }) => attachments.map(({ content }) => bytesOf(content)))).toEqual(
        ['one', 'hällo', 'hällo'],
      );
    });

    test('to a group goes to its members, and to each only once', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      const { accepted } = await transporter.sendMail({
        ...mail,
        to: 'Team: ann@example.org, Ben <ben@example.org>;, ANN@example.org',
        cc: 'Ben <ben@example.org>, cleo@example.org',
        bcc: 'cleo@example.org',
      });
      expect(emulator.messages().map(({ field, to }) => [field, to])).toEqual([
        ['to', 'ann@example.org'],
        ['to', 'ben@example.org'],
        ['cc', 'cleo@example.org'],
      ]);
      expect(accepted).toEqual(['ann@example.org', 'ben@example.org', 'cleo@example.org']);
    });

    test('with several reply addresses has them in a header', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      await transporter.sendMail({ ...mail, replyTo: ['ann@example.org', 'Bö <ben@example.org>'] });
      const [email] = emulator.messages();
      expect(email?.headers['Reply-To']).toMatch(/^ann@example\.org, =\?UTF-8\?.+\?= <ben@example\.org>$/);
    });

    test('may have its subject and its recipients in headers', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      const headers = [
        { key: 'to', value: 'Ann <ann@example.org>' },
        { key: 'Subject', value: 'Hi' },
        { key: 'Message-Id', value: 'own@mail.example.com' },
      ];
      await transporter.sendMail({ from: mail.from, text: 'Hi.', headers });
      expect(emulator.messages()).toMatchObject([
        {
          to: 'ann@example.org',
          subject: 'Hi',
          headers: { 'Message-ID': '<own@mail.example.com>' },
        },
      ]);
    });

    test('has no Message-ID of nodemailer: the service writes it', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      await transporter.sendMail(mail);
      expect(emulator.messages()[0]?.headers).toEqual({});
    });

    test('has an event as an attachment with its method, and alternatives as attachments', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      const event = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR';
      await transporter.sendMail({
        ...mail,
        icalEvent: { method: 'request', content: event },
        alternatives: [
          { contentType: 'text/calendar; method=CANCEL', content: Buffer.from(event) },
          { contentType: 'text/markdown', filename: 'mail.md', content: '**Hi.**' },
        ],
      });
      await transporter.sendMail({ ...mail, icalEvent: event });
      expect(
        emulator
          .messages()
          .flatMap(({ attachments }) =>
            attachments.map(({ filename, type, content }) => [filename, type, bytesOf(content)]),
          ),
      ).toEqual([
        ['invite.ics', 'text/calendar; charset=utf-8; method=REQUEST', event],
        ['invite.ics', 'text/calendar; method=CANCEL', event],
        ['mail.md', 'text/markdown', '**Hi.**'],
        ['invite.ics', 'text/calendar; charset=utf-8; method=PUBLISH', event],
      ]);
    });

    test('has an image inline if it has a cid, and otherwise as its contentDisposition says', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      await transporter.sendMail({
        ...mail,
        html: '<img src="data:image/png;base64,iVBORw==">',
        attachDataUrls: true,
        attachments: [
          { filename: 'a.png', content: 'a', cid: 'a' },
          { filename: 'b.pdf', content: 'b', cid: 'b' },
          { filename: 'c.png', content: 'c', cid: 'c', contentDisposition: 'attachment' },
          { filename: 'd.pdf', content: 'd', contentDisposition: 'inline' },
        ],
      });
      const [email] = emulator.messages();
      expect(email?.attachments.map(({ disposition }) => disposition)).toEqual([
        'inline',
        'attachment',
        'attachment',
        'inline',
        'inline',
      ]);
      expect(email?.html).toMatch(/^<img src="cid:[\da-f]+@localhost">$/);
      expect(email?.html).toContain(email?.attachments.at(-1)?.contentId);
    });

    test('goes out on its own stream, or the transport\u2019s', async () => {
      const { emulator, transporter } = setUp(nodemailer, { transport: { stream: 'bulk' } });
      await transporter.sendMail(mail);
      await transporter.sendMail({ ...mail, stream: 'transactional' });
      await transporter.sendMail({ ...mail, stream: 'sandbox' });
      expect(emulator.messages().map(({ stream }) => stream)).toEqual(['bulk', 'transactional', 'sandbox']);
    });

    test('may be a template of the service; text is left to plugins', async () => {
      const { emulator, client, transporter } = setUp(nodemailer);
      const { uuid } = await client.templates.create({
        name: 'Welcome',
        category: 'a',
        subject: 'Hello {{name}}',
        body_text: 'Hello {{name}}.',
      });
      const { from, to } = mail;
      await transporter.sendMail({ from, to, template: { uuid, variables: { name: 'Ann' } } });
      await transporter.sendMail({ ...mail, template: 'welcome', context: { name: 'Ben' } });
      expect(emulator.messages().map(({ subject }) => subject)).toEqual(['Hello Ann', 'Hi']);
      const error = await rejection(
        transporter.sendMail({ from, to, template: { id: 7 } }),
        InvalidRequestError,
      );
      expect(error.issues).toEqual([
        { path: 'template.uuid', message: 'is required' },
        { path: 'template.id', message: 'is not a known field' },
      ]);
    });

    test('has the defaults of the client and of the transporter', async () => {
      const { emulator, transporter } = setUp(nodemailer, {
        client: { defaults: { from: 'hello@mail.example.com' } },
        defaults: { category: 'letters', headers: { 'X-A': '1' } },
      });
      await transporter.sendMail({ to: mail.to, subject: 'Hi', text: 'Hi.' });
      expect(emulator.messages()).toMatchObject([
        { from: mail.from, category: 'letters', headers: { 'X-A': '1' } },
      ]);
    });

    test('is not changed by what plugins add to its headers, but has them', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      transporter.use('stream', (one, done) => {
        one.message.addHeader('X-Plugin', 'late');
        done();
      });
      await transporter.sendMail(mail);
      expect(emulator.messages()[0]?.headers).toEqual({ 'X-Plugin': 'late' });
    });
  });

  describe('refused by name, before anything is sent, is', () => {
    const valueOf: Readonly<Record<string, unknown>> = {
      raw: 'Subject: Hi\r\n\r\nHi.',
      date: new Date(0),
      sender: 'ann@example.org',
      dkim: { domainName: 'example.com', keySelector: 'a', privateKey: 'b' },
      auth: { user: 'ann', pass: 'secret' },
    };
    const refused = (table: typeof MESSAGE_FIELDS) =>
      Object.keys(table).filter((name) => table[name]?.treatment.startsWith('refused'));
    test.each(refused(MESSAGE_FIELDS))('%s', async (name) => {
      const { emulator, transporter } = setUp(nodemailer);
      const error = await rejection(
        transporter.sendMail({ ...mail, [name]: valueOf[name] ?? { content: 'x' } }),
        InvalidRequestError,
      );
      const { treatment, text } = MESSAGE_FIELDS[name] ?? expect.fail('no such field');
      const wayOut =
        treatment === 'refused'
          ? ''
          : '; to send without it, name it in the option `ignore` of the transport';
      expect(error.issues).toEqual([{ path: name, message: text + wayOut }]);
      expect(sent(emulator)).toEqual([]);
    });

    test.each(Object.keys(IGNORABLE_FIELDS) as IgnorableField[])(
      'but %s is ignored where the transport says so',
      async (name) => {
        const { emulator, transporter } = setUp(nodemailer, { transport: { ignore: [name] } });
        const missing = `${folder}/missing.txt`;
        const value = ['amp', 'watchHtml'].includes(name)
          ? { path: missing }
          : (valueOf[name] ?? { content: 'x' });
        await transporter.sendMail({ ...mail, [name]: value });
        expect(emulator.messages()).toMatchObject([{ subject: 'Hi', text: 'Hi.', html: null, headers: {} }]);
        expect(emulator.messages()[0]?.attachments).toEqual([]);
      },
    );

    test('a date, unless it is that of the service', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      const now = Date.now();
      for (const date of [
        new Date(now),
        new Date(now - 50_000).toUTCString(),
        new Date(now + 50_000).toISOString(),
      ]) {
        await transporter.sendMail({ ...mail, date });
      }
      expect(emulator.messages().map(({ headers }) => headers)).toEqual([{}, {}, {}]);
      for (const date of [new Date(now - 120_000), new Date(now + 120_000), 'tomorrow', {}]) {
        const error = await rejection(transporter.sendMail({ ...mail, date }), InvalidRequestError);
        expect(error.issues.map(({ path }) => path)).toEqual(['date']);
      }
      expect(sent(emulator)).toHaveLength(3);
    });

    test.each(refused(PART_FIELDS))('%s of a part', async (name) => {
      const { emulator, transporter } = setUp(nodemailer);
      const part = { filename: 'a', content: 'x', [name]: name === 'headers' ? { 'X-A': 'b' } : 'A: b' };
      const error = await rejection(
        transporter.sendMail({
          ...mail,
          html: part,
          attachments: [part],
          alternatives: [part],
          icalEvent: part,
        }),
        InvalidRequestError,
      );
      expect(error.issues.map(({ path }) => path)).toEqual(
        ['html', 'icalEvent', 'attachments[0]', 'alternatives[0]'].map((path) => `${path}.${name}`),
      );
      expect(sent(emulator)).toEqual([]);
    });

    test.each<[string, Message, string]>([
      ['a second sender', { from: ['a@mail.example.com', 'b@mail.example.com'] }, 'from'],
      [
        'an alternative without a name',
        { alternatives: [{ contentType: 'text/x', content: 'x' }] },
        'alternatives[0].filename',
      ],
      ['an envelope for others', { envelope: { from: mail.from, to: 'ben@example.org' } }, 'envelope'],
      ['an envelope without a sender', { envelope: { to: mail.to } }, 'envelope'],
      ['more in an envelope', { envelope: { from: mail.from, to: mail.to, size: 7 } }, 'envelope.size'],
      [
        'a Buffer that was JSON',
        { attachments: [{ filename: 'a', content: { type: 'Buffer', data: [1] } }] },
        'attachments[0].content',
      ],
      ['a body that is no content', { html: { type: 'Buffer', data: [1] } }, 'html.content'],
      ['an attachment of nothing', { attachments: [{ filename: 'a' }] }, 'attachments[0].content'],
      ['a header twice', { headers: { 'X-A': ['1', '2'] } }, 'headers.X-A'],
      ['a header of the whole message', { headers: { 'Content-Type': 'text/x' } }, 'headers.content-type'],
      ['the header Date', { headers: [{ key: 'Date', value: 'now' }] }, 'headers.date'],
      ...[
        'template_uuid',
        'template_variables',
        'custom_variables',
        'reply_to',
        'idempotency_key',
        'IdempotencyKey',
        'metadata',
        'tag',
        'attachment',
      ].map((name): [string, Message, string] => [`the client’s field ${name}`, { [name]: 'a' }, name]),
      ...['type', 'content_type', 'content_id', 'contentID'].map((name): [string, Message, string] => [
        `an attachment’s ${name}`,
        { attachments: [{ filename: 'a', content: 'a', [name]: 'image/png' }] },
        `attachments[0].${name}`,
      ]),
    ])('%s', async (_, fields, path) => {
      const { emulator, transporter } = setUp(nodemailer);
      const error = await rejection(transporter.sendMail({ ...mail, ...fields }), InvalidRequestError);
      expect(error.issues.map((issue) => issue.path)).toEqual([path]);
      expect(error.message).toMatch(/^sendMail was not sent: /);
      expect(sent(emulator)).toEqual([]);
    });

    test('a message that the service would refuse, with the names of its fields', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      const error = await rejection(
        transporter.sendMail({
          ...mail,
          subject: '',
          category: 'x'.repeat(256),
          customVariables: { long: 'x'.repeat(1000) },
          attachments: [
            { filename: 'a', content: 'a', cid: 'a', contentDisposition: 'inline', contentType: 'a\nb' },
          ],
        }),
        InvalidRequestError,
      );
      expect(error.issues.map(({ path }) => path).sort()).toEqual([
        'attachments[0].contentType',
        'category',
        'customVariables',
        'subject',
      ]);
      const template = { uuid: 'no uuid', variables: [] };
      const { message } = await rejection(transporter.sendMail({ ...mail, template }), InvalidRequestError);
      expect(message).toMatch(/^sendMail was not sent: .*\btemplate\.uuid: must be a UUID/);
      expect(sent(emulator)).toEqual([]);
    });

    test('everything at once', async () => {
      const { transporter } = setUp(nodemailer);
      const error = await rejection(
        transporter.sendMail({
          ...mail,
          date: new Date(0),
          amp: '<html amp4email>',
          headers: { 'X-A': ['1', '2'] },
        }),
        InvalidRequestError,
      );
      expect(error.issues.map(({ path }) => path)).toEqual(['date', 'amp', 'headers.X-A']);
    });

    test('but not an envelope that says what the headers say', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      await transporter.sendMail({
        ...mail,
        bcc: 'ben@example.org',
        envelope: { from: 'Hello <hello@MAIL.example.com>', to: ['ben@example.org', 'ann@example.org'] },
      });
      expect(emulator.messages()).toHaveLength(2);
    });
  });

  describe('an error has what programs for nodemailer look at:', () => {
    const failing = (fault: Parameters<Emulator['faults']['next']>[0]) => (emulator: Emulator) =>
      emulator.faults.next(fault);
    const status = (code: number, body?: unknown) =>
      failing({ kind: 'status', status: code, times: Infinity, ...(body !== undefined && { body }) });

    test.each<[string, new (...args: never[]) => EmailPlatformError, (emulator: Emulator) => void, object]>([
      ['401', AuthenticationError, status(401), { code: 'EAUTH', responseCode: 535 }],
      ['403', PermissionDeniedError, status(403), { code: 'EAUTH', responseCode: 535 }],
      [
        '400 about a recipient',
        BadRequestError,
        status(400, { errors: ["'to' address is invalid"] }),
        { code: 'EENVELOPE', responseCode: 550, reason: 'recipient' },
      ],
      ['400', BadRequestError, status(400, { errors: ['no'] }), { code: 'EMESSAGE', responseCode: 554 }],
      ['413', EmailPlatformError, status(413), { code: 'EMESSAGE', responseCode: 552 }],
      ['429', RateLimitError, status(429), { code: 'EMESSAGE', responseCode: 421, isRetryable: true }],
      ['500', ServerError, status(500), { code: 'EMESSAGE', responseCode: undefined, effect: 'unknown' }],
      [
        'a lost response',
        ConnectionError,
        failing({ kind: 'reset-after' }),
        { code: 'ESOCKET', responseCode: undefined, effect: 'unknown' },
      ],
      [
        'a page',
        ResponseFormatError,
        failing({ kind: 'html', status: 200 }),
        { code: 'EPROTOCOL', effect: 'unknown' },
      ],
    ])('%s', async (_, Class, prepare, fields) => {
      const { emulator, transporter } = setUp(nodemailer, { client: { retry: false } });
      prepare(emulator);
      const error = await rejection(transporter.sendMail(mail), Class);
      expect({ responseCode: undefined, ...error.toJSON() }).toMatchObject({ command: 'API', ...fields });
      expect((error as unknown as Codes).platformCode).toMatch(/^[a-z_]+$/);
    });

    test('a code for a problem found before anything was sent', async () => {
      const { transporter } = setUp(nodemailer, { client: { recipients: { allow: ['@example.com'] } } });
      const codes = async (message: Message) => {
        const error = await rejection(transporter.sendMail(message), EmailPlatformError);
        return [
          error.name,
          error.effect,
          (error as unknown as Codes).code,
          (error as unknown as Codes).responseCode,
        ];
      };
      expect(await codes(mail)).toEqual([RecipientRefusedError.name, 'none', 'EENVELOPE', 550]);
      expect(await codes({ ...mail, to: [] })).toEqual(['InvalidRequestError', 'none', 'EENVELOPE', 554]);
      expect(await codes({ ...mail, subject: '' })).toEqual(['InvalidRequestError', 'none', 'EMESSAGE', 554]);
      expect(await codes({ ...mail, text: { path: `${file}.missing` } })).toEqual([
        'InvalidRequestError',
        'none',
        expect.stringMatching(/^(ENOENT|EFILEACCESS|ESTREAM)$/),
        554,
      ]);
    });

    test('a timeout, and an option that is missing', async () => {
      const late = setUp(nodemailer, { client: { retry: false, timeoutMs: 20 } });
      late.emulator.faults.next({ kind: 'stall' });
      expect(await rejection(late.transporter.sendMail(mail), TimeoutError)).toMatchObject({
        code: 'ETIMEDOUT',
        platformCode: 'timeout',
      });
      const { token, hosts } = late.emulator.clientOptions();
      const client = new EmailPlatform({ token, hosts: { api: hosts.api } });
      const transporter = nodemailer.createTransport(emailPlatformTransport({ client }));
      expect(await rejection(transporter.sendMail(mail), ConfigurationError)).toMatchObject({
        code: 'ECONFIG',
        option: 'hosts.send',
      });
    });
  });

  test('a callback gets the result, or the error, once', async () => {
    const { emulator, transporter } = setUp(nodemailer);
    const call = () =>
      new Promise((resolve) => transporter.sendMail(mail, (error, info) => resolve(error ?? info)));
    expect(await call()).toMatchObject({ rejected: [] });
    emulator.faults.next({ kind: 'status', status: 401 });
    expect(await call()).toBeInstanceOf(AuthenticationError);
  });

  test('verify asks the service, and sends nothing', async () => {
    const { emulator, client, transporter } = setUp(nodemailer);
    expect(await transporter.verify()).toBe(true);
    expect(emulator.requests.map(({ method, path }) => [method, path])).toEqual([['GET', '/api/accounts']]);
    const other = emailPlatformTransport({ client: client.withOptions({ token: 'wrong' }) });
    const wrong = nodemailer.createTransport(other);
    expect(await rejection(wrong.verify(), AuthenticationError)).toMatchObject({ code: 'EAUTH' });
    const told = new Promise((resolve) =>
      wrong.verify((error, verified) => resolve([error?.name, verified])),
    );
    expect(await told).toEqual(['AuthenticationError', undefined]);
    const toldTrue = new Promise((resolve) => transporter.verify((...both) => resolve(both)));
    expect(await toldTrue).toEqual([null, true]);
  });

  describe('with a limit', () => {
    /** A client in virtual time; the service has 10 requests in 10 seconds. */
    function limited(given: EmailPlatformOptions = {}, through = (fetch: typeof globalThis.fetch) => fetch) {
      const time = new VirtualTime();
      const limit = { requests: 10, perMs: 10_000 };
      const emulator = createEmulator({
        seed: 'demo',
        limits: { token: limit },
        countSending: true,
        now: () => WALL_START + time.now(),
      });
      const client = new EmailPlatform(
        {
          ...emulator.clientOptions(),
          fetch: through(emulator.fetch),
          timeoutMs: 2_147_483_647,
          throttle: { limits: { token: limit } },
          ...given,
        },
        virtualRuntime(time),
      );
      const transporter = nodemailer.createTransport(emailPlatformTransport({ client }));
      return { time, emulator, client, transporter };
    }

    test('a loop of isIdle and the event idle sends everything, and is never refused', async () => {
      const { time, emulator, client, transporter } = limited();
      const messages = Array.from({ length: 35 }, (_, index) => ({ ...mail, subject: `Number ${index}` }));
      const results: Promise<unknown>[] = [];
      let mostWaiting = 0;
      const bursts: number[] = [];
      transporter.on('idle', () => {
        const before = messages.length;
        while (transporter.isIdle() && messages.length > 0) {
          results.push(transporter.sendMail(messages.shift() ?? {}));
          mostWaiting = Math.max(mostWaiting, client.limits.snapshot().token?.waiting ?? 0);
        }
        bursts.push(before - messages.length);
      });
      for (let turn = 0; turn < 1000 && emulator.messages().length < 35; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        mostWaiting = Math.max(mostWaiting, client.limits.snapshot().token?.waiting ?? 0);
        if (time.nextAt < 1e9) time.fireNext();
      }
      await Promise.all(results);
      expect(emulator.messages()).toHaveLength(35);
      expect(mostWaiting).toBe(0);
      expect(bursts[0]).toBe(10);
      expect(emulator.requests.every(({ status }) => status === 200)).toBe(true);
      transporter.close();
      expect(transporter.isIdle()).toBe(false);
    });

    /** A `fetch` whose responses are held back until the gate opens. */
    function gated() {
      let begun = 0;
      let open: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (open = resolve));
      const through =
        (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
        async (...request) => {
          begun += 1;
          const response = await fetch(...request);
          await gate;
          return response;
        };
      return { through, open: () => open(), begun: () => begun };
    }

    test('close ends what waits, completes what is sent, and refuses what comes after', async () => {
      const gate = gated();
      const { emulator, transporter } = limited({}, gate.through);
      const results = Array.from({ length: 12 }, () => transporter.sendMail(mail));
      const last = results.slice(10).map((one) => rejection(one, AbortedError));
      await until(() => gate.begun() === 10);
      transporter.close();
      for (const error of await Promise.all(last)) {
        expect(error).toMatchObject({ effect: 'none', code: 'EABORT', platformCode: 'aborted' });
      }
      gate.open();
      expect(await Promise.all(results.slice(0, 10))).toHaveLength(10);
      expect(await rejection(transporter.sendMail(mail), AbortedError)).toMatchObject({ effect: 'none' });
      expect(emulator.messages()).toHaveLength(10);
    });

    test.each(['before', 'after'])('close ends the wait for a retry, %s it began', async (when) => {
      const gate = gated();
      let isWaiting = false;
      const { emulator, transporter } = limited(
        { hooks: { onRetry: () => (isWaiting = true) } },
        gate.through,
      );
      emulator.faults.next({ kind: 'status', status: 429 });
      let error: unknown;
      transporter.sendMail(mail).catch((thrown: unknown) => (error = thrown));
      await until(() => gate.begun() === 1);
      if (when === 'before') transporter.close();
      gate.open();
      if (when === 'after') {
        await until(() => isWaiting);
        transporter.close();
      }
      await until(() => error !== undefined);
      expect(error).toMatchObject({ effect: 'none', code: 'EABORT' });
      expect(gate.begun()).toBe(1);
    });

    test('nothing that waits for idle keeps a timer, unless there is a listener', async () => {
      const { time, transporter } = limited();
      await time.advance(0);
      await Promise.all(Array.from({ length: 10 }, () => transporter.sendMail(mail)));
      expect(transporter.isIdle()).toBe(false);
      const before = time.pending;
      transporter.on('idle', () => undefined);
      expect(transporter.isIdle()).toBe(false);
      expect(time.pending).toBe(before + 1);
      transporter.close();
      expect(time.pending).toBe(before);
    });
  });

  test.skipIf(version.startsWith('8'))('a signal of a message ends its call', async () => {
    const { emulator, transporter } = setUp(nodemailer);
    emulator.faults.next({ kind: 'stall' });
    const controller = new AbortController();
    const fails = rejection(transporter.sendMail({ ...mail, signal: controller.signal }), AbortedError);
    await until(() => sent(emulator).length === 1);
    controller.abort(new Error('enough'));
    expect(await fails).toMatchObject({ effect: 'unknown', code: 'EABORT', cause: { message: 'enough' } });
  });

  test('a message with a key is sent once, and the second time has the ids of the first', async () => {
    const journal = createJournal(new MemoryStore());
    const { emulator, transporter } = setUp(nodemailer, { client: { journal } });
    const first = await transporter.sendMail({ ...mail, idempotencyKey: 'welcome/7' });
    const again = await transporter.sendMail({ ...mail, idempotencyKey: 'welcome/7' });
    expect(first.messageIds).toHaveLength(1);
    expect(again.messageIds).toEqual(first.messageIds);
    expect(sent(emulator)).toHaveLength(1);
    const other = transporter.sendMail({ ...mail, text: 'Something else.', idempotencyKey: 'welcome/7' });
    const error = await rejection(other, IdempotencyError);
    expect(error).toMatchObject({ code: 'EMESSAGE', platformCode: 'key_reused', responseCode: 554 });
  });

  test('plugins work before it: html-to-text and Handlebars', async () => {
    const { emulator, transporter } = setUp(nodemailer);
    writeFileSync(join(folder, 'welcome.handlebars'), '<h1>Hello {{name}}</h1>');
    const viewEngine = { partialsDir: folder, layoutsDir: folder, defaultLayout: '' };
    transporter.use('compile', handlebars({ viewEngine, viewPath: folder }));
    transporter.use('compile', htmlToText());
    const { text: _, ...noText } = mail;
    await transporter.sendMail({ ...noText, template: 'welcome', context: { name: 'Ann & Ben' } });
    expect(emulator.messages()).toMatchObject([
      { html: '<h1>Hello Ann &amp; Ben</h1>', text: expect.stringMatching(/Hello Ann & Ben/i) as string },
    ]);
  });
});

describe('Options', () => {
  test.each([
    [undefined, 'options must be an object, such as { client }'],
    [{}, 'client is required'],
    [{ client: {} }, 'client must be an EmailPlatform: pass new EmailPlatform()'],
    // A misspelt name says more than what is wrong beside it.
    [{ client: 1, strem: 'bulk' }, 'strem is not a known field; did you mean `stream`?'],
  ])('%j are refused', (options, message) => {
    expect(thrown(() => emailPlatformTransport(options as never), ConfigurationError).message).toBe(message);
  });

  test('that are the client alone are refused with their form', () => {
    const client = new EmailPlatform(createEmulator().clientOptions());
    expect(thrown(() => emailPlatformTransport(client as never), ConfigurationError).message).toBe(
      'options must be an object: pass { client }',
    );
  });

  test('that are unknown or wrong are named', () => {
    const client = new EmailPlatform(createEmulator().clientOptions());
    const told = (options: object) =>
      thrown(() => emailPlatformTransport({ client, ...options }), ConfigurationError).option;
    expect(told({ stream: 'slow' })).toBe('stream');
    expect(told({ disableFileAccess: 1 })).toBe('disableFileAccess');
    expect(told({ fromMessage: ['to'] })).toMatch(/^fromMessage\b/);
    expect(told({ ignore: 'dsn' })).toBe('ignore');
    // Recipients are never ignored, nor what an email says.
    for (const name of ['envelope', 'to', 'cc', 'bcc', 'raw', 'text'])
      expect(told({ ignore: ['dsn', name] })).toMatch(/^ignore\b/);
    expect(told({ host: 'smtp.example.com' })).toBe('host');
  });
});
