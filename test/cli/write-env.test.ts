import { EmailPlatform } from 'email-platform';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cli } from './in-process.ts';
import { started } from './started.ts';

const folder = mkdtempSync(join(tmpdir(), 'write-env-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, '.env.emulator');

describe('email-platform emulator --write-env', () => {
  test('writes what it prints, for its owner alone, and a client connects with it', async () => {
    const { out } = await started('--write-env', file, '--control', '--seed', 'demo');
    expect(readFileSync(file, 'utf8')).toBe(out);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['.env.emulator']);
    const { EMAIL_PLATFORM_TOKEN: token, EMAIL_PLATFORM_API_URL: api } = parseEnv(out);
    const client = new EmailPlatform({ token, hosts: { api } });
    expect((await client.campaigns.list({ per_page: 2 })).items).toHaveLength(2);
  });

  test('has the host of each stream, and the test inbox', async () => {
    const { out } = await started('--write-env', file);
    for (const [name, value] of Object.entries(parseEnv(out))) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const client = new EmailPlatform();
    const mail = { from: 'hello@mail.example.com', to: 'ann@example.org', text: 'Hello.' };
    for (const stream of ['transactional', 'bulk', 'sandbox'] as const)
      await client.sending.send({ ...mail, subject: stream }, { stream });
    const { items } = await client.emailLogs.list();
    expect(items.map((one) => [one.subject, one.sending_stream]).sort()).toEqual([
      ['bulk', 'bulk'],
      ['transactional', 'transactional'],
    ]);
    const { items: captured } = await client.sandbox.messages.list(client.sandboxInboxId ?? 0);
    expect(captured.map(({ subject }) => subject)).toEqual(['sandbox']);
  });

  test('starts without data, so that a program finds only its own emails', async () => {
    const { out } = await started('--write-env', file);
    const { EMAIL_PLATFORM_TOKEN: token, EMAIL_PLATFORM_API_URL: api } = parseEnv(out);
    const client = new EmailPlatform({ token, hosts: { api } });
    expect((await client.campaigns.list()).items).toEqual([]);
    expect((await client.emailLogs.list()).items).toEqual([]);
  });

  test('replaces the file of an earlier start, and an empty one', async () => {
    const earlier = await started('--write-env', file);
    const { out, value } = await started('--write-env', file);
    expect(readFileSync(file, 'utf8')).toBe(out);
    expect(value('TOKEN')).not.toBe(earlier.value('TOKEN'));
    const empty = join(folder, 'empty');
    writeFileSync(empty, '');
    const filled = await started('--write-env', empty);
    expect(readFileSync(empty, 'utf8')).toBe(filled.out);
  });

  test('replaces no other file, and the emulator does not start, exit 1', async () => {
    const own = join(folder, '.env');
    writeFileSync(own, 'EMAIL_PLATFORM_TOKEN=of-the-service\n');
    const { code, out, err } = await cli(['emulator', '--port', '0', '--write-env', own]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`"${own}" exists, and is not a file of an emulator: choose another name`);
    expect(readFileSync(own, 'utf8')).toBe('EMAIL_PLATFORM_TOKEN=of-the-service\n');
  });

  test('where it cannot write, it says why, exit 1', async () => {
    const nowhere = join(folder, 'none', '.env');
    const { code, out, err } = await cli(['emulator', '--port', '0', '--write-env', nowhere]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('The file of --write-env cannot be written: ENOENT');
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});

test('email-platform emulator --json prints the connection settings as one line', async () => {
  const { out } = await started('--json', '--control');
  expect(out.split('\n')).toHaveLength(2);
  const { url, variables, browserUrl } = JSON.parse(out) as {
    url: string;
    variables: Readonly<Record<string, string>>;
    browserUrl: string;
  };
  expect(new URL(variables.EMAIL_PLATFORM_API_URL ?? '').origin).toBe(url);
  const headers = { authorization: `Bearer ${variables.EMAIL_PLATFORM_CONTROL_TOKEN}` };
  expect((await fetch(`${variables.EMAIL_PLATFORM_CONTROL_URL}/clock`, { headers })).status).toBe(200);
  expect((await fetch(browserUrl, { redirect: 'manual' })).status).toBe(303);
});
