import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConfigurationError, InvalidRequestError } from 'email-platform';
import { emailPlatformTransport, type EmailPlatformTransport } from 'email-platform/nodemailer';
import { afterAll, describe, expect, test } from 'vitest';
import { rejection, thrown } from '../../support/expect-error.ts';
import { nodemailers } from './peers.mjs';
import { mail, sent, setUp } from './set-up.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const folder = mkdtempSync(join(tmpdir(), 'email-platform-'));
const file = join(folder, 'notes.txt');
writeFileSync(file, 'from a file');
afterAll(() => rmSync(folder, { recursive: true }));

type Fields = Record<string, unknown>;

/** Merges as Auth.js does: own and inherited fields, objects field by field. */
function merged(target: Fields, source: object): Fields {
  for (const key in source) {
    const value = (source as Fields)[key];
    if (typeof value === 'object' && value !== null)
      target[key] = merged((target[key] as Fields | undefined) ?? {}, value);
    else if (value !== undefined) target[key] = value;
  }
  return target;
}

const SMTP = { host: '127.0.0.1', port: 9, connectionTimeout: 500, auth: { user: '', pass: '' } };

const COPIES: readonly (readonly [string, (transport: EmailPlatformTransport) => object])[] = [
  ['spread', (transport: object) => ({ ...transport })],
  ['assigned to options', (transport) => Object.assign({ ...SMTP }, transport)],
  ['spread over options', (transport: object) => ({ ...SMTP, ...transport })],
  [
    'merged deeply',
    (transport) => (merged({ server: { ...SMTP } }, { server: transport }) as { server: object }).server,
  ],
  ['made of its entries', (transport) => Object.fromEntries(Object.entries(transport))],
  ['inherited from', (transport) => Object.create(transport) as object],
];

describe.each(nodemailers)('With nodemailer %s,', (version, nodemailer) => {
  const as = (copy: object) => copy as EmailPlatformTransport;

  describe.each(COPIES)('a transport that is %s', (_, copy) => {
    test('sends, verifies, says whether it is idle, and closes', async () => {
      const { emulator, client } = setUp(nodemailer);
      const transporter = nodemailer.createTransport(as(copy(emailPlatformTransport({ client }))));
      await transporter.sendMail(mail);
      expect(emulator.messages()).toMatchObject([{ to: 'ann@example.org' }]);
      expect(await transporter.verify()).toBe(true);
      expect(transporter.isIdle()).toBe(true);
      const idle = new Promise<void>((resolve) => transporter.on('idle', () => resolve()));
      await idle;
      transporter.close();
      expect(transporter.isIdle()).toBe(false);
    });

    test.skipIf(version === '8.0.5')('reads no file that it may not read', async () => {
      const { emulator, client } = setUp(nodemailer);
      const transport = emailPlatformTransport({ client, disableFileAccess: true, disableUrlAccess: true });
      const transporter = nodemailer.createTransport(as(copy(transport)));
      const read: unknown[] = [];
      transporter.use('compile', (message, done) => {
        message.resolveContent(message.data, 'text', (error, value) => {
          read.push(value);
          done(error);
        });
      });
      const error = await rejection(
        transporter.sendMail({ ...mail, text: { path: file } }),
        InvalidRequestError,
      );
      expect(error.issues).toEqual([
        { path: 'text', message: 'must not be a file: disableFileAccess is set' },
      ]);
      expect(read).toEqual([]);
      expect(sent(emulator)).toEqual([]);
    });

    test.runIf(version === '8.0.5')('is refused by a nodemailer that ignores its options', () => {
      const { client } = setUp(nodemailer);
      const transport = emailPlatformTransport({ client, disableFileAccess: true });
      thrown(() => nodemailer.createTransport(as(copy(transport))), ConfigurationError);
    });

    test('notices a plugin that changes the written message', async () => {
      const { emulator, client } = setUp(nodemailer);
      const transporter = nodemailer.createTransport(as(copy(emailPlatformTransport({ client }))));
      transporter.use('stream', (message, done) => {
        message.message.setContent('encrypted');
        done();
      });
      const { issues } = await rejection(transporter.sendMail(mail), InvalidRequestError);
      expect(issues).toMatchObject([{ path: 'message.setContent' }]);
      expect(sent(emulator)).toEqual([]);
    });
  });

  describe('a transport of which only the methods that send were taken', () => {
    const part = (transport: EmailPlatformTransport) =>
      as({ name: 'own', version: '1', send: transport.send.bind(transport) });

    test('sends', async () => {
      const { emulator, client } = setUp(nodemailer);
      await nodemailer.createTransport(part(emailPlatformTransport({ client }))).sendMail(mail);
      expect(emulator.messages()).toHaveLength(1);
    });

    test.each(['disableFileAccess', 'disableUrlAccess'] as const)('is refused with %s', async (option) => {
      const { emulator, client } = setUp(nodemailer);
      const transport = emailPlatformTransport({ client, [option]: true });
      const transporter = nodemailer.createTransport(part(transport));
      for (const message of [mail, { ...mail, text: { path: file } }]) {
        const error = await rejection(transporter.sendMail(message), ConfigurationError);
        expect(error).toMatchObject({ option, code: 'ECONFIG', effect: 'none' });
        expect(error.message).toContain(`${option} is not in force: createTransport`);
      }
      expect(sent(emulator)).toEqual([]);
    });

    test('is refused with a plugin that may change the written message', async () => {
      const { emulator, client } = setUp(nodemailer);
      const transporter = nodemailer.createTransport(part(emailPlatformTransport({ client })));
      transporter.use('stream', (message, done) => {
        message.message.setContent('encrypted');
        done();
      });
      const error = await rejection(transporter.sendMail(mail), ConfigurationError);
      expect(error.message).toContain('a plugin of the step stream is not watched');
      expect(sent(emulator)).toEqual([]);
    });
  });

  test('a transport does not keep a transporter that is no longer used', async () => {
    const { client } = setUp(nodemailer);
    const transport = emailPlatformTransport({ client });
    let collected = 0;
    const registry = new FinalizationRegistry(() => (collected += 1));
    // Some programs make a transporter for each email.
    for (let count = 0; count < 20; count += 1) {
      const transporter = nodemailer.createTransport({ ...(transport as object) });
      await transporter.sendMail(mail);
      registry.register(transporter, count);
    }
    for (let turn = 0; turn < 100 && collected < 15; turn += 1) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(collected).toBeGreaterThanOrEqual(15);
    expect(transport.isIdle()).toBe(true);
  });
});
