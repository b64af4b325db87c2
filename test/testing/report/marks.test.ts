import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { connectEmulator, createEmulator, joinReports, type Emulator } from 'email-platform/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runningProgram, runOf } from '../../../src/testing/report/collect/run-of.ts';
import type { ReportData } from '../../../src/testing/report/data/data.ts';

const dataIn = (file: string) =>
  JSON.parse(
    /<script type="application\/json" id="report">([\s\S]*?)<\/script>/.exec(
      readFileSync(file, 'utf8'),
    )?.[1] ?? '',
  ) as ReportData;

const fileIn = () => join(mkdtempSync(join(tmpdir(), 'marks-')), 'mails.html');

async function reported(emulator: Pick<Emulator, 'report'>, options = {}): Promise<ReportData> {
  const file = fileIn();
  await emulator.report(file, options);
  return dataIn(file);
}

const send = (client: EmailPlatform, subject: string) =>
  client.sending.send({ from: 'shop@mail.example.com', to: 'ann@example.org', subject, text: 'T' });

const marksOf = ({ mails, requests }: ReportData) => [
  mails.map(({ subject, mark }) => `${subject}: ${mark}`),
  requests.map(({ mark }) => mark),
];

test('a mark stands beside the emails and requests that follow, until it is replaced or ended', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  await send(client, 'A');
  emulator.mark('signs up');
  await send(client, 'B');
  emulator.reset();
  await send(client, 'C');
  emulator.mark(null);
  await send(client, 'D');
  expect(marksOf(await reported(emulator))).toEqual([
    ['D: undefined', 'C: signs up', 'B: signs up', 'A: undefined'],
    [undefined, 'signs up', 'signs up', undefined],
  ]);
  expect(() => emulator.mark(' ')).toThrow(RangeError);
});

test('tests that run at the same time have a mark each, in any characters', async () => {
  const emulator = createEmulator();
  const server = await emulator.listen({ control: true });
  onTestFinished(() => server.close());
  emulator.mark('of the process');
  const clients = await Promise.all(
    ['größer › 100 %', 'second', undefined].map(async (mark) => {
      const { url, token: controlToken } = server.control ?? { url: '', token: '' };
      const connected = connectEmulator(url, { controlToken, ...(mark !== undefined && { mark }) });
      return new EmailPlatform(await connected.clientOptions());
    }),
  );
  await Promise.all(clients.map((client, at) => send(client, String(at))));
  const [mails] = marksOf(await reported(emulator));
  expect(mails?.toSorted()).toEqual(['0: größer › 100 %', '1: second', '2: of the process']);
});

test.each([
  [
    { GITHUB_REPOSITORY: 'a/b', GITHUB_SHA: 'c1', GITHUB_REF_NAME: '7/merge', GITHUB_HEAD_REF: 'topic' },
    'topic',
  ],
  [{ GITHUB_REPOSITORY: 'a/b', GITHUB_SHA: 'c1', GITHUB_REF_NAME: 'main', GITHUB_HEAD_REF: '' }, 'main'],
  [{ CI_PROJECT_PATH: 'a/b', CI_COMMIT_SHA: 'c1', CI_COMMIT_REF_NAME: 'main' }, 'main'],
  [{ JOB_NAME: 'a/b', GIT_COMMIT: 'c1', GIT_BRANCH: 'main' }, 'main'],
])('the run of %j', (env, branch) => {
  expect(runOf(undefined, env)).toEqual({ title: 'a/b', commit: 'c1', branch });
  expect(runOf('Mine', env).title).toBe('Mine');
  expect(runOf(undefined, { HOME: '/', GITHUB_SHA: '' })).toEqual({});
});

test('the live page names the package, unless CI names the repository', () => {
  expect(runningProgram({ npm_package_name: 'shop' })).toEqual({ title: 'shop' });
  const ci = { GITHUB_REPOSITORY: 'a/b', GITHUB_SHA: 'c1', GITHUB_REF_NAME: 'main' };
  expect(runningProgram({ npm_package_name: 'shop', ...ci })).toEqual({
    title: 'a/b',
    commit: 'c1',
    branch: 'main',
  });
  expect(runningProgram({ npm_package_name: '' })).toEqual({});
});

test('a file says which run it is of, and a joined file of which runs', async () => {
  vi.stubEnv('GITHUB_SHA', 'c0ffee');
  vi.stubEnv('GITHUB_REPOSITORY', 'shop/app');
  vi.stubEnv('GITHUB_REF_NAME', 'main');
  vi.stubEnv('GITHUB_HEAD_REF', '');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { run } = await reported(createEmulator(), { title: 'Mails' });
  expect(run).toMatchObject({ title: 'Mails', commit: 'c0ffee', branch: 'main' });
  expect(run?.durationMs).toBeGreaterThanOrEqual(0);
  const files = [fileIn(), fileIn()];
  for (const file of files) await createEmulator().report(file);
  const out = fileIn();
  await joinReports(files, out);
  expect(dataIn(out).run).toEqual({
    title: 'shop/app',
    commit: 'c0ffee',
    branch: 'main',
    durationMs: Math.max(...files.map((file) => dataIn(file).run?.durationMs ?? 0)),
  });
});
