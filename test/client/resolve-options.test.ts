import { ConfigurationError, EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { resolveOptions } from '../../src/client/resolve-options.ts';
import { rejection, thrown } from '../support/expect-error.ts';

const hosts = { api: 'https://api.test' };
const minimal = { token: 'token', hosts };

/** The messages for options of any type. */
function refused(options: unknown): { option: string; message: string } {
  const { option, message, effect } = thrown(
    () => new EmailPlatform(options as EmailPlatformOptions),
    ConfigurationError,
  );
  expect(effect).toBe('none');
  return { option, message };
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('Defaults', () => {
  test('are those of the documentation', () => {
    const config = resolveOptions(minimal);
    expect(config).toMatchObject({
      auth: 'bearer',
      context: { accountId: undefined, stream: 'transactional', sandboxInboxId: undefined },
      timeoutMs: 30_000,
      retry: { maxRetries: 3, maxWaitMs: 90_000 },
    });
    expect(config.deadlineMs).toBeUndefined();
    expect(config.options.fetch).toBeUndefined();
  });

  test('fill in what `retry` leaves out', () => {
    expect(resolveOptions({ ...minimal, retry: { maxRetries: 9 } }).retry).toEqual({
      maxRetries: 9,
      maxWaitMs: 90_000,
    });
    expect(resolveOptions({ ...minimal, retry: false }).retry).toMatchObject({ maxRetries: 0 });
  });

  test('apply to options that are undefined', () => {
    const names = [
      'auth',
      'accountId',
      'stream',
      'timeoutMs',
      'deadlineMs',
      'retry',
      'throttle',
      'hooks',
      'appInfo',
    ];
    const undefinedOnes = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(resolveOptions({ ...minimal, ...undefinedOnes })).toMatchObject({
      auth: 'bearer',
      timeoutMs: 30_000,
    });
  });
});

describe('Wrong options are refused when the client is created, and the error names them', () => {
  const duration = 'must be a number of milliseconds';
  test.each<[unknown, string, string]>([
    [null, 'options', 'must be an object'],
    ['https://api.test', 'options', 'must be an object'],
    [{ ...minimal, tokne: 'x' }, 'tokne', 'is not a known field; did you mean `token`?'],
    [{ ...minimal, hosts: { ...hosts, smtp: 'x' } }, 'hosts.smtp', 'is not a known field'],
    [{ ...minimal, hosts: 'https://api.test' }, 'hosts', 'must be an object'],
    [{ ...minimal, hosts: null }, 'hosts', 'must be an object'],
    [{ ...minimal, auth: 'basic' }, 'auth', "must be one of 'bearer', 'api-token'"],
    [{ ...minimal, accountId: '7' }, 'accountId', 'must be a positive whole number'],
    [{ ...minimal, accountId: 0 }, 'accountId', 'must be a positive whole number'],
    [{ ...minimal, sandboxInboxId: 1.5 }, 'sandboxInboxId', 'must be a positive whole number'],
    [{ ...minimal, stream: 'fast' }, 'stream', "must be one of 'transactional', 'bulk', 'sandbox'"],
    [{ ...minimal, stream: 'sandbox' }, 'sandboxInboxId', 'EMAIL_PLATFORM_SANDBOX_INBOX_ID'],
    [{ ...minimal, timeoutMs: 0 }, 'timeoutMs', duration],
    [{ ...minimal, timeoutMs: '30' }, 'timeoutMs', duration],
    [{ ...minimal, timeoutMs: null }, 'timeoutMs', duration],
    [{ ...minimal, deadlineMs: Infinity }, 'deadlineMs', duration],
    [{ ...minimal, deadlineMs: NaN }, 'deadlineMs', duration],
    [{ ...minimal, retry: true }, 'retry', 'must be false or { maxRetries, maxWaitMs }'],
    [{ ...minimal, retry: { maxRetries: -1 } }, 'retry.maxRetries', 'must be a whole number, 0 or more'],
    [{ ...minimal, retry: { times: 1 } }, 'retry.times', 'is not a known field'],
    [{ ...minimal, throttle: true }, 'throttle', 'must be an object'],
    [{ ...minimal, throttle: null }, 'throttle', 'must be an object'],
    [{ ...minimal, throttle: { speed: 1 } }, 'throttle.speed', 'is not a known field'],
    [{ ...minimal, fetch: 'fetch' }, 'fetch', 'must be a function'],
    [{ ...minimal, fetch: null }, 'fetch', 'must be a function'],
    [{ ...minimal, hooks: { onrequest: () => 0 } }, 'hooks.onrequest', 'is not a known field'],
    [{ ...minimal, hooks: { onRequest: true } }, 'hooks.onRequest', 'must be a function'],
    [{ ...minimal, schemas: 'zod' }, 'schemas', 'must be an object of names and values'],
    [{ ...minimal, schemas: [] }, 'schemas', 'must be an object of names and values'],
    [{ ...minimal, schemas: { template: 5 } }, 'schemas.template', 'must be a Standard Schema'],
    [{ ...minimal, schemas: { helper: () => 0 } }, 'schemas.helper', 'must be a Standard Schema'],
    [
      { ...minimal, schemas: { template: { '~standard': {} } } },
      'schemas.template',
      'must be a Standard Schema',
    ],
    [{ ...minimal, validateResponses: true }, 'validateResponses', "must be one of 'report', 'throw'"],
    [{ ...minimal, validateResponses: 'throw' }, 'schemas', 'is required by validateResponses'],
    [{ ...minimal, hooks: { onMismatch: () => 0 } }, 'schemas', "from 'email-platform/schemas'"],
    [{ ...minimal, appInfo: {} }, 'appInfo.name', 'is required'],
    [{ ...minimal, appInfo: { name: 'my app' } }, 'appInfo.name', 'must be letters'],
    [{ ...minimal, appInfo: { name: 'a', version: '1\r\nx: y' } }, 'appInfo.version', 'must be letters'],
    [{ ...minimal, appInfo: { name: 'a', url: 'x' } }, 'appInfo.url', 'is not a known field'],
    [{ hosts }, 'token', 'EMAIL_PLATFORM_TOKEN'],
  ])('%o', (options, option, words) => {
    const error = refused(options);
    expect(error.option).toBe(option);
    expect(error.message).toContain(option);
    expect(error.message).toContain(words);
  });
});

describe('Hosts', () => {
  const api = (address: unknown, options: object = {}) =>
    resolveOptions({ token: 't', hosts: { api: address as string }, ...options }).hosts.api;

  test.each<[unknown, string]>([
    ['https://api.test', 'https://api.test'],
    ['https://api.test/', 'https://api.test'],
    ['https://api.test///', 'https://api.test'],
    [' https://api.test ', 'https://api.test'],
    ['https://api.test:8443/some/prefix/', 'https://api.test:8443/some/prefix'],
    ['https://api.test/a%20b', 'https://api.test/a%20b'],
    ['https://api.test?', 'https://api.test'],
    ['https://api.test/x/#', 'https://api.test/x'],
    ['HTTPS://API.test', 'https://api.test'],
    [new URL('https://api.test/p/'), 'https://api.test/p'],
  ])('%s', (address, resolved) => {
    expect(api(address)).toBe(resolved);
  });

  test.each<[unknown, string]>([
    ['', 'must be a URL'],
    ['/api', 'must be a URL'],
    ['api.test', 'must be a URL'],
    ['ftp://api.test', 'must start with https://'],
    ['file:///etc', 'must start with https://'],
    ['https://me@api.test', 'must be a URL without user name, query and fragment'],
    ['https://:pw@api.test', 'must be a URL without user name, query and fragment'],
    ['https://api.test?x=1', 'must be a URL without user name, query and fragment'],
    ['https://api.test#x', 'must be a URL without user name, query and fragment'],
    [7, 'must be a URL'],
    [null, 'must be a URL'],
  ])('%s is refused', (address, words) => {
    expect(refused({ token: 't', hosts: { api: address } })).toMatchObject({ option: 'hosts.api' });
    expect(refused({ token: 't', hosts: { api: address } }).message).toContain(words);
  });

  test('are not shown in the error if they contain a password', () => {
    expect(refused({ token: 't', hosts: { api: 'https://me:hunter2@api.test' } }).message).not.toContain(
      'hunter2',
    );
  });

  test.each([
    'http://localhost:4010',
    'http://LOCALHOST',
    'http://127.0.0.1',
    'http://127.9.9.9',
    'http://127.1',
    'http://[::1]:4010',
  ])('%s: plain http to this machine is allowed', (address) => {
    expect(api(address)).toMatch(/^http:/);
  });

  test.each([
    'http://api.test',
    'http://emulator.localhost',
    'http://127.0.0.1.evil.test',
    'http://localhost.evil.test',
    'http://notlocalhost',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://128.0.0.1',
  ])('%s: plain http to another machine is refused, unless allowed', (address) => {
    expect(refused({ token: 't', hosts: { send: address } })).toMatchObject({ option: 'hosts.send' });
    expect(api(address, { dangerouslyAllowHttp: true })).toMatch(/^http:/);
  });

  test('that are missing are reported by the first call that needs one, with the variable’s name', async () => {
    const client = new EmailPlatform({ token: 't', hosts: { send: 'https://send.test' } });
    const error = await rejection(client.campaigns.get(1), ConfigurationError);
    expect(error).toMatchObject({ option: 'hosts.api', effect: 'none', request: { attempts: 0 } });
    expect(error.message).toContain(
      'set EMAIL_PLATFORM_DOMAIN, EMAIL_PLATFORM_API_URL or EMAIL_PLATFORM_URL',
    );
  });
});

describe('The environment', () => {
  const variables = {
    EMAIL_PLATFORM_TOKEN: 'from-environment',
    EMAIL_PLATFORM_ACCOUNT_ID: '42',
    EMAIL_PLATFORM_SANDBOX_INBOX_ID: '43',
    EMAIL_PLATFORM_API_URL: 'https://api.env.test',
    EMAIL_PLATFORM_SEND_URL: 'https://send.env.test',
    EMAIL_PLATFORM_BULK_URL: 'https://bulk.env.test',
    EMAIL_PLATFORM_SANDBOX_URL: 'https://sandbox.env.test/',
  };
  const setAll = () => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  };

  test('supplies what the options leave out', () => {
    setAll();
    expect(resolveOptions({})).toMatchObject({
      token: 'from-environment',
      context: { accountId: 42, sandboxInboxId: 43 },
      hosts: {
        api: 'https://api.env.test',
        send: 'https://send.env.test',
        bulk: 'https://bulk.env.test',
        sandbox: 'https://sandbox.env.test',
      },
    });
  });

  test('is overridden by the options', () => {
    setAll();
    expect(
      resolveOptions({ token: 'mine', accountId: 1, hosts: { api: 'https://mine.test' } }),
    ).toMatchObject({
      token: 'mine',
      context: { accountId: 1, sandboxInboxId: 43 },
      hosts: { api: 'https://mine.test', send: 'https://send.env.test' },
    });
  });

  test('supplies the stream and the sender of every email', async () => {
    setAll();
    vi.stubEnv('EMAIL_PLATFORM_STREAM', 'bulk');
    vi.stubEnv('EMAIL_PLATFORM_FROM', 'The Gardeners <hello@mail.example.com>');
    const from = { email: 'hello@mail.example.com', name: 'The Gardeners' };
    expect(resolveOptions({})).toMatchObject({
      context: { stream: 'bulk' },
      options: { defaults: { from } },
    });
    // It fills in what the options leave out, and nothing else.
    const { context, options } = resolveOptions({ stream: 'transactional', defaults: { category: 'news' } });
    expect([context.stream, options.defaults]).toEqual(['transactional', { category: 'news', from }]);
    const own = { email: 'own@mail.example.com' };
    expect(resolveOptions({ defaults: { from: 'own@mail.example.com' } }).options.defaults).toEqual({
      from: own,
    });

    const emulator = createEmulator();
    const client = new EmailPlatform(emulator.clientOptions());
    await client.sending.send({ to: 'ann@example.org', subject: 'Hi', text: 'Hi.' });
    expect(emulator.messages()).toMatchObject([{ from: from.email, stream: 'bulk' }]);
  });

  test('supplies all hosts by one address, of which the variable of a host and an option take precedence', () => {
    vi.stubEnv('EMAIL_PLATFORM_URL', 'http://localhost:4010/');
    vi.stubEnv('EMAIL_PLATFORM_BULK_URL', 'https://bulk.env.test');
    expect(resolveOptions({ token: 't', hosts: { send: 'https://send.mine.test' } }).hosts).toEqual({
      api: 'http://localhost:4010/account',
      send: 'https://send.mine.test',
      bulk: 'https://bulk.env.test',
      sandbox: 'http://localhost:4010/sandbox',
    });
    vi.stubEnv('EMAIL_PLATFORM_URL', 'https://gateway.test/email');
    expect(resolveOptions({ token: 't' }).hosts.api).toBe('https://gateway.test/email/account');
  });

  const live = {
    api: 'https://example.com',
    send: 'https://send.api.example.com',
    bulk: 'https://bulk.api.example.com',
    sandbox: 'https://sandbox.api.example.com',
  };

  test('supplies all hosts by the domain of the service, as the option does', () => {
    vi.stubEnv('EMAIL_PLATFORM_DOMAIN', 'Example.com');
    expect(resolveOptions({ token: 't' }).hosts).toEqual(live);
    vi.stubEnv('EMAIL_PLATFORM_DOMAIN', 'else.test');
    expect(resolveOptions({ token: 't', hosts: { domain: 'example.com' } }).hosts).toEqual(live);
  });

  test('supplies a host after its option and the domain: its variable, the one address, the variable of the domain', () => {
    const sendOf = (given: EmailPlatformOptions['hosts']) =>
      resolveOptions({ token: 't', hosts: given }).hosts.send;
    vi.stubEnv('EMAIL_PLATFORM_DOMAIN', 'e.test');
    expect(sendOf({})).toBe('https://send.api.e.test');
    vi.stubEnv('EMAIL_PLATFORM_URL', 'https://d.test');
    expect(sendOf({})).toBe('https://d.test/send');
    vi.stubEnv('EMAIL_PLATFORM_SEND_URL', 'https://c.test');
    expect(sendOf({})).toBe('https://c.test');
    expect(sendOf({ domain: 'b.test' })).toBe('https://send.api.b.test');
    expect(sendOf({ domain: 'b.test', send: 'https://a.test' })).toBe('https://a.test');
  });

  test('supplies all hosts by the option `domain`, which is short for the domain of `hosts`', () => {
    const hostsOf = (options: EmailPlatformOptions) => resolveOptions({ token: 't', ...options }).hosts;
    expect(hostsOf({ domain: 'example.com' })).toEqual(hostsOf({ hosts: { domain: 'example.com' } }));
    expect(hostsOf({ domain: 'example.com', hosts: { send: 'https://a.test' } }).send).toBe('https://a.test');
    const parent = resolveOptions({ token: 't', domain: 'example.com' });
    const derived = (options: EmailPlatformOptions) =>
      resolveOptions(options, undefined, parent.options).hosts;
    expect(derived({ domain: 'b.test' })).toEqual(hostsOf({ domain: 'b.test' }));
    expect(derived({ hosts: { domain: 'b.test' } })).toEqual(hostsOf({ domain: 'b.test' }));
    expect(derived({ timeoutMs: 1 })).toEqual(parent.hosts);
    expect(refused({ token: 't', domain: 'https://example.com' }).message).toMatch(
      /^domain must be a bare domain/,
    );
    expect(refused({ token: 't', domain: 'a.test', hosts: { domain: 'a.test' } }).message).toBe(
      'domain must be left out together with hosts.domain',
    );
  });

  test('does not apply to a derived client whose domain replaces all hosts', () => {
    const parent = resolveOptions({ token: 't', hosts });
    const derived = resolveOptions({ hosts: { domain: 'example.com' } }, undefined, parent.options);
    expect(derived.hosts).toEqual(live);
  });

  test('is refused where a host is this machine and another one the service', () => {
    vi.stubEnv('EMAIL_PLATFORM_DOMAIN', 'example.com');
    const local = 'http://127.0.0.1:4010/send';
    const { option, message } = refused({ token: 't', hosts: { send: local } });
    expect(option).toBe('hosts.api');
    expect(message).toContain(`https://example.com) while hosts.send is this machine (${local})`);
    vi.stubEnv('EMAIL_PLATFORM_URL', 'http://localhost:4010');
    expect(resolveOptions({ token: 't' }).hosts.api).toBe('http://localhost:4010/account');
    expect(refused({ token: 't', hosts: { domain: 'example.com', bulk: local } }).option).toBe('hosts.api');
  });

  test.each([
    'https://example.com',
    'example.com/api',
    'example.com:443',
    'localhost',
    '127.0.0.1',
    ' a.b',
    'a..b',
    7,
  ])('is refused if the domain is not a bare name: %s', (domain) => {
    const given = refused({ token: 't', hosts: { domain: domain as string } });
    expect(given.message).toMatch(/^hosts\.domain must be a bare domain name, such as example\.com/);
    vi.stubEnv('EMAIL_PLATFORM_DOMAIN', String(domain));
    const { option, message } = refused({ token: 't' });
    expect([option, message]).toEqual([
      'hosts.domain',
      'EMAIL_PLATFORM_DOMAIN must be a bare domain name, such as example.com',
    ]);
  });

  test('counts as unset if a variable is empty', () => {
    vi.stubEnv('EMAIL_PLATFORM_TOKEN', '');
    vi.stubEnv('EMAIL_PLATFORM_ACCOUNT_ID', '');
    expect(refused({ hosts }).option).toBe('token');
    expect(resolveOptions(minimal).context.accountId).toBeUndefined();
  });

  test.each([
    ['EMAIL_PLATFORM_TOKEN', 'not a token', 'token'],
    ['EMAIL_PLATFORM_ACCOUNT_ID', 'seven', 'accountId'],
    ['EMAIL_PLATFORM_ACCOUNT_ID', '-1', 'accountId'],
    ['EMAIL_PLATFORM_SANDBOX_INBOX_ID', '1.5', 'sandboxInboxId'],
    ['EMAIL_PLATFORM_API_URL', 'api.test', 'hosts.api'],
    ['EMAIL_PLATFORM_SEND_URL', 'http://send.test', 'hosts.send'],
    ['EMAIL_PLATFORM_STREAM', 'fast', 'stream'],
    ['EMAIL_PLATFORM_FROM', 'us@a.test, them@a.test', 'defaults.from'],
  ])('is checked like options, and named in the error: %s=%s', (variable, value, option) => {
    setAll();
    vi.stubEnv(variable, value);
    const error = refused({});
    expect(error.option).toBe(option);
    expect(error.message).toContain(variable);
    expect(error.message).not.toContain(value);
  });

  test('is checked where it names one address for all hosts', () => {
    vi.stubEnv('EMAIL_PLATFORM_URL', 'localhost:4010');
    const { option, message } = refused({ token: 't' });
    expect([option, message]).toEqual([
      'hosts.api',
      'EMAIL_PLATFORM_URL must be a URL, such as http://localhost:4010',
    ]);
    vi.stubEnv('EMAIL_PLATFORM_URL', 'https://gateway.test?key=1');
    expect(refused({ token: 't' }).message).toMatch(/^EMAIL_PLATFORM_URL must be a URL without user name/);
  });

  test.each<[string, unknown]>([
    ['no process', undefined],
    ['a process without an environment', {}],
    [
      'an environment that may not be read',
      {
        get env(): never {
          throw new Error('denied');
        },
      },
    ],
  ])('is not needed: %s', (_, process) => {
    setAll();
    vi.stubGlobal('process', process);
    const { token, hosts: addresses } = resolveOptions(minimal);
    expect([token, addresses]).toEqual(['token', { api: 'https://api.test' }]);
    expect(thrown(() => resolveOptions({ hosts }), ConfigurationError).option).toBe('token');
  });
});

describe('User-Agent', () => {
  test.each([
    [undefined, /^email-platform\/\d+\.\d+\.\d+$/],
    [{ name: 'shop' }, /^email-platform\/\S+ shop$/],
    [{ name: 'shop', version: '2.0.1-rc.1' }, /^email-platform\/\S+ shop\/2\.0\.1-rc\.1$/],
  ])('%o', (appInfo, userAgent) => {
    expect(resolveOptions({ ...minimal, appInfo }).userAgent).toMatch(userAgent);
  });
});

describe('An environment that Deno does not let the program read', () => {
  const deno = (state: string) => {
    vi.stubGlobal('Deno', { permissions: { querySync: () => ({ state }) } });
    vi.stubEnv('EMAIL_PLATFORM_TOKEN', undefined);
  };

  test.each(['prompt', 'denied'])('is what the error names: %s', async (state) => {
    deno(state);
    const { option, message } = refused({ hosts });
    expect(option).toBe('token');
    expect(message).toMatch(/no permission \(--allow-env=EMAIL_PLATFORM_TOKEN\)$/);
    expect(message).not.toContain('set EMAIL_PLATFORM_TOKEN');
    const { campaigns } = new EmailPlatform({ token: 'token' });
    const atFirstUse = await rejection(campaigns.get(1), ConfigurationError);
    expect(atFirstUse.message).toContain('--allow-env=EMAIL_PLATFORM_API_URL');
  });

  test('is not, where it may be read', () => {
    deno('granted');
    expect(refused({ hosts }).message).toMatch(/or set EMAIL_PLATFORM_TOKEN; or, in a build/);
  });
});

test.each(['"', "'", '`'])(
  'A token in %s, which some tools keep, is refused with the reason',
  async (quote) => {
    const token = `${quote}0123456789abcdef${quote}`;
    const given = thrown(() => resolveOptions({ token }), ConfigurationError);
    expect(given.message).toMatch(/^token must not be in quotes: some tools/);
    for (const [token, why] of [
      ['undefined', /the word undefined/],
      ['null', /the word null/],
      ['${EMAIL_PLATFORM_TOKEN}', /a placeholder/],
      ['$EMAIL_PLATFORM_TOKEN', /a placeholder/],
      ['EMAIL_PLATFORM_TOKEN=abcdef', /begins with the name of a variable/],
      ['Api-Token:abcdef', /begins with the name of a header/],
    ] as const)
      expect(thrown(() => resolveOptions({ token }), ConfigurationError).message).toMatch(why);
    vi.stubEnv('EMAIL_PLATFORM_TOKEN', token);
    expect(thrown(() => resolveOptions({}), ConfigurationError).message).toMatch(
      /^EMAIL_PLATFORM_TOKEN must not be in/,
    );
    const emulator = createEmulator();
    const client = new EmailPlatform({ ...emulator.clientOptions(), token: () => token });
    const { message } = await rejection(client.accounts.list(), ConfigurationError);
    expect(message).not.toContain('0123456789abcdef');
    expect(emulator.requests).toEqual([]);
  },
);

test.each(['send.api.', 'Bulk.Api.', 'sandbox.api.'])(
  'A domain that begins with %s is refused with the reason',
  (prefix) => {
    const given = thrown(
      () => resolveOptions({ token: 't', hosts: { domain: `${prefix}example.com` } }),
      ConfigurationError,
    );
    expect(given.message).toBe(
      `hosts.domain must be the domain alone, the part after \`${prefix.toLowerCase()}\``,
    );
  },
);
