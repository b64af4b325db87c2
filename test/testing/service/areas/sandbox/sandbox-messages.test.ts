import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { mail, post } from '../../../tools/mail.ts';
import { start, still, wire } from '../../../tools/wire.ts';

const INBOX = '/api/sandboxes/2001';
const at = new Date(start).toISOString();

async function captured(fields: Record<string, unknown> = {}, options: Parameters<typeof still>[0] = {}) {
  const emulator = still(options);
  await post(emulator, fields, { host: 'sandbox' });
  const call = wire(emulator);
  const [message] = (await call('GET', `${INBOX}/messages`)).value as Record<string, unknown>[];
  const id = Number(message?.id);
  return { emulator, call, message, id, path: `${INBOX}/messages/${id}` };
}

describe('A message', () => {
  test.each([
    ['token', INBOX, 'sandbox_id'],
    ['account', '/api/accounts/1001/inboxes/2001', 'inbox_id'],
  ])('is what was sent to the inbox, one for all its recipients: %s', async (_, inbox, key) => {
    const { call, id } = await captured({
      to: [{ email: 'ann@example.org', name: 'Ann' }, { email: 'ben@example.org' }],
      cc: [{ email: 'cy@example.org' }],
      html: '<p>Grüße</p>',
    });
    const { value } = await call('GET', `${inbox}/messages`);
    expect(value).toEqual([
      {
        id,
        [key]: 2001,
        subject: 'Welcome',
        sent_at: at,
        from_email: 'hello@mail.example.com',
        from_name: 'Hello',
        to_email: 'ann@example.org, ben@example.org',
        to_name: 'Ann',
        email_size: expect.any(Number) as number,
        is_read: false,
        created_at: at,
        updated_at: at,
        template_id: null,
        template_variables: null,
        html_body_size: 14,
        text_body_size: mail.text.length,
        human_size: expect.stringMatching(/ Bytes$/) as string,
        html_path: `${inbox}/messages/${id}/body.html`,
        txt_path: `${inbox}/messages/${id}/body.txt`,
        raw_path: `${inbox}/messages/${id}/body.raw`,
        download_path: `${inbox}/messages/${id}/body.eml`,
        html_source_path: `${inbox}/messages/${id}/body.htmlsource`,
        blacklists_report_info: {
          result: 'success',
          domain: 'mail.example.com',
          ip: '203.0.113.5',
          report: [],
        },
        smtp_information: { ok: false },
      },
    ]);
    const eml = await call('GET', `${inbox}/messages/${id}/body.eml`);
    expect((value as { email_size: number }[])[0]?.email_size).toBe(
      new TextEncoder().encode(eml.text).length,
    );
  });

  test('has the id that the batch returned', async () => {
    const emulator = still();
    const call = wire(emulator);
    const sent = await call('POST', '/api/batch/2001', { host: 'sandbox', body: { requests: [mail, mail] } });
    const { responses } = sent.value as { responses: { message_ids: string[] }[] };
    const { value } = await call('GET', `${INBOX}/messages`);
    const ids = (value as { id: number }[]).map(({ id }) => String(id));
    expect(ids.reverse()).toEqual(responses.map(({ message_ids }) => message_ids[0]));
  });

  test('is marked as read and unread, and counted', async () => {
    const { call, path, emulator } = await captured();
    emulator.clock.advance(1_000);
    const later = new Date(start + 1_000).toISOString();
    const marked = await call('PATCH', path, { body: { message: { is_read: true } } });
    expect([marked.status, marked.value]).toMatchObject([
      200,
      { is_read: true, created_at: at, updated_at: later },
    ]);
    expect((await call('GET', INBOX)).value).toMatchObject({ emails_count: 1, emails_unread_count: 0 });
    await call('PATCH', path, { body: { message: { is_read: false } } });
    expect((await call('GET', INBOX)).value).toMatchObject({ emails_count: 1, emails_unread_count: 1 });
    expect((await call('PATCH', path, { body: { message: { is_read: 'yes' } } })).status).toBe(422);
    expect((await call('PATCH', path, { body: {} })).status).toBe(400);
  });

  test('is deleted: 200 and the message', async () => {
    const { call, path, id } = await captured();
    const deleted = await call('DELETE', path);
    expect([deleted.status, deleted.value]).toMatchObject([200, { id }]);
    const gone = await call('GET', path);
    expect([gone.status, gone.text]).toEqual([404, '{"error":"Not Found"}']);
    expect((await call('GET', INBOX)).value).toMatchObject({ emails_count: 0, sent_messages_count: 1 });
  });

  test('belongs to its inbox, and to its account', async () => {
    const { call, emulator, id, path } = await captured();
    const other = emulator.sandbox.add();
    expect((await call('GET', `/api/sandboxes/${other}/messages/${id}`)).status).toBe(404);
    const token = emulator.createToken({ accountId: 77 });
    expect((await call('GET', path, { token })).status).toBe(404);
    expect((await call('GET', `${INBOX}/messages`, { token })).status).toBe(404);
    const none = emulator.createToken({ permissions: { sandbox: 'none' } });
    expect((await call('GET', path, { token: none })).status).toBe(403);
    const viewer = emulator.createToken({ permissions: { sandbox: 'viewer' } });
    expect((await call('GET', path, { token: viewer })).status).toBe(200);
    expect((await call('DELETE', path, { token: viewer })).status).toBe(403);
  });
});

describe('The list', () => {
  test('is newest first, 30 a page, by last_id or else by page, and searched', async () => {
    const emulator = still();
    const call = wire(emulator);
    const requests = Array.from({ length: 65 }, (_, number) => ({
      ...mail,
      to: [{ email: `reader${number}@example.org`, name: number === 9 ? 'Nina' : 'Reader' }],
    }));
    await call('POST', '/api/batch/2001', { host: 'sandbox', body: { requests } });
    const list = async (query: string) =>
      (await call('GET', `${INBOX}/messages${query}`)).value as { id: number; to_email: string }[];
    const first = await list('');
    expect(first).toHaveLength(30);
    expect(first[0]?.to_email).toBe('reader64@example.org');
    const second = await list(`?last_id=${first[29]?.id}`);
    expect(second[0]?.to_email).toBe('reader34@example.org');
    expect(await list('?page=2')).toEqual(second);
    expect(await list(`?page=9&last_id=${first[29]?.id}`)).toEqual(second);
    expect(await list('?page=3')).toHaveLength(5);
    expect(await list('?page=4')).toEqual([]);
    expect((await list('?search=NINA')).map(({ to_email }) => to_email)).toEqual(['reader9@example.org']);
    expect(await list('?search=reader1@')).toHaveLength(1);
    expect(await list('?search=welc')).toHaveLength(30);
    expect(await list('?search=nothing')).toEqual([]);
  });

  test('the oldest make room', async () => {
    const emulator = still({ sandbox: { maxSize: 2 } });
    const call = wire(emulator);
    for (const subject of ['One', 'Two', 'Three']) await post(emulator, { subject }, { host: 'sandbox' });
    const { value } = await call('GET', `${INBOX}/messages`);
    expect((value as { subject: string }[]).map(({ subject }) => subject)).toEqual(['Three', 'Two']);
    expect((await call('GET', INBOX)).value).toMatchObject({
      max_size: 2,
      emails_count: 2,
      sent_messages_count: 3,
    });
  });
});

describe('Bodies', () => {
  test('text/plain, text/html and message/rfc822, with a file name', async () => {
    const { call, path } = await captured({ subject: 'A "quoted"/subject', html: '<p>Hi</p>' });
    const seen = await Promise.all(
      ['txt', 'html', 'htmlsource', 'raw', 'eml'].map(async (part) => {
        const { status, headers, text } = await call('GET', `${path}/body.${part}`);
        return [part, status, headers.get('content-type'), text];
      }),
    );
    const { text: eml, headers } = await call('GET', `${path}/body.eml`);
    expect(seen).toEqual([
      ['txt', 200, 'text/plain; charset=utf-8', mail.text],
      ['html', 200, 'text/html; charset=utf-8', '<p>Hi</p>'],
      ['htmlsource', 200, 'text/html; charset=utf-8', '<p>Hi</p>'],
      ['raw', 200, 'text/plain; charset=utf-8', eml],
      ['eml', 200, 'message/rfc822', eml],
    ]);
    expect(headers.get('content-disposition')).toBe('attachment; filename="A _quoted__subject.eml"');
  });

  test('409 in text/plain for a part that there is not, or 404', async () => {
    const { call, path } = await captured();
    const { status, headers, text } = await call('GET', `${path}/body.html`);
    expect([status, headers.get('content-type'), text]).toEqual([
      409,
      'text/plain; charset=utf-8',
      'Conflict',
    ]);
    const other = await captured({}, { sandbox: { missingPart: 'not-found' } });
    expect((await other.call('GET', `${other.path}/body.html`)).status).toBe(404);
    expect((await call('GET', `${path}0/body.txt`)).text).toBe('{"error":"Not Found"}');
  });
});

describe('The eml', () => {
  const bytes = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256);
  const content = Buffer.from(bytes).toString('base64');
  const long = 'Grüße an alle Gärtnerinnen und Gärtner 🌷 '.repeat(6).trim();

  test('is read by a mail parser as what was sent', async () => {
    const { call, path } = await captured({
      from: { email: 'hello@mail.example.com', name: 'Doe, "Ann" \\ Söhne' },
      to: [
        { email: 'ann@example.org', name: 'Müller, Ann' },
        { email: 'ben@example.org', name: 'Ben, B.' },
      ],
      cc: [{ email: 'cy@example.org' }],
      bcc: [{ email: 'dee@example.org' }],
      reply_to: { email: 'help@mail.example.com', name: 'Help' },
      subject: long,
      text: 'Grüße\r\nvon uns 🌷',
      html: `<p>Grüße ${'x'.repeat(2_000)}</p>`,
      headers: { 'X-Campaign': 'Frühling', 'List-Unsubscribe': '<https://shop.example.com/u>' },
      attachments: [
        { filename: 'Rechnung "März".pdf', type: 'application/pdf', content },
        { filename: 'a "b".txt', content: '' },
        { filename: 'logo.png', type: 'image/png', content, disposition: 'inline', content_id: 'logo' },
      ],
    });
    const response = await call('GET', `${path}/body.eml`);
    const parsed = await PostalMime.parse(response.text);
    expect(parsed).toMatchObject({
      from: { address: 'hello@mail.example.com', name: 'Doe, "Ann" \\ Söhne' },
      to: [
        { address: 'ann@example.org', name: 'Müller, Ann' },
        { address: 'ben@example.org', name: 'Ben, B.' },
      ],
      cc: [{ address: 'cy@example.org' }],
      replyTo: [{ address: 'help@mail.example.com', name: 'Help' }],
      subject: long,
      date: at,
    });
    expect(parsed.bcc ?? []).toEqual([]);
    expect(parsed.text?.trim()).toBe('Grüße\r\nvon uns 🌷');
    expect(parsed.html?.trim()).toBe(`<p>Grüße ${'x'.repeat(2_000)}</p>`);
    const header = (key: string) => parsed.headers.find((one) => one.key === key)?.value;
    expect(header('list-unsubscribe')).toBe('<https://shop.example.com/u>');
    const files = parsed.attachments.map(({ filename, mimeType, disposition, contentId, content: body }) => [
      filename,
      mimeType,
      disposition,
      contentId,
      new Uint8Array(body as ArrayBuffer),
    ]);
    expect(files).toEqual([
      ['Rechnung "März".pdf', 'application/pdf', 'attachment', undefined, bytes],
      ['a "b".txt', 'application/octet-stream', 'attachment', undefined, new Uint8Array()],
      ['logo.png', 'image/png', 'inline', '<logo>', bytes],
    ]);
    for (const line of response.text.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
  });

  test('mail_headers has its headers by name, and bcc', async () => {
    const { call, path, id } = await captured({
      bcc: [{ email: 'dee@example.org' }],
      headers: { 'X-Shop-Id': '7' },
    });
    const { status, value } = await call('GET', `${path}/mail_headers`);
    expect([status, value]).toEqual([
      200,
      {
        headers: {
          date: 'Sat, 31 Jan 2026 12:00:00 +0000',
          from: 'Hello <hello@mail.example.com>',
          to: 'ann@example.org',
          subject: 'Welcome',
          message_id: `<${id}@mail.example.com>`,
          x_shop_id: '7',
          mime_version: '1.0',
          content_type: 'text/plain; charset=UTF-8',
          bcc: 'dee@example.org',
        },
      },
    ]);
  });
});

describe('Reports', () => {
  test.each<[string, Record<string, unknown>, object]>([
    ['an ordinary message', {}, { Score: 0, Spam: false, ResponseMessage: 'Not spam', Details: [] }],
    [
      'HTML only, in capitals',
      { text: undefined, html: '<p>Hi</p>', subject: 'BUY NOW' },
      { Score: 1.2, Spam: false, Details: [{ Pts: '0.7' }, { Pts: '0.5', RuleName: 'SUBJ_ALL_CAPS' }] },
    ],
    [
      'the test text of spam filters',
      { text: 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X' },
      { Score: 1000, Spam: true, ResponseMessage: 'Spam', Threshold: 5 },
    ],
  ])('spam_report of %s', async (_, fields, report) => {
    const { call, path } = await captured(fields);
    expect((await call('GET', `${path}/spam_report`)).value).toMatchObject({ report });
  });

  test('analyze, with and without HTML', async () => {
    const { call, path } = await captured({ html: '<p>Hi</p>' });
    expect((await call('GET', `${path}/analyze`)).value).toEqual({
      report: { status: 'success', errors: [] },
    });
    const other = await captured();
    expect((await other.call('GET', `${other.path}/analyze`)).value).toMatchObject({
      report: { status: 'error' },
    });
  });

  test('forward: 200 with success, counted; 422 without an address', async () => {
    const { call, path } = await captured();
    const { status, value } = await call('POST', `${path}/forward`, { body: { email: 'me@example.com' } });
    expect([status, value]).toMatchObject([200, { success: true, message: expect.any(String) as string }]);
    expect((await call('POST', `${path}/forward`, { body: {} })).status).toBe(422);
    expect((await call('GET', INBOX)).value).toMatchObject({ forwarded_messages_count: 1 });
  });
});

describe('Attachments', () => {
  const file = { filename: 'a.bin', content: 'AAEC/w==' };

  test('are described, and downloaded by their path without a token', async () => {
    const { call, path, id, emulator } = await captured({
      attachments: [file, { ...file, disposition: 'inline' }],
    });
    const { value } = await call('GET', `${path}/attachments`);
    const [first, second] = value as { id: number; download_path: string }[];
    expect(first).toEqual({
      id: expect.any(Number) as number,
      message_id: id,
      filename: 'a.bin',
      attachment_type: 'attachment',
      content_type: 'application/octet-stream',
      content_id: '',
      transfer_encoding: 'base64',
      attachment_size: 4,
      created_at: at,
      updated_at: at,
      attachment_human_size: '4 Bytes',
      download_path: expect.stringMatching(/^\/api\/testing_message_parts\/[\w.]+\/download$/) as string,
    });
    expect((await call('GET', `${path}/attachments?attachment_type=inline`)).value).toEqual([second]);
    expect((await call('GET', `${path}/attachments/${first?.id}`)).value).toEqual(first);
    expect((await call('GET', `${path}/attachments/1`)).status).toBe(404);
    const address = emulator.clientOptions().hosts.api + (first?.download_path ?? '');
    const response = await emulator.fetch(address);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(Uint8Array.of(0, 1, 2, 255));
    const sealed = address.replace(
      /([\da-f])\/download/,
      (_, digit: string) => `${digit === '0' ? 1 : 0}/download`,
    );
    expect((await emulator.fetch(sealed)).status).toBe(404);
    await call('DELETE', path);
    expect((await emulator.fetch(address)).status).toBe(404);
  });

  test('a type that is not valid in a header does not break the download', async () => {
    const { call, path, emulator } = await captured({ attachments: [{ ...file, type: 'text/ä\r\nx: y' }] });
    const { value } = await call('GET', `${path}/attachments`);
    const [{ download_path } = { download_path: '' }] = value as { download_path: string }[];
    const response = await emulator.fetch(emulator.clientOptions().hosts.api + download_path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/x: y']);
  });
});
