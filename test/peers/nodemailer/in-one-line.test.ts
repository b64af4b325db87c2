import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidRequestError } from 'email-platform';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { runs } from '../../support/extent.ts';
import { nodemailers } from './peers.mjs';
import { mail, sent, setUp } from './set-up.ts';
import { seenIn } from './seen.ts';

const folder = mkdtempSync(join(tmpdir(), 'email-platform-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Words with line breaks of each kind between them. */
const broken = fc
  .array(
    fc.tuple(
      fc.constantFrom('[Shop] down:', 'timeout', 'é', '48 s'),
      fc.constantFrom('\n', '\r\n', '\r', ' '),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((words) => words.flat().join(''));

describe.each(nodemailers)('With nodemailer %s,', (_, nodemailer) => {
  test('line breaks in a subject or a name become spaces, as nodemailer writes them', async () => {
    const { emulator, client, transporter } = setUp(nodemailer, { client: { throttle: false } });
    const written = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    await fc.assert(
      fc.asyncProperty(broken, broken, async (subject, name) => {
        const message = { ...mail, from: { name, address: mail.from }, subject };
        const { messageId } = await transporter.sendMail(message);
        expect(emulator.messages().at(-1)?.subject.trim()).toBe(subject.replace(/\r\n?|\n/g, ' ').trim());
        const { message: smtp } = (await written.sendMail({ ...message })) as unknown as { message: Buffer };
        const raw = await client.emailLogs.downloadRaw(await client.emailLogs.get(messageId));
        const own = (await seenIn(raw)) as { subject?: string };
        const theirs = (await seenIn(smtp)) as { subject?: string };
        expect(own.subject?.trim()).toBe(theirs.subject?.trim());
      }),
      { numRuns: runs(20) },
    );
  });

  test('so do those of the fields of an attachment', async () => {
    const { emulator, transporter } = setUp(nodemailer);
    const attachments = [{ filename: 'a\nb.png', content: 'x', contentType: 'image/png', cid: '<lo\rgo>' }];
    await transporter.sendMail({ ...mail, attachments });
    expect(emulator.messages()[0]?.attachments).toMatchObject([
      { filename: 'a b.png', type: 'image/png', contentId: 'lo go' },
    ]);
  });

  test.each(['data:image/png;base64', 'data:', 'data:;base64;', 'DATA:image/png;base64,AAAA'])(
    'an invalid data: address is refused: %s',
    async (path) => {
      const { emulator, transporter } = setUp(nodemailer);
      for (const fields of [
        { attachments: [{ filename: 'label.png', path }] },
        { attachments: [{ filename: 'label.png', href: path }] },
        { attachments: [{ filename: 'label.png', content: { path } }] },
        { text: { path } },
      ]) {
        const { issues } = await rejection(transporter.sendMail({ ...mail, ...fields }), InvalidRequestError);
        expect(issues[0]?.message).toMatch(/^is an invalid data: address/);
      }
      expect(sent(emulator)).toEqual([]);
    },
  );

  test('a file or an address that cannot be read is named', async () => {
    const there = join(folder, 'a.txt');
    writeFileSync(there, 'a');
    const { transporter } = setUp(nodemailer);
    const missing = { path: join(folder, 'none.txt') };
    const nowhere = { filename: 'b', href: 'http://127.0.0.1:9/b' };
    for (const [fields, path] of [
      [{ attachments: [{ path: there }, missing] }, 'attachments[1]'],
      [{ attachments: [{ path: there }, nowhere] }, 'attachments[1]'],
      [{ attachments: [{ filename: 'c', content: missing }] }, 'attachments[0]'],
      [{ html: missing }, 'html'],
    ] as const) {
      const error = await rejection(transporter.sendMail({ ...mail, ...fields }), InvalidRequestError);
      expect(error.issues).toMatchObject([
        { path, message: expect.stringMatching(/^cannot be read: E/) as string },
      ]);
      expect(error.cause).toBeInstanceOf(Error);
    }
  });

  test('a sender with the address of from is accepted', async () => {
    const { emulator, transporter } = setUp(nodemailer);
    await transporter.sendMail({ ...mail, sender: `Hello <${mail.from.toUpperCase()}>` });
    expect(emulator.messages()).toMatchObject([{ from: mail.from }]);
    expect(emulator.messages()[0]?.headers).toEqual({});
    const other = transporter.sendMail({ ...mail, sender: 'other@mail.example.com' });
    expect((await rejection(other, InvalidRequestError)).issues).toMatchObject([{ path: 'sender' }]);
  });
});
