/** A program for nodemailer moves to the service, and people receive the same mails. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { catcher } from './peers.mjs';

const here = import.meta.dirname;
const program = readFileSync(join(here, 'shop.mjs'), 'utf8');

/** The program, with one line changed, and what that line uses imported. */
const moved = program
  .replace(
    'nodemailer.createTransport(process.env.SMTP_URL,',
    'nodemailer.createTransport(emailPlatformTransport({ client: new EmailPlatform() }),',
  )
  .replace(
    /^(?=import nodemailer)/m,
    "import { EmailPlatform } from 'email-platform';\nimport { emailPlatformTransport } from 'email-platform/nodemailer';\n",
  );

/** Runs a program as a module of its own, and returns what it prints. */
async function run(name: string, text: string): Promise<string[]> {
  const folder = join(here, '.tmp');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, text);
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  await import(/* @vite-ignore */ path);
  return printed;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Headers that say how a message is written, those that whoever sends it writes, and those compared as fields. */
const OTHERS = /^(content-.*|mime-version|date|message-id|received|from|to|cc|reply-to|subject)$/;

/** As the guide says: the members of a group are recipients of their own. */
const membersOf = (addresses: Email['to']) =>
  addresses?.flatMap((address) => ('group' in address && address.group ? address.group : [address]));

/** By name; as the guide says, several headers of a mailing list are one. */
function headersOf({ headers }: Email) {
  const byName = new Map<string, string>();
  for (const { key, value } of [...headers].reverse().filter((one) => !OTHERS.test(one.key))) {
    const before = byName.get(key);
    byName.set(key, before === undefined ? value : `${value}, ${before}`);
  }
  return Object.fromEntries(byName);
}

/** What the recipient of a message sees, field by field. */
function seen(email: Email) {
  const lines = (text?: string) => text?.replace(/\r\n/g, '\n').trimEnd();
  return {
    from: email.from,
    to: membersOf(email.to),
    cc: email.cc,
    bcc: email.bcc,
    replyTo: email.replyTo,
    subject: email.subject,
    text: lines(email.text),
    html: lines(email.html),
    inReplyTo: email.inReplyTo,
    references: email.references,
    headers: headersOf(email),
    attachments: email.attachments
      .map(({ filename, mimeType, disposition, contentId, content }) => ({
        filename,
        mimeType,
        disposition,
        contentId,
        content: Buffer.from(content as ArrayBuffer).toString('base64'),
      }))
      .sort((one, other) => String(one.filename).localeCompare(String(other.filename))),
  };
}

test('an existing program moves by one line', async () => {
  const [before, after] = [program, moved].map((text) => text.split('\n'));
  expect(before?.length).toBeGreaterThan(100);
  expect(before?.filter((line) => !after?.includes(line))).toHaveLength(1);
  expect(after?.filter((line) => !before?.includes(line) && !line.startsWith('import '))).toHaveLength(1);

  vi.stubEnv('SHOP_FILES', join(here, 'shop-files'));
  const smtp = await catcher();
  vi.stubEnv('SMTP_URL', `smtp://127.0.0.1:${smtp.port}`);
  const printed = await run('shop-with-smtp', program);
  await smtp.close();

  const emulator = createEmulator({ seed: 'demo' });
  const server = await emulator.listen({ port: 0 });
  const { token, accountId, hosts } = server.clientOptions();
  vi.stubEnv('EMAIL_PLATFORM_TOKEN', token);
  vi.stubEnv('EMAIL_PLATFORM_ACCOUNT_ID', String(accountId));
  for (const [name, address] of Object.entries<string>({ ...hosts }))
    vi.stubEnv(`EMAIL_PLATFORM_${name.toUpperCase()}_URL`, address);
  expect(await run('shop-with-the-service', moved)).toEqual(printed);
  expect(printed).toHaveLength(6);

  const client = new EmailPlatform();
  const received = await Promise.all(
    emulator.messages().map(async ({ id, to }) => {
      const raw = await client.emailLogs.downloadRaw(await client.emailLogs.get(id));
      return { to, email: seen(await PostalMime.parse(raw)) };
    }),
  );
  await server.close();

  const caught = await Promise.all(
    smtp.caught.map(async ({ to, source }) => ({ to, email: seen(await PostalMime.parse(source)) })),
  );
  const expected = caught.flatMap(({ to, email }) => to.map((one) => ({ to: one, email })));
  expect(expected).toHaveLength(10);
  const inOrder = (mails: typeof received) =>
    mails.sort((a, b) => `${a.to}${a.email.subject}`.localeCompare(`${b.to}${b.email.subject}`));
  expect(inOrder(received)).toEqual(inOrder(expected));
});
