import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import type { Surroundings } from '../../src/cli/surroundings.ts';
import { quiet } from './in-process.ts';

const mail = {
  from: { email: 'shop@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Confirm your address',
  text: 'T',
};

/** Runs the emulator in front of a person until the test is over. */
async function watched(args: readonly string[], changes: Partial<Surroundings> = {}) {
  let out = '';
  let err = '';
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const opened: string[] = [];
  let press: (key: string) => void = () => undefined;
  const exited = run(['emulator', '--port', '0', '--seed', 'empty', ...args], {
    ...quiet(),
    out: (text) => (out += text),
    err: (text) => (err += text),
    isTerminal: { out: true, err: true },
    browse: (url) => opened.push(url),
    keys: (pressed) => (press = pressed),
    env: { NO_COLOR: '1' },
    ended,
    ...changes,
  });
  onTestFinished(async () => {
    end();
    await exited;
  });
  await expect.poll(() => out).toContain('EMAIL_PLATFORM_TOKEN=');
  const value = (name: string) => new RegExp(`^EMAIL_PLATFORM_${name}=(.+)$`, 'm').exec(out)?.[1] ?? '';
  const post = (call: 'send' | 'batch', body: object) =>
    fetch(`${value('SEND_URL')}/api/${call}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${value('TOKEN')}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const send = (changes: object) => post('send', { ...mail, ...changes });
  const page = () => /^# Page: (\S+)$/m.exec(out)?.[1] ?? '';
  return {
    post,
    send,
    opened,
    press: (key: string) => press(key),
    page,
    lines: () => err.split('\n').slice(0, -1),
  };
}

test('each call that sends and each refusal is a line, after the time', async () => {
  const { send, lines } = await watched([]);
  await send({});
  await send({ to: [{ email: 'ann@example.org' }, { email: 'bea@example.org' }] });
  await send({ subject: '' });
  await send({ from: { email: 'shop@unverified.example' } });
  expect(lines().map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
    ' Confirm your address → ann@example.org  #1',
    ' Confirm your address → ann@example.org and 1 more  #2–3',
    ' 400 POST /api/send  subject: must not be empty',
    expect.stringMatching(
      /^ 401 POST \/api\/send {2}The sender's domain unverified\.example is not a sending domain of the account; the token may send from .*; to verify it, call emulator\.domains\.add\(.* of email-platform\/testing$/,
    ),
  ]);
});

test('a batch with refused emails is a line with the reason of the first', async () => {
  const { post, lines } = await watched([]);
  const unverified = { ...mail, from: { email: 'shop@unverified.example' } };
  await post('batch', { requests: [unverified, { ...mail, subject: '' }] });
  await post('batch', { requests: [mail, { ...mail, subject: '' }] });
  await post('batch', { requests: [mail] });
  expect(lines().map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
    expect.stringMatching(
      /^ 200 POST \/api\/batch {2}The sender's domain unverified\.example is not a sending domain of the account; the token may send from /,
    ),
    ' Confirm your address → ann@example.org  #1',
    " 200 POST /api/batch  'subject' must not be empty",
    ' Confirm your address → ann@example.org  #2',
  ]);
});

test('a hostile subject stays on its line, and moves no cursor', async () => {
  const { send, lines } = await watched([]);
  await send({ subject: `A\u001B[2J\u202E${'x'.repeat(200)}` });
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatch(/^\d\d:\d\d:\d\d {2}A \[2J x{90,} … \(\d+ bytes\) → ann@example.org {2}#1$/);
});

test('--quiet prints none', async () => {
  const { send, lines } = await watched(['--quiet']);
  await send({});
  await send({ subject: '' });
  expect(lines()).toEqual([]);
});

test('--open opens the page, and the key o again', async () => {
  const { opened, press, page, lines } = await watched(['--open']);
  expect(lines()).toEqual(['# Press o to open the page.']);
  expect(opened).toEqual([page()]);
  press('x');
  press('o');
  expect(opened).toEqual([page(), page()]);
  expect((await fetch(page(), { redirect: 'manual' })).status).toBe(303);
});

test('with --control the key opens it, and without a page there is no key', async () => {
  const { opened, press, page } = await watched(['--control']);
  expect(opened).toEqual([]);
  press('o');
  expect(opened).toEqual([page()]);
  const without = await watched([]);
  without.press('o');
  expect(without.opened).toEqual([]);
  expect(without.lines()).toEqual([]);
});

test.each<[what: string, changes: Partial<Surroundings>]>([
  ['in CI', { env: { CI: 'true' } }],
  ['without a terminal', { isTerminal: { out: false, err: false }, keys: undefined }],
  ['for the program that started it', { inputEnds: () => new Promise(() => undefined) }],
])('%s --open opens nothing', async (_, changes) => {
  const options = changes.inputEnds === undefined ? [] : ['--until-stdin-closes'];
  const { opened, press, page } = await watched(['--open', ...options], changes);
  press('o');
  expect(opened).toEqual([]);
  expect(page()).toContain('/_emulator/open?code=');
});
