import {
  type EmailPlatform,
  AbortedError,
  InvalidRequestError,
  TimeoutError,
  type EmailPlatformOptions,
  type SendParams,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { json, refusedConnection, scriptedFetch, type Turn } from '../../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../../support/virtual-client.ts';

const from = { email: 'hello@mail.example.com' };
const to = [{ email: 'ann@example.org' }];
const mail = { from, to, subject: 'Hi', text: 'Hello' } satisfies SendParams;
const accepted = json(200, { success: true, message_ids: ['a'] });
const throttled = json(429, { errors: ['Throttled'] }, { 'retry-after': '1' });

function setUp(turns: [Turn, ...Turn[]] = [accepted], options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(...turns);
  const { client, time } = virtualClient({ fetch, hosts: { send: 'https://send.test' }, ...options });
  const bodies = () => sent.map(({ body }) => JSON.parse(body) as SendParams);
  return { sending: client.sending, sent, time, bodies };
}

/** An email with these contents attached, named a, b, c, … */
const attaching = (...contents: EmailPlatform.AttachmentContent[]) => ({
  ...mail,
  attachments: contents.map((content, at) => ({ filename: String.fromCharCode(97 + at), content })),
});

/** A stream that records whether it was read and cancelled. */
function watched(text: string, end: 'close' | 'stall' | Error = 'close') {
  const seen = { pulls: 0, cancelled: false };
  const content = new ReadableStream<Uint8Array>(
    {
      pull(controller): void | Promise<void> {
        seen.pulls += 1;
        if (seen.pulls === 1) controller.enqueue(new TextEncoder().encode(text));
        else if (end === 'close') controller.close();
        else if (end === 'stall') return new Promise(() => undefined);
        else controller.error(end);
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { content, seen };
}

describe('Attachments', () => {
  test('in every form arrive as base64, in order', async () => {
    const emulator = createEmulator();
    const { client } = virtualClient(emulator.clientOptions());
    const bytes = new TextEncoder().encode('bytes');
    const blob = new Blob(['blob']);
    await client.sending.send(
      attaching('dGV4dA==', bytes, bytes.buffer, blob, new File(['file'], 'f'), watched('stream').content),
    );
    const [message] = emulator.messages();
    expect(message?.attachments.map(({ filename, content }) => [filename, atob(content)])).toEqual([
      ['a', 'text'],
      ['b', 'bytes'],
      ['c', 'bytes'],
      ['d', 'blob'],
      ['e', 'file'],
      ['f', 'stream'],
    ]);
    expect(message?.subject).toBe('Hi');
  });

  test('leave the rest of the email as it is', async () => {
    const { sending, bodies, sent } = setUp();
    const file = {
      filename: 'ü"\\.txt',
      type: 'text/plain',
      disposition: 'inline',
      content_id: 'x',
    } as const;
    await sending.send({
      ...mail,
      attachments: [{ ...file, content: new Uint8Array([1]) }],
      html: undefined,
    });
    expect(bodies()).toEqual([{ ...mail, attachments: [{ ...file, content: 'AQ==' }] }]);
    expect(sent[0]?.headers.get('content-type')).toBe('application/json');
  });

  test('in a batch may be in the base and in each email', async () => {
    const { sending, bodies } = setUp([json(200, { success: true, responses: [] })]);
    const attach = (text: string) => ({
      attachments: [
        { filename: 'a', content: new Blob([text]) },
        { filename: 'b', content: 'YmFzZQ==' },
      ],
    });
    await sending.batch({ base: { from, ...attach('base') }, requests: [{ to }, { to, ...attach('mail') }] });
    const encoded = (content: string) => ({
      attachments: [
        { filename: 'a', content },
        { filename: 'b', content: 'YmFzZQ==' },
      ],
    });
    expect(bodies()).toEqual([
      { base: { from, ...encoded('YmFzZQ==') }, requests: [{ to }, { to, ...encoded('bWFpbA==') }] },
    ]);
  });

  test('with errors in a batch are left to the service', async () => {
    const { sending, bodies } = setUp([json(200, { success: true, responses: [] })]);
    const attachments = [undefined, 7, {}, { content: 5 }, { content: new Uint8Array([1]) }];
    const requests = [{ to, attachments }] as never;
    await sending.batch({ requests });
    expect(bodies()).toEqual([
      { requests: [{ to, attachments: [null, 7, {}, { content: 5 }, { content: 'AQ==' }] }] },
    ]);
  });

  test('in memory are encoded at once: later changes are not sent', async () => {
    const { sending, bodies } = setUp();
    const bytes = new TextEncoder().encode('before');
    const params = attaching(watched('stream').content, bytes);
    const promise = sending.send(params);
    bytes.fill(0);
    params.subject = 'Changed';
    await promise;
    expect(bodies()[0]).toMatchObject({ subject: 'Hi', attachments: [{}, { content: btoa('before') }] });
  });
});

describe('A stream', () => {
  test('is read once, and its bytes are sent again after a 429', async () => {
    const { sending, sent, time } = setUp([throttled, refusedConnection, accepted]);
    const { content, seen } = watched('once');
    await throughItsWaits(time, sending.send(attaching(content)));
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(sent[0]?.body).toContain(btoa('once'));
    expect(seen.pulls).toBe(2);
  });

  test('that was used before is refused', async () => {
    const { sending, sent } = setUp();
    const params = attaching(watched('once').content);
    await sending.send(params);
    const error = await rejection(sending.send(params), InvalidRequestError);
    expect(error.issues).toEqual([{ path: 'attachments[0].content', message: 'could not be read' }]);
    expect(sent).toHaveLength(1);
  });

  test('passed twice in one email is refused', async () => {
    const { sending, sent } = setUp();
    const { content } = watched('once');
    const error = await rejection(sending.send(attaching(content, content)), InvalidRequestError);
    expect(error.issues).toEqual([{ path: 'attachments[1].content', message: 'could not be read' }]);
    expect(sent).toHaveLength(0);
  });

  test('that fails is named in the error, with its own error as the cause, and the others are cancelled', async () => {
    const { sending, sent } = setUp();
    const cause = new Error('The disk is gone');
    const other = watched('other');
    const error = await rejection(
      sending.send(attaching('', watched('a', cause).content, other.content)),
      InvalidRequestError,
    );
    expect(error).toMatchObject({
      message: 'sending.send was not sent: attachments[1].content: could not be read',
      cause,
      effect: 'none',
      request: { operation: 'sending.send', attempts: 0 },
    });
    expect(other.seen).toEqual({ pulls: 0, cancelled: true });
    expect(sent).toHaveLength(0);
  });

  test('that fails in a batch is named with its email’s position', async () => {
    const { sending } = setUp();
    const attachments = [{ filename: 'a', content: watched('a', new Error('gone')).content }];
    const error = await rejection(
      sending.batch({ requests: [{ to }, { to, attachments }] }),
      InvalidRequestError,
    );
    expect(error.issues[0]?.path).toBe('requests[1].attachments[0].content');
  });

  test('is not read when the email is refused, or the signal is already aborted', async () => {
    const { sending } = setUp();
    const { content, seen } = watched('later');
    await rejection(sending.send({ ...attaching(content), subject: '' }), InvalidRequestError);
    await rejection(sending.send(attaching(content), { signal: AbortSignal.abort() }), AbortedError);
    expect(seen.pulls).toBe(0);
    await sending.send(attaching(content));
  });
});

describe('A stream that stalls', () => {
  test('is cancelled by the signal', async () => {
    const { sending, sent } = setUp();
    const { content, seen } = watched('…', 'stall');
    const controller = new AbortController();
    const failed = rejection(sending.send(attaching(content), { signal: controller.signal }), AbortedError);
    await until(() => seen.pulls === 2);
    const reason = new Error('changed my mind');
    controller.abort(reason);
    expect(await failed).toMatchObject({ cause: reason, effect: 'none', request: { attempts: 0 } });
    expect(seen.cancelled).toBe(true);
    expect(sent).toHaveLength(0);
  });

  test('is cancelled by the deadline', async () => {
    const { sending, time } = setUp([accepted], { deadlineMs: 1000 });
    const { content, seen } = watched('…', 'stall');
    const failed = rejection(sending.send(attaching(content)), TimeoutError);
    await until(() => seen.pulls === 2);
    await time.advance(1000);
    expect(await failed).toMatchObject({ kind: 'deadline', effect: 'none' });
    expect([seen.cancelled, time.pending]).toEqual([true, 0]);
  });
});

describe('Attachments in the form of JSON and of other programs', () => {
  /** What a queue keeps of an email. */
  const stored = (content: unknown) =>
    JSON.parse(JSON.stringify({ ...mail, attachments: [{ filename: 'a', content }] })) as SendParams;
  const refused = async (params: unknown) => {
    const { sending, sent } = setUp();
    const { message } = await rejection(sending.send(params as SendParams), InvalidRequestError);
    expect(sent).toEqual([]);
    return message;
  };

  test('the JSON of a Buffer is read, in an email, a batch and its base', async () => {
    const { sending, bodies } = setUp();
    const bytes = Buffer.from([0, 1, 254, 255]);
    await sending.send(stored(bytes));
    await sending.send(stored(Buffer.alloc(0)));
    const { attachments } = stored(bytes);
    await sending.batch({
      base: { from, subject: 'Hi', text: 'Hi', attachments },
      requests: [{ to, attachments }],
    });
    expect(
      bodies()
        .slice(0, 2)
        .map((body) => body.attachments?.[0]?.content),
    ).toEqual(['AAH+/w==', '']);
    expect(bodies()[2]).toMatchObject({
      base: { attachments: [{ content: 'AAH+/w==' }] },
      requests: [{ attachments: [{ content: 'AAH+/w==' }] }],
    });
  });

  test('other bytes that went through JSON are refused with the reason', async () => {
    const bytes = new TextEncoder().encode('Invoice 7');
    for (const content of [bytes, bytes.buffer, new Blob(['a']), new DataView(bytes.buffer)])
      expect(await refused(stored(content))).toContain(
        'JSON, as of a queue, keeps no bytes: store base64 text',
      );
    for (const data of [[256], [-1], [1.5], ['a'], [null], 'AAAA'])
      expect(await refused(stored({ type: 'Buffer', data }))).toContain('JSON, as of a queue');
  });

  test.each(['data:application/pdf;base64,SW52', 'DATA:,abc', ' data:text/plain,a b'])(
    'a data: URL is refused with the reason: %s',
    async (content) => {
      expect(await refused(stored(content))).toContain(
        'is a data: URL: pass the base64 text behind its comma',
      );
    },
  );

  test.each(['logo', '<logo>', 'cid:logo', 'CID:logo', '<cid:logo>'])(
    'a content id is the id itself: %s',
    async (id) => {
      const { sending, bodies } = setUp();
      const attachments = [{ filename: 'a', content: '', content_id: id }];
      await sending.send({ ...mail, attachments });
      expect(bodies()[0]?.attachments).toEqual([{ filename: 'a', content: '', content_id: 'logo' }]);
      expect(attachments[0]?.content_id).toBe(id);
    },
  );
});

test('A header that is undefined is left out', async () => {
  const { sending, bodies } = setUp();
  const headers = { 'X-A': undefined, 'X-B': 'b', 'Reply-To': undefined };
  await sending.send({ ...mail, headers, reply_to: from });
  expect(bodies()).toMatchObject([{ headers: { 'X-B': 'b' }, reply_to: from }]);
  expect(Object.keys(bodies()[0]?.headers ?? {})).toEqual(['X-B']);
});
