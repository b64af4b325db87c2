/** An emulator for other machines, such as those of a compose file. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { spawn } from 'node:child_process';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { root } from '../docs/snippets.ts';
import { cli } from './in-process.ts';
import { started } from './started.ts';

/** An address of this machine that is not of the loopback interface; a machine without a network has none. */
const own =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1';

afterEach(() => vi.unstubAllEnvs());

/** The status of a request with this Host header. */
const statusOf = (
  port: string,
  host: string,
  headers: Record<string, string> = {},
  path = '/account/api/accounts',
) =>
  new Promise<number | undefined>((resolve, reject) => {
    request({ host: own, port, path, headers: { ...headers, host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

const OPEN = ['--host', '0.0.0.0', '--token', 'token-of-compose', '--allow-host', 'emulator'];
const HTML = { accept: 'text/html' };
const withToken = { authorization: 'Bearer token-of-compose' };

test.each([
  [['--host', '0.0.0.0'], '--token, and --allow-host'],
  [['--host', '0.0.0.0', '--token', 'token-of-compose'], '--token, and --allow-host'],
  [['--host', '0.0.0.0', '--allow-host', 'emulator'], '--token, and --allow-host'],
  [['--host', '::', '--allow-host', 'emulator'], '--token, and --allow-host'],
  [[...OPEN, '--control'], '--control then needs --control-token'],
  [[...OPEN, '--open'], '--control then needs --control-token'],
  [['--host', 'a b'], '--host must be an address of this machine'],
])('%j is refused', async (args, needed) => {
  const { code, err } = await cli(['emulator', '--port', '0', ...args]);
  expect(code).not.toBe(0);
  expect(err).toContain(needed);
});

test.each(['127.0.0.1', 'localhost'])('%s needs nothing else', async (host) => {
  const { value } = await started('--host', host);
  expect(value('API_URL')).toContain(`http://${host}:`);
});

test('another machine is let in by the allowed name and the token, and sees no page', async () => {
  const { value, printed } = await started(...OPEN);
  const { port, hostname } = new URL(value('API_URL'));
  expect(hostname).toBe('emulator');
  expect(printed()).toContain(
    'Every machine that reaches 0.0.0.0 can send requests; with the token it can read every mail.',
  );
  expect(await statusOf(port, `emulator:${port}`, withToken)).toBe(200);
  expect(await statusOf(port, `emulator:${port}`)).toBe(401);
  for (const host of [`${own === '127.0.0.1' ? '192.0.2.1' : own}:${port}`, 'evil.test', `0.0.0.0:${port}`])
    expect(await statusOf(port, host, withToken)).toBe(403);
  expect(await statusOf(port, `emulator:${port}`, HTML, '/')).not.toBe(200);
  expect(await statusOf(port, `emulator:${port}`, HTML, '/_emulator')).not.toBe(200);
});

test('the control API and its page are there when they are asked for, with a token of their own', async () => {
  const controlToken = 'control-token-of-compose';
  const { value, printed } = await started(...OPEN, '--control', '--control-token', controlToken);
  const { port } = new URL(value('API_URL'));
  expect(printed()).toContain('and with the control token the page');
  const authorization = `Bearer ${controlToken}`;
  expect(await statusOf(port, `emulator:${port}`, { authorization }, '/_emulator/messages')).toBe(200);
  expect(await statusOf(port, `emulator:${port}`, withToken, '/_emulator/messages')).toBe(401);
  expect(await statusOf(port, 'evil.test', { authorization }, '/_emulator/messages')).toBe(403);
});

const COMMANDS = [['doctor'], ['why', 'ann@example.org'], ['templates', 'plan', 'emails']];

/** Runs a command whose environment has a token, and an address for all hosts. */
function withSettings(args: readonly string[], token: string, url: string) {
  const env = { EMAIL_PLATFORM_TOKEN: token, EMAIL_PLATFORM_URL: url };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return cli(args, { env, ended: new Promise(() => undefined) });
}

test.each(COMMANDS)('%s uses plain http with the token of an emulator', async (...args) => {
  const token = 'emu_of-compose';
  const { value } = await started('--host', '0.0.0.0', '--token', token, '--allow-host', own);
  const { port } = new URL(value('API_URL'));
  const { out, err } = await withSettings(args, token, `http://${own}:${port}`);
  expect(`${out}${err}`).toMatch(/valid, of account 1001|ann@example\.org|Account 1001/);
  expect(err).not.toContain('https');
});

test.each(COMMANDS)('%s refuses plain http with another token, and names the remedy', async (...args) => {
  const { code, err } = await withSettings(args, 'token-of-compose', 'http://emulator.test:4010');
  expect(code).toBe(1);
  expect(err).toContain(
    'EMAIL_PLATFORM_URL must start with https://, unless EMAIL_PLATFORM_TOKEN is of an emulator: start the emulator with a --token that begins with emu_',
  );
  expect(err).not.toContain('dangerouslyAllowHttp');
});

test('listen takes the address too, with the same demands', async () => {
  const demands = (token: string | undefined, options: object) =>
    createEmulator({ ...(token !== undefined && { token }) }).listen({ host: '0.0.0.0', ...options });
  const allowedHosts = [own];
  await expect(demands(undefined, { allowedHosts })).rejects.toThrow(
    'needs a `token` of your own in createEmulator',
  );
  await expect(demands('own', {})).rejects.toThrow('needs `allowedHosts`');
  await expect(demands('own', { allowedHosts, control: true })).rejects.toThrow(
    'needs a `token` of your own in `control`',
  );
  const server = await demands('own', { allowedHosts });
  const client = new EmailPlatform({ ...server.clientOptions(), dangerouslyAllowHttp: true });
  expect(server.url).toContain(`http://${own}:`);
  expect(await client.accounts.list()).not.toEqual([]);
  await server.close();
});

test('the compose file of the guide starts an emulator that its health check finds', async () => {
  const [, file = ''] =
    /^```yaml\n(services:\n[^]*?)^```$/m.exec(readFileSync(`${root}docs/other-languages.md`, 'utf8')) ?? [];
  const [, command = ''] = /^ {4}command: >-\n([^]*?)^ {4}healthcheck/m.exec(file) ?? [];
  const [program, name, ...args] = command.trim().split(/\s+/);
  expect([program, name]).toEqual(['node_modules/.bin/email-platform', 'emulator']);
  const { value } = await started(...args.filter((one, at) => one !== '--port' && args[at - 1] !== '--port'));
  const { port } = new URL(value('API_URL'));
  const [, check = ''] = /test: node -e "(.*)"/.exec(file) ?? [];
  const exitOf = (code: string) =>
    new Promise((resolve) => spawn(process.execPath, ['-e', code], { stdio: 'ignore' }).on('exit', resolve));
  expect(await exitOf(check.replace(':4010', `:${port}`))).toBe(0);
  expect(await exitOf(check.replace(':4010', ':9'))).toBe(1);
  for (const variable of ['TOKEN', 'API_URL', 'SEND_URL'])
    expect(file).toContain(`EMAIL_PLATFORM_${variable}: ${value(variable).replace(`:${port}`, ':4010')}`);
});
