/** A program for nodemailer moves to the service, and people receive the same mails. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { catcher } from './peers.mjs';
import { seenIn } from './seen.ts';

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

  const emulator = createEmulator();
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
      return { to, email: await seenIn(raw) };
    }),
  );
  await server.close();

  const caught = await Promise.all(
    smtp.caught.map(async ({ to, source }) => ({ to, email: await seenIn(source) })),
  );
  const expected = caught.flatMap(({ to, email }) => to.map((one) => ({ to: one, email })));
  expect(expected).toHaveLength(10);
  const inOrder = (mails: typeof received) =>
    mails.sort((a, b) => `${a.to}${a.email.subject}`.localeCompare(`${b.to}${b.email.subject}`));
  expect(inOrder(received)).toEqual(inOrder(expected));
});
