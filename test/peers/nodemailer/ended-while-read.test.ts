/** A message's signal, `close()` and the client's deadline end it while its parts are read, and nothing of it stays open. */
import { createServer, type Server } from 'node:http';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AbortedError, EmailPlatform, InvalidRequestError, TimeoutError } from 'email-platform';
import { emailPlatformTransport } from 'email-platform/nodemailer';
import { createEmulator } from 'email-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { until, virtualRuntime } from '../../support/virtual-client.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { nodemailers, type Message, type Nodemailer } from './peers.mjs';
import { mail, sent } from './set-up.ts';

/** A stream that brings a part and then nothing more. */
function stalled() {
  let isRead = false;
  const stream = new Readable({
    read() {
      if (!isRead) this.push('a part');
      isRead = true;
    },
  });
  return { stream, isRead: () => isRead };
}

const DEADLINE_MS = 5_000;

function setUp(nodemailer: Nodemailer, deadlineMs?: number) {
  const time = new VirtualTime();
  const emulator = createEmulator();
  const client = new EmailPlatform(
    { ...emulator.clientOptions(), ...(deadlineMs !== undefined && { deadlineMs }) },
    virtualRuntime(time),
  );
  const transporter = nodemailer.createTransport(emailPlatformTransport({ client }));
  return { time, emulator, client, transporter };
}

const folder = mkdtempSync(join(tmpdir(), 'email-platform-'));
const file = join(folder, 'notes.txt');
/** A server that accepts requests and answers none, until it is let. */
let server: Server;
let url = '';
let asked = 0;
const answers: (() => void)[] = [];
beforeAll(async () => {
  writeFileSync(file, 'from a file');
  server = createServer((_, response) => {
    asked += 1;
    answers.push(() => response.end('late'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slow.txt`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

describe.each(nodemailers)('With nodemailer %s,', (_, nodemailer) => {
  const places: readonly (readonly [string, (stream: unknown) => Message])[] = [
    ['an attachment', (content) => ({ attachments: [{ filename: 'a', content }] })],
    ['a single attachment', (content) => ({ attachments: { filename: 'a', content } })],
    ['the text', (text) => ({ text })],
    ['the HTML', (content) => ({ html: { content } })],
    ['an event', (icalEvent) => ({ icalEvent })],
    ['an alternative', (content) => ({ alternatives: [{ filename: 'a', content }] })],
  ];
  type Ending = readonly [
    name: string,
    Class: typeof AbortedError | typeof TimeoutError,
    fields: object,
    end: (set: ReturnType<typeof setUp>, controller: AbortController) => unknown,
  ];
  const endings: readonly Ending[] = [
    [
      'its signal',
      AbortedError,
      { code: 'EABORT', cause: { message: 'enough' } },
      (__, controller) => controller.abort(new Error('enough')),
    ],
    [
      'close()',
      AbortedError,
      { code: 'EABORT', message: 'The transport was closed' },
      ({ transporter }) => transporter.close(),
    ],
    [
      'the deadline',
      TimeoutError,
      {
        code: 'ETIMEDOUT',
        kind: 'deadline',
        message: 'sendMail did not finish within its deadline of 5000 ms; it was reading the message',
      },
      ({ time }) => time.advance(DEADLINE_MS),
    ],
  ];

  test.each(
    endings.flatMap((ending) => places.map(([place, fields]) => [...ending, place, fields] as const)),
  )('%s ends it, and the stream', async (__, Class, expected, end, ___, fields) => {
    const set = setUp(nodemailer, DEADLINE_MS);
    const controller = new AbortController();
    const { stream, isRead } = stalled();
    const behind = createReadStream(file);
    const timers = set.time.pending;
    const given: Message = fields(stream);
    const failure = rejection(
      set.transporter.sendMail({
        ...mail,
        ...given,
        attachments: [...[given.attachments ?? []].flat(), { filename: 'b', content: behind }],
        signal: controller.signal,
      }),
      Class,
    );
    await until(isRead);
    await end(set, controller);
    expect(await failure).toMatchObject({ effect: 'none', ...expected });
    expect([stream.destroyed, behind.destroyed]).toEqual([true, true]);
    expect(sent(set.emulator)).toEqual([]);
    expect(set.time.pending).toBeLessThanOrEqual(timers);
  });

  test('data that arrives later is dropped, and nothing more is read', async () => {
    const { emulator, transporter } = setUp(nodemailer);
    const controller = new AbortController();
    const before = asked;
    const missing = join(folder, 'missing.txt');
    const attachments = [{ path: url }, { path: url }, { path: missing }];
    const failure = rejection(
      transporter.sendMail({ ...mail, attachments, signal: controller.signal }),
      AbortedError,
    );
    await until(() => asked === before + 1);
    controller.abort();
    expect(await failure).toMatchObject({ effect: 'none' });
    answers.pop()?.();
    const other = await transporter.sendMail(mail);
    expect(other.accepted).toEqual([mail.to]);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([asked - before, sent(emulator).length]).toEqual([1, 1]);
    expect(attachments[2]).toMatchObject({ path: missing });
  });

  test('reading takes of the time that the call has, and is not charged twice', async () => {
    const { time, emulator, transporter } = setUp(nodemailer, DEADLINE_MS);
    const { stream, isRead } = stalled();
    emulator.faults.next({ kind: 'stall' });
    const failure = rejection(transporter.sendMail({ ...mail, text: stream }), TimeoutError);
    await until(isRead);
    await time.advance(4_000);
    stream.push(null);
    await until(() => sent(emulator).length === 1);
    await time.advance(1_000);
    expect(await failure).toMatchObject({ kind: 'deadline', effect: 'unknown' });
  });

  test('a signal that is aborted before it is read ends it unread', async () => {
    const { emulator, transporter } = setUp(nodemailer);
    const { stream, isRead } = stalled();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(transporter.sendMail({ ...mail, text: stream, signal })).rejects.toMatchObject({
      code: 'EABORT',
    });
    expect([isRead(), sent(emulator).length]).toEqual([false, 0]);
  });

  test('a field that is ignored leaves no stream open', async () => {
    const { emulator, client } = setUp(nodemailer);
    const transporter = nodemailer.createTransport(emailPlatformTransport({ client, ignore: ['amp'] }));
    const { stream, isRead } = stalled();
    await transporter.sendMail({ ...mail, amp: { content: stream } });
    expect([stream.destroyed, isRead(), sent(emulator).length]).toEqual([true, false, 1]);
  });

  test('a message that is refused leaves no stream open, and no listener on a signal', async () => {
    const { transporter } = setUp(nodemailer);
    const { stream } = stalled();
    const attachments = [{ filename: 'a', content: stream }];
    const refused = transporter.sendMail({ ...mail, dsn: { id: 'a' }, attachments });
    await rejection(refused, InvalidRequestError);
    expect(stream.destroyed).toBe(true);
  });
});
