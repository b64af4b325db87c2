import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { FollowedReport, type ReportTime } from '../../src/cli/emulator-report.ts';
import { cli } from './in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Time that passes when a test says so. */
class Time implements ReportTime {
  #now = 0;
  #timers: { at: number; work: () => void }[] = [];
  readonly now = () => this.#now;
  readonly after = (ms: number, work: () => void) => {
    const timer = { at: this.#now + ms, work };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  get isAwaited(): boolean {
    return this.#timers.length > 0;
  }

  pass(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { work } of due) work();
  }
}

const mail = {
  from: 'a@mail.example.com',
  to: 'ann@example.org',
  subject: 'Order',
  text: 'Hello undefined,',
};

function following(write: () => Promise<void> = () => Promise.resolve()) {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  const time = new Time();
  const warnings: string[] = [];
  let writes = 0;
  const report = new FollowedReport(
    emulator,
    async () => {
      writes += 1;
      await write();
      return emulator.report(join(folder, 'followed.html'));
    },
    (message) => warnings.push(message),
    time,
  );
  return { client, time, report, warnings, writes: () => writes };
}

test('a report is written a second after the last change, and after ten at the latest', async () => {
  const { client, time, report, writes } = following();
  await client.sending.send(mail);
  time.pass(999);
  await client.sending.send(mail);
  time.pass(999);
  expect(writes()).toBe(0);
  time.pass(1);
  expect(writes()).toBe(1);
  await report.write();
  expect(writes()).toBe(2);
  for (let seconds = 0; seconds < 10; seconds += 0.5) {
    await client.sending.send(mail);
    time.pass(500);
  }
  expect(writes()).toBe(3);
  await report.end();
  await client.sending.send(mail);
  time.pass(60_000);
  expect(writes()).toBe(4);
});

test('a change while the file is written comes into the next one; the last one waits for the one before', async () => {
  let finish: () => void = () => undefined;
  const { client, time, report, writes } = following(() => new Promise((resolve) => (finish = resolve)));
  await client.sending.send(mail);
  time.pass(1_000);
  await client.sending.send(mail);
  time.pass(400);
  expect([writes(), time.isAwaited]).toEqual([1, false]);
  finish();
  await expect.poll(() => time.isAwaited).toBe(true);
  // Writing takes a sixth of the time at most.
  time.pass(1_999);
  expect(writes()).toBe(1);
  time.pass(1);
  expect(writes()).toBe(2);
  const last = report.end();
  await Promise.resolve();
  expect(writes()).toBe(2);
  finish();
  await expect.poll(writes).toBe(3);
  finish();
  await expect(last).resolves.toMatchObject({ sent: 2 });
});

test('a file that cannot be written is told of, and is tried again after the next change', async () => {
  let isBroken = true;
  const { client, time, report, warnings, writes } = following(() =>
    isBroken ? Promise.reject(new Error('The disk is full')) : Promise.resolve(),
  );
  await client.sending.send(mail);
  time.pass(1_000);
  await expect.poll(() => warnings).toEqual(['The disk is full']);
  isBroken = false;
  await client.sending.send(mail);
  time.pass(1_000);
  expect(writes()).toBe(2);
  await expect(report.end()).resolves.toMatchObject({ sent: 2 });
});

/** Runs an emulator with options while a program sends a mail. Resolves when it has ended. */
async function run(options: readonly string[], during: (out: string) => Promise<void>) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  onTestFinished(() => end());
  let greeted: (text: string) => void = () => undefined;
  const greeting = new Promise<string>((resolve) => {
    greeted = resolve;
  });
  let out = '';
  const running = cli(['emulator', '--port', '0', '--seed', 'empty', ...options], {
    ended,
    out: (text) => {
      out += text;
      greeted(out);
    },
  });
  const first = await Promise.race([greeting, running]);
  if (typeof first === 'string') await during(first);
  end();
  return running;
}

const clientOf = (out: string) => {
  const value = (name: string) => new RegExp(`^EMAIL_PLATFORM_${name}=(.*)$`, 'm').exec(out)?.[1] ?? '';
  return new EmailPlatform({
    token: value('TOKEN'),
    hosts: { api: value('API_URL'), send: value('SEND_URL') },
  });
};

test('email-platform emulator --report writes a file at the start and at the end, and --fail-on ends with 1', async () => {
  const file = join(folder, 'run', 'mails.html');
  const { code, err } = await run(['--quiet', '--report', file, '--fail-on', 'error'], async (out) => {
    expect(existsSync(file)).toBe(true);
    await clientOf(out).sending.send(mail);
  });
  expect(err).toBe(
    `${file}: 1 kind of email, 1 sent, 1 request, 0 refused\n error  Order  "Hello undefined," in the text\n`,
  );
  expect(code).toBe(1);
  expect(await readFile(file, 'utf8')).toContain('Hello undefined,');
  expect(readdirSync(join(folder, 'run'))).toEqual(['mails.html']);
});

test('without --fail-on the findings are said, exit 0; --site takes the links of a program', async () => {
  const file = join(folder, 'site.html');
  const link = { ...mail, text: 'Go to http://localhost:3000/x' };
  const { code, err } = await run(
    ['--quiet', '--report', file, '--site', 'http://localhost:3000'],
    async (out) => {
      await clientOf(out).sending.send(link);
    },
  );
  expect([code, err]).toEqual([0, `${file}: 1 kind of email, 1 sent, 1 request, 0 refused\n`]);
});

test.each([
  [['--fail-on', 'error'], '--fail-on has no effect without --report'],
  [['--site', 'http://localhost:3000'], '--site has no effect without --report'],
  [['--report', 'a.html', '--fail-on', 'warning'], '--fail-on must be one of error, warn, not "warning"'],
  [['--report', 'a.html', '--site', 'localhost'], '--site must be a URL that begins with http: or https:'],
])('%j is a wrong command line', async (options, message) => {
  const { code, err } = await cli(['emulator', '--port', '0', ...options]);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test.each([['--summary', 'a.md'], ['--json'], ['--exit-code']])(
  '%s is for changes: it needs --against, exit 2',
  async (...option) => {
    const { code, err } = await cli(['report', 'a.html', '--out', 'b.html', ...option]);
    expect([code, err]).toEqual([2, expect.stringContaining(`${option[0]} needs --against <file>`)]);
  },
);

let levels = 0;

test.each([
  ['error', { ...mail, text: 'Hello Ann,', html: '<img src="https://e.org/a.png">' }, 0],
  ['warn', { ...mail, text: 'Hello Ann,', html: '<img src="https://e.org/a.png">' }, 1],
  ['warn', mail, 1],
])('--fail-on %s is about that level and worse ones: of %j, exit %i', async (level, sent, code) => {
  const file = join(folder, `level-${(levels += 1)}.html`);
  const args = ['--quiet', '--report', file, '--fail-on', level];
  const result = await run(args, async (out) => void (await clientOf(out).sending.send(sent)));
  expect(result.code).toBe(code);
  expect((await cli(['report', file, '--out', join(folder, 'joined.html'), '--fail-on', level])).code).toBe(
    code,
  );
});

test('a report that cannot be written is said at once, exit 1', async () => {
  const { code, err, out } = await cli([
    'emulator',
    '--port',
    '0',
    '--report',
    join(folder, 'site.html', 'x.html'),
  ]);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('The report cannot be written to');
});

test('email-platform report joins files', async () => {
  const emulator = createEmulator();
  await new EmailPlatform(emulator.clientOptions()).sending.send(mail);
  const [one, out] = [join(folder, 'one.html'), join(folder, 'all.html')];
  await emulator.report(one);
  const other = join(folder, 'two.html');
  copyFileSync(one, other);
  const joined = await cli(['report', one, other, '--out', out]);
  expect(joined).toEqual({
    code: 0,
    err: '',
    out: `${out}: 1 kind of email, 2 sent, 2 requests, 0 refused\n error  Order  "Hello undefined," in the text\n`,
  });
  expect((await cli(['report', one, '--out', out, '--fail-on', 'error'])).code).toBe(1);
  expect((await cli(['report', one])).code).toBe(2);
  const missing = await cli(['report', join(folder, 'none.html'), '--out', out]);
  expect([missing.code, missing.err]).toEqual([
    1,
    expect.stringContaining('none.html cannot be read: ENOENT'),
  ]);
});

test('with --against, --fail-on is about new findings of that level and worse ones', async () => {
  const fileOf = async (name: string, more: object) => {
    const emulator = createEmulator();
    await new EmailPlatform(emulator.clientOptions()).sending.send({ ...mail, text: 'Hello Ann,', ...more });
    await emulator.report(join(folder, name));
    return join(folder, name);
  };
  const good = await fileOf('good.html', {});
  const warned = await fileOf('warned.html', { html: '<p>Hello Ann,</p><img src="https://e.org/a.png">' });
  const wrong = await fileOf('wrong.html', { text: 'Hello undefined,' });
  const codeOf = async (file: string, level: string) =>
    (await cli(['report', file, '--against', good, '--fail-on', level])).code;
  expect([await codeOf(warned, 'error'), await codeOf(warned, 'warn')]).toEqual([0, 1]);
  expect([await codeOf(wrong, 'error'), await codeOf(wrong, 'warn')]).toEqual([1, 1]);
});
