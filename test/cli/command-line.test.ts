import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { connectEmulator, createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { parentGone } from '../../src/cli/parent.ts';
import { run } from '../../src/cli/run.ts';
import { VERSION } from '../../src/version.ts';
import { bundledProgram } from '../support/programs.ts';
import { exchange, head, listPath } from '../testing/tools/raw.ts';
import { cli, quiet } from './in-process.ts';
import { started } from './started.ts';

const command = bundledProgram(fileURLToPath(new URL('../../src/cli/index.ts', import.meta.url)));

describe('email-platform', () => {
  test('an error without a message is named by its code, exit 1', async () => {
    const client = () => {
      throw Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
    };
    expect(await cli(['doctor'], { client })).toEqual({ code: 1, out: '', err: 'ECONNREFUSED\n' });
  });

  test('--version, exit 0', async () => {
    expect(await cli(['--version'])).toEqual({ code: 0, out: `${VERSION}\n`, err: '' });
  });

  test.each([
    [
      ['serve'],
      "Unknown command 'serve'. The commands are: emulator, journal, templates, trigger, report, why, doctor",
    ],
    [['emulater'], "Unknown command 'emulater' (Did you mean emulator?)"],
    [['help', 'journal', 'stat'], "Unknown command 'stat' (Did you mean status?)"],
    [['emulator', 'now'], "Too many arguments for 'emulator'. Expected 0 arguments but got 1."],
    [['emulator', '--prot', '1'], "Unknown option '--prot' (Did you mean --port?)"],
    [['emulator', '--port'], "Option '--port <number>' argument missing"],
    [['emulator', '--port', '65536'], '--port must be a number from 0 to 65535, not "65536"'],
    [['emulator', '--port', '65535', '--seed', 'full'], '--seed must be one of demo, empty, not "full"'],
    [['emulator', '--seed', 'full'], '--seed must be one of demo, empty, not "full"'],
    [['emulator', '--window', 'round'], '--window must be one of aligned, fixed, sliding'],
    [['emulator', '--limit', 'token'], '--limit must look like token=150/10000'],
    [['emulator', '--limit', 'all=1/1'], '--limit must be one of token, contacts'],
    [['emulator', '--limit', 'token=1/9999999999999'], '--limit must look like token=150/10000'],
    [['emulator', '--expose', 'Date,retry after'], '--expose must be names of headers, not "retry after"'],
    [['emulator', '--expose', 'Date'], '--expose has no effect without --cors'],
    [
      ['emulator', '--cors', '*'],
      '--cors must be an origin such as http://localhost:5173, without a path, not "*"',
    ],
    [['emulator', '--cors', 'http://localhost:5173', '--cors', 'http://a.test/b'], 'not "http://a.test/b"'],
    [
      ['emulator', '--allow-host', 'http://a.test'],
      '--allow-host must be a host name such as emulator.example.com, with or without a port, not "http://a.test"',
    ],
    [['emulator', '--allow-host', 'a.test', '--allow-host', '*'], '--allow-host must be a host name'],
    [['emulator', '--token', ''], '--token must be letters, digits and any of . _ + / = -'],
    [['emulator', '--token'], "Option '--token <token>' argument missing"],
    [
      ['emulator', '--control-token', 'a-long-enough-token'],
      '--control-token has no effect without --control',
    ],
    [['emulator', '--control', '--control-token', 'short'], '--control-token must be at least 16 characters'],
    [['emulator', '--allowed-host', 'a.test'], "Unknown option '--allowed-host'"],
    [['emulator', '--host', '0.0.0.0'], '--host lets other machines in: it needs --token, and --allow-host'],
    [['emulator', '--answers', 'both'], '--answers must be one of specified, recorded, not "both"'],
  ])('%j is invalid: says why, and the usage in one line, exit 2', async (args, message) => {
    const { code, out, err } = await cli(args);
    expect([code, out]).toEqual([2, '']);
    const [why, usage, ...others] = err.split('\n');
    expect(why).toContain(message);
    expect(usage).toMatch(/^Usage: email-platform .* says more\)$/);
    expect(others).toEqual(['']);
  });

  test('an invalid token is not repeated in the message', async () => {
    const { code, err } = await cli(['emulator', '--token', 'secret value']);
    expect([code, err.split('\n')[0]]).toEqual([2, '--token must be letters, digits and any of . _ + / = -']);
    expect(err).not.toContain('secret');
  });

  test('a port in use is reported, exit 1', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, err } = await cli(['emulator', '--port', String(port)]);
    other.close();
    expect([code, err]).toEqual([1, expect.stringContaining(`Port ${port} is in use`) as unknown]);
  });

  test('an address of another machine is reported, exit 1', async () => {
    const open = ['--host', '192.0.2.1', '--token', 'token-of-compose', '--allow-host', 'a.test'];
    const { code, err } = await cli(['emulator', '--port', '0', ...open]);
    expect([code, err]).toEqual([1, 'This machine does not have the address of --host.\n']);
  });
});

describe('email-platform emulator --control', () => {
  test('shows the address and the token of the control API, which is another one, and an address for a browser', async () => {
    const { out, value } = await started('--control', '--cors', 'http://localhost:5173');
    const control = value('CONTROL_URL');
    const headers = { authorization: `Bearer ${value('CONTROL_TOKEN')}` };
    expect(new URL(control).origin).toBe(new URL(value('API_URL')).origin);
    expect((await fetch(`${control}/clock`, { headers })).status).toBe(200);
    expect((await fetch(value('API_URL') + '/api/accounts', { headers })).status).toBe(401);
    expect(
      out
        .trimEnd()
        .split('\n')
        .filter((line) => !/^(#.*|[A-Z_]+=[\w:/.-]+)?$/.test(line)),
    ).toEqual([]);
    const [, browser = ''] = /^# Page: (\S+)$/m.exec(out) ?? [];
    expect(browser).not.toContain(value('CONTROL_TOKEN'));
    for (const line of out.split('\n').filter((line) => line.includes(browser)))
      expect(line.length).toBeLessThanOrEqual(80);
    const opened = async () => (await fetch(browser, { redirect: 'manual' })).status;
    expect([await opened(), await opened()]).toEqual([303, 303]);
  });

  test('the token is random, unless it is given', async () => {
    const tokens = [await started('--control'), await started('--control')].map(({ value }) =>
      value('CONTROL_TOKEN'),
    );
    expect(new Set(tokens).size).toBe(2);
    expect(tokens.filter((token) => token.length < 40)).toEqual([]);
    const { value } = await started('--control', '--control-token', 'the-token-of-my-tests');
    expect(value('CONTROL_TOKEN')).toBe('the-token-of-my-tests');
  });

  test('without the option there is no control API, and the output does not mention one', async () => {
    const { out, value } = await started();
    expect(out).not.toMatch(/control|browser/i);
    expect((await fetch(`${new URL(value('API_URL')).origin}/_emulator/health`)).status).toBe(501);
  });
});

describe('The emulator ends', () => {
  test.each([
    [['--until-stdin-closes'], 'closed'],
    [[], 'open'],
  ])('with its standard input, if %j: %s', async (args, outcome) => {
    let stop: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (stop = resolve));
    let asked = 0;
    const inputEnds = () => {
      asked += 1;
      return Promise.resolve();
    };
    const running = run(['emulator', '--port', '0', ...args], { ...quiet(), ended, inputEnds });
    if (outcome === 'open') stop();
    expect(await running).toBe(0);
    expect(asked).toBe(outcome === 'closed' ? 1 : 0);
  });

  test('when the process that started it is gone', async () => {
    let parent = 7;
    let look: () => void = () => undefined;
    let isLooking = true;
    const gone = parentGone(
      () => parent,
      (next) => {
        look = next;
        return () => (isLooking = false);
      },
    );
    let isGone = false;
    void gone.then(() => (isGone = true));
    look();
    await Promise.resolve();
    expect(isGone).toBe(false);
    parent = 1;
    look();
    await gone;
    expect(isLooking).toBe(false);
  });

  test.skipIf(process.platform === 'win32')(
    'a process whose parent is killed, as npm starts it',
    async () => {
      // The shell waits for the emulator, and passes no signal on.
      const shell = spawn('sh', ['-c', '"$0" "$1" emulator --port 0; exit 0', process.execPath, command], {
        env: { ...process.env, npm_command: 'exec' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let out = '';
      for await (const chunk of shell.stdout) {
        out += String(chunk);
        if (out.includes('curl')) break;
      }
      const [, url = ''] = /^EMAIL_PLATFORM_API_URL=(.+)$/m.exec(out) ?? [];
      expect((await fetch(url)).status).toBe(501);
      shell.kill('SIGKILL');
      await expect.poll(() => fetch(url).then(String, () => 'ended'), { timeout: 20_000 }).toBe('ended');
    },
  );
});

describe('email-platform emulator', () => {
  test('shows the connection settings, responds, and exits when it is stopped', async () => {
    const { value, end, exited, url } = await started(
      ...['--limit', 'token=1/10000', '--limit', 'stats=off', '--window', 'fixed'],
    );
    const headers = { authorization: `Bearer ${value('TOKEN')}` };
    const page = (await (await fetch(url, { headers })).json()) as { data: unknown[] };
    expect(page.data).toHaveLength(1);
    expect((await fetch(url, { headers })).status).toBe(429);
    for (const name of ['SEND_URL', 'BULK_URL', 'SANDBOX_URL']) {
      expect(value(name)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\w+$/);
    }
    expect(value('ACCOUNT_ID')).toMatch(/^\d+$/);
    expect(value('SANDBOX_INBOX_ID')).toMatch(/^\d+$/);
    end();
    expect(await exited).toBe(0);
    await expect(fetch(url, { headers })).rejects.toThrow(TypeError);
  });

  test.each([
    [[], { errors: 'Access forbidden' }],
    [['--answers', 'specified'], { errors: 'Access forbidden' }],
    [['--answers', 'recorded'], { success: false, errors: ['Access forbidden'] }],
  ])('a sending host refuses in the form that is asked for: %j', async (args, body) => {
    const { value } = await started('--control', ...args);
    const call = async (url: string, token: string, given: object): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(given) })).json();
    };
    const { token } = (await call(`${value('CONTROL_URL')}/tokens`, value('CONTROL_TOKEN'), {
      permissions: { sending: 'none' },
    })) as { token: string };
    expect(await call(`${value('SEND_URL')}/api/send`, token, {})).toEqual(body);
  });

  test('every pool of the emulator has a limit that can be set', async () => {
    const { url, value } = await started(
      '--limit',
      'templatesList=1/60000',
      '--limit',
      'templatesCreate=off',
    );
    const headers = { authorization: `Bearer ${value('TOKEN')}` };
    const templates = `${value('API_URL')}/api/templates`;
    const statuses = [await fetch(templates, { headers }), await fetch(templates, { headers })];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
    expect((await fetch(url, { headers })).status).toBe(200);
  });

  test('--no-limits turns off every limit', async () => {
    const { url, value } = await started('--limit', 'token=1/10000', '--no-limits');
    const headers = { authorization: `Bearer ${value('TOKEN')}` };
    for (let count = 0; count < 3; count += 1) expect((await fetch(url, { headers })).status).toBe(200);
  });

  // The first request is 10 seconds after a full minute; then two are 61, and two are 71 seconds after it.
  test.each([
    ['aligned', [200, 200, 429, 429]],
    ['fixed', [200, 429, 200, 200]],
    ['sliding', [200, 429, 200, 429]],
  ])('--window %s decides when a limit of two in a minute is free again', async (kind, expected) => {
    const { url, value } = await started('--control', '--limit', 'token=2/60000', '--window', kind);
    const { clock } = connectEmulator(value('CONTROL_URL'), { controlToken: value('CONTROL_TOKEN') });
    const headers = { authorization: `Bearer ${value('TOKEN')}` };
    const status = async () => (await fetch(url, { headers })).status;
    await clock.set((Math.floor((await clock.now()) / 60_000) + 1) * 60_000 + 10_000);
    expect(await status()).toBe(200);
    const statuses: number[] = [];
    for (const ms of [51_000, 10_000]) {
      await clock.advance(ms);
      statuses.push(await status(), await status());
    }
    expect(statuses).toEqual(expected);
  });

  test('its output can be saved as an .env file', async () => {
    const { out } = await started();
    expect(out).toContain('curl');
    const lines = out.trimEnd().split('\n');
    expect(lines.filter((line) => !/^(#.*|[A-Z_]+=[\w:/.-]+)?$/.test(line))).toEqual([]);
  });

  test('the token is a new one of at least 128 random bits at each start, and no other is valid', async () => {
    const tokens: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { out, value, url } = await started();
      const token = value('TOKEN');
      expect(token).toMatch(/^emu_[\w-]{32}$/);
      expect(out).toContain(`curl -H 'Authorization: Bearer ${token}'`);
      const statusWith = async (one: string) =>
        (await fetch(url, { headers: { authorization: `Bearer ${one}` } })).status;
      const usual = createEmulator().clientOptions().token;
      expect([await statusWith(token), await statusWith(usual)]).toEqual([200, 401]);
      for (const earlier of tokens) expect(await statusWith(earlier)).toBe(401);
      tokens.push(token);
    }
    expect(new Set(tokens).size).toBe(3);
  });

  test('--token sets it', async () => {
    const { value, url } = await started('--token', 'my-own.token');
    expect(value('TOKEN')).toBe('my-own.token');
    expect((await fetch(url, { headers: { 'api-token': 'my-own.token' } })).status).toBe(200);
  });

  test('--allow-host allows each host that it names, and only these', async () => {
    const { url, value } = await started('--allow-host', 'a.test', '--allow-host', 'b.test:81');
    const port = Number(new URL(url).port);
    const statusFor = async (host: string) => {
      const authorization = `Bearer ${value('TOKEN')}`;
      const [response] = await exchange(
        port,
        head('GET', listPath, { host, authorization, connection: 'close' }),
      );
      return response?.status;
    };
    expect([await statusFor('a.test:9'), await statusFor('b.test:81')]).toEqual([200, 200]);
    expect([await statusFor('c.test'), await statusFor('b.test'), await statusFor('localhost')]).toEqual([
      403, 403, 200,
    ]);
  });

  test('--cors names the pages that may call it, --expose what they may read', async () => {
    const origins = ['http://localhost:5173', 'https://shop.example.com'];
    const { url } = await started(
      ...origins.flatMap((one) => ['--cors', one]),
      '--expose',
      'Date, X-RateLimit-Limit',
    );
    for (const origin of [...origins, 'http://evil.test']) {
      const { headers } = await fetch(url, { headers: { origin } });
      const isNamed = origins.includes(origin);
      expect([
        headers.get('access-control-allow-origin'),
        headers.get('access-control-expose-headers'),
      ]).toEqual(isNamed ? [origin, 'Date, X-RateLimit-Limit'] : [null, null]);
    }
  });

  test('by default no page may call it', async () => {
    const { url } = await started();
    const { headers } = await fetch(url, { headers: { origin: 'http://localhost:5173' } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the process with exit 0', async (signal) => {
    const child = spawn(process.execPath, [command, 'emulator', '--port', '0', '--seed', 'empty']);
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
