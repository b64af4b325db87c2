/** A plugin that changes a message as it is written out, to encrypt it for instance: the service would send it unchanged. */
import { PassThrough } from 'node:stream';
import { InvalidRequestError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { nodemailers, type Composed } from './peers.mjs';
import { mail, sent, setUp } from './set-up.ts';

type Message = Composed['message'];
const html = { ...mail, html: '<p>Hi.</p>' };

const changes: readonly (readonly [method: string, change: (message: Message) => void])[] = [
  ['transform', (message) => message.transform(() => new PassThrough())],
  ['transform', (message) => message.transform(new PassThrough())],
  ['processFunc', (message) => message.processFunc((input) => input.pipe(new PassThrough()))],
  ['setContent', (message) => message.setContent('sealed')],
  ['setContent', (message) => message.childNodes[1]?.setContent('sealed')],
  ['setRaw', (message) => message.setRaw('Subject: sealed\r\n\r\nsealed')],
  ['createChild', (message) => void message.createChild('text/plain')],
  ['appendChild', (message) => message.appendChild(message.childNodes[0] ?? {})],
  ['remove', (message) => message.childNodes[0]?.remove()],
];

describe.each(nodemailers)('With nodemailer %s,', (_, nodemailer) => {
  test.each(changes)(
    'a message with which a plugin calls %s is refused by that name',
    async (method, change) => {
      const { emulator, transporter } = setUp(nodemailer);
      transporter.use('stream', ({ message }, done) => {
        change(message);
        done();
      });
      const error = await rejection(transporter.sendMail(html), InvalidRequestError);
      expect(error).toMatchObject({ code: 'EMESSAGE', responseCode: 554, effect: 'none' });
      expect(error.issues).toEqual([
        {
          path: `message.${method}`,
          message:
            'cannot be used by a plugin: the service writes the message itself and would lose this change',
        },
      ]);
      expect(sent(emulator)).toEqual([]);
    },
  );

  test.each<[string, (message: Message) => void]>([
    ['content-type', (message) => message.setHeader('Content-Type', 'multipart/encrypted')],
    ['content-type', (message) => message.addHeader('Content-Type', 'text/plain')],
    ['sender', (message) => message.addHeader('Sender', 'ben@example.org')],
  ])('a header that the service sets is refused where a plugin sets it: %s', async (name, change) => {
    const { emulator, transporter } = setUp(nodemailer);
    transporter.use('stream', ({ message }, done) => {
      change(message);
      done();
    });
    for (const message of [mail, html]) {
      const { issues } = await rejection(transporter.sendMail(message), InvalidRequestError);
      expect(issues).toEqual([{ path: `headers.${name}`, message: 'is set by the service' }]);
    }
    expect(sent(emulator)).toEqual([]);
  });

  test('the next message, which no plugin changes, is sent', async () => {
    const { emulator, transporter } = setUp(nodemailer);
    let isSealed = true;
    transporter.use('stream', ({ message }, done) => {
      if (isSealed) message.transform(() => new PassThrough());
      isSealed = false;
      done();
    });
    await rejection(transporter.sendMail(html), InvalidRequestError);
    await transporter.sendMail(html);
    expect(sent(emulator)).toHaveLength(1);
  });

  test('an email that nodemailer itself would sign is sent if `ignore` names it, and one that a plugin changes is not', async () => {
    const { emulator, transporter } = setUp(nodemailer, { transport: { ignore: ['dkim'] } });
    const dkim = { domainName: 'example.com', keySelector: 'a', privateKey: 'b' };
    await transporter.sendMail({ ...html, dkim });
    transporter.use('stream', ({ message }, done) => {
      message.processFunc((input) => input.pipe(new PassThrough()));
      done();
    });
    const { issues } = await rejection(transporter.sendMail({ ...html, dkim }), InvalidRequestError);
    expect(issues.map(({ path }) => path)).toEqual(['message.processFunc']);
    expect(sent(emulator)).toHaveLength(1);
  });
});
