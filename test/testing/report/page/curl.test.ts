import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createEmulator } from 'email-platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { curlOf, firstMail } from '../../../../src/testing/report/page/parts/curl.ts';
import { reportRequest, shopReport } from '../../../support/report-data.ts';

let folder: string;

/** A shell runs the command; the curl that it finds prints its arguments. */
async function argumentsOf(command: string): Promise<readonly string[]> {
  const env = {
    PATH: `${folder}:${String(process.env.PATH)}`,
    EMAIL_PLATFORM_SEND_URL: 'https://send.example',
    EMAIL_PLATFORM_TOKEN: 'the token',
  };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
  return JSON.parse(stdout) as string[];
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'curl-'));
  const file = join(folder, 'curl');
  writeFileSync(
    file,
    `#!${process.execPath}\nprocess.stdout.write(JSON.stringify(process.argv.slice(2)));\n`,
  );
  chmodSync(file, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a refused request is the same request as a curl command, with the token of the environment', async () => {
  const request = shopReport.requests.find(({ id }) => id === 'r20');
  const body = request?.details?.body;
  expect(request && (await argumentsOf(curlOf(request) ?? ''))).toEqual([
    '-X',
    'POST',
    'http://127.0.0.1:4010/send/api/send',
    '-H',
    'authorization: Bearer the token',
    '-H',
    'content-type: application/json',
    '-H',
    "x-note: it's",
    '--data-raw',
    body,
  ]);
});

test.each(["'; rm -rf / #", '$(id) `id` "$HOME" \\', 'two\nlines', '!history', '@/etc/passwd'])(
  'a shell does not read a body of %j',
  async (body) => {
    const details = {
      url: `http://127.0.0.1/${body}`,
      headers: [[body, body]] as const,
      body,
      bodyCut: false,
      responseHeaders: [],
      responseBody: null,
      responseCut: false,
    };
    const found = await argumentsOf(curlOf(reportRequest('1', { method: body, details })) ?? '');
    expect(found).toEqual(['-X', body, details.url, '-H', `${body}: ${body}`, '--data-raw', body]);
  },
);

test('without details there is no command', () => {
  expect(curlOf(reportRequest('1'))).toBeNull();
});

test('the command for a first email sends one, in a shell without variables', async () => {
  const emulator = createEmulator();
  const { hosts, token, fetch } = emulator.clientOptions();
  const [url = '', ...rest] = await argumentsOf(firstMail({ token, hosts }));
  const valuesOf = (name: string) => rest.flatMap((value, at) => (rest[at - 1] === name ? [value] : []));
  const headers = Object.fromEntries(valuesOf('-H').map((line) => line.split(': ') as [string, string]));
  const response = await fetch(url, { method: 'POST', headers, body: valuesOf('-d')[0] ?? null });
  expect(response.status).toBe(200);
  expect(emulator.messages()).toMatchObject([
    { to: 'reader@example.com', subject: 'Hello', text: 'It works.' },
  ]);
});
