import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { VERSION } from '../../src/version.ts';

async function cli(args: string[], ended: Promise<unknown> = Promise.resolve()) {
  let out = '';
  let err = '';
  const code = await run(args, { out: (text) => (out += text), err: (text) => (err += text), ended });
  return { code, out, err };
}

describe('email-platform', () => {
  test.each(['--help', '-h'])('%s shows the usage, exit 0', async (flag) => {
    const { code, out } = await cli([flag]);
    expect([code, out]).toEqual([0, expect.stringContaining('Usage: email-platform emulator') as unknown]);
  });

  test('--version, exit 0', async () => {
    expect(await cli(['--version'])).toEqual({ code: 0, out: `${VERSION}\n`, err: '' });
  });

  test.each([
    [[], 'A command is missing'],
    [['serve'], 'Unknown command "serve"'],
    [['emulator', 'now'], 'Unexpected argument "now"'],
    [['emulator', '--prot', '1'], "Unknown option '--prot'"],
    [['emulator', '--port'], "'--port <value>' argument missing"],
    [['emulator', '--port', '70000'], '--port must be a number from 0 to 65535, not "70000"'],
    [['emulator', '--seed', 'full'], '--seed must be one of demo, empty, not "full"'],
    [['emulator', '--window', 'round'], '--window must be one of aligned, fixed, sliding'],
    [['emulator', '--limit', 'token'], '--limit must look like token=150/10000'],
    [['emulator', '--limit', 'all=1/1'], '--limit must be one of token, contacts'],
    [['emulator', '--limit', 'token=1/9999999999999'], '--limit must look like token=150/10000'],
    [['emulator', '--expose', 'Date,retry after'], '--expose must be names of headers, not "retry after"'],
  ])('%j is invalid: says why and shows the usage, exit 2', async (args, message) => {
    const { code, out, err } = await cli(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err).toContain('Usage: email-platform emulator');
  });

  test('a port in use is reported, exit 1', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, err } = await cli(['emulator', '--port', String(port)]);
    other.close();
    expect([code, err]).toEqual([1, expect.stringContaining(`Port ${port} is in use`) as unknown]);
  });
});

describe('email-platform emulator', () => {
  test('shows how to connect, responds, and ends when asked to', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let out = '';
    const greeted = new Promise<void>((resolve) => {
      const args = ['emulator', '--port', '0', '--limit', 'token=1/10000', '--limit', 'stats=off'];
      const finished = run(args, {
        out: (text) => {
          out += text;
          resolve();
        },
        err: () => undefined,
        ended,
      });
      void finished.then((code) => (out += `exit ${code}`));
    });
    await greeted;
    const value = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(out)?.[1] ?? '';
    const headers = { authorization: `Bearer ${value('EMAIL_PLATFORM_TOKEN')}` };
    const url = `${value('EMAIL_PLATFORM_API_URL')}/api/email_campaigns?per_page=1`;
    const page = (await (await fetch(url, { headers })).json()) as { data: unknown[] };
    expect(page.data).toHaveLength(1);
    expect((await fetch(url, { headers })).status).toBe(429);
    for (const name of ['SEND_URL', 'BULK_URL', 'SANDBOX_URL']) {
      expect(value(`EMAIL_PLATFORM_${name}`)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\w+$/);
    }
    expect(value('EMAIL_PLATFORM_ACCOUNT_ID')).toMatch(/^\d+$/);
    expect(value('EMAIL_PLATFORM_SANDBOX_INBOX_ID')).toMatch(/^\d+$/);
    end();
    await expect.poll(() => out).toContain('exit 0');
    await expect(fetch(url, { headers })).rejects.toThrow(TypeError);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the process with exit 0', async (signal) => {
    const entry = fileURLToPath(new URL('../../src/cli/index.ts', import.meta.url));
    const child = spawn(process.execPath, [
      '--import',
      'tsx',
      entry,
      'emulator',
      '--port',
      '0',
      '--seed',
      'empty',
    ]);
    const exited = new Promise((resolve) => child.on('exit', (code, by) => resolve([code, by])));
    let greeting = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        greeting += String(chunk);
        if (greeting.includes('curl')) resolve();
      });
    });
    child.kill(signal);
    expect(await exited).toEqual([0, null]);
  });
});
