/** Whatever a message says, people receive from the service what they would have received by SMTP. */
import { EmailPlatform } from 'email-platform';
import { emailPlatformTransport } from 'email-platform/nodemailer';
import { createEmulator } from 'email-platform/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../support/extent.ts';
import { nodemailers } from './peers.mjs';
import { seenIn } from './seen.ts';

/** A word of any script, with what has a meaning in addresses and headers. */
const word = fc.string({
  unit: fc.constantFrom(...Array.from('abcXYZ019äßéЖ中🌱"\\()<>,;:@=?_.!#&\'')),
  minLength: 1,
  maxLength: 12,
});
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
/** The fields have addresses of their own: the service sends one copy to whoever is in several. */
const addressOf = (field: string) =>
  fc.record({
    name: fc.oneof(fc.constant(''), text),
    address: fc
      .tuple(
        fc.stringMatching(/^[a-z][a-z0-9+_-]{0,9}$/),
        fc.constantFrom('example.org', 'bücher.example', 'EXAMPLE.com'),
      )
      .map(([local, domain]) => `${field}-${local}@${domain}`),
  });
const addresses = (field: string) =>
  fc.uniqueArray(addressOf(field), {
    minLength: 1,
    maxLength: 3,
    selector: (one) => one.address.toLowerCase(),
  });
const id = fc.stringMatching(/^[a-z0-9]{1,12}@[a-z]{1,9}\.example$/).map((inner) => `<${inner}>`);
const optional = { requiredKeys: ['to', 'subject', 'text'] as ('to' | 'subject' | 'text')[] };

const message = fc.record(
  {
    to: addresses('to'),
    cc: addresses('cc'),
    replyTo: addresses('reply'),
    subject: text,
    text,
    html: text.map((inner) => `<p>${inner}</p>`),
    inReplyTo: id,
    references: fc.array(id, { minLength: 1, maxLength: 9 }),
    priority: fc.constantFrom('high', 'normal', 'low'),
    headers: fc.dictionary(fc.stringMatching(/^X-[A-Z][a-z]{1,8}$/), text, { maxKeys: 3 }),
    list: fc.record({
      unsubscribe: fc.array(fc.webUrl(), { minLength: 1, maxLength: 2 }),
      help: fc.record({ url: fc.webUrl(), comment: fc.stringMatching(/^[A-Za-z]{1,9}$/) }),
    }),
    attachments: fc.array(
      fc.record({
        filename: fc.stringMatching(/^[a-zäß中 ]{0,8}[a-z]\.(txt|pdf|png|bin)$/),
        content: fc.oneof(
          text,
          fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        ),
      }),
      { maxLength: 3 },
    ),
  },
  optional,
);

test.each(nodemailers)('with nodemailer %s', async (_, nodemailer) => {
  const emulator = createEmulator({ seed: 'demo', limits: false });
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle: false });
  const service = nodemailer.createTransport(emailPlatformTransport({ client }));
  const written = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  await fc.assert(
    fc.asyncProperty(message, async (given) => {
      const mail = { from: 'Shop <shop@mail.example.com>', ...given };
      const { message: smtp } = (await written.sendMail(copyOf(mail))) as unknown as {
        message: Buffer;
      };
      const { messageId } = await service.sendMail(mail);
      const raw = await client.emailLogs.downloadRaw(await client.emailLogs.get(messageId));
      expect(await seenIn(raw)).toEqual(await seenIn(smtp));
    }),
    { numRuns: runs(100) },
  );
});

/** nodemailer changes what it is given. */
const copyOf = (mail: object) => ({
  ...structuredClone({ ...mail, attachments: undefined }),
  ...('attachments' in mail && { attachments: (mail.attachments as object[]).map((one) => ({ ...one })) }),
});
