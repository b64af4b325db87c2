import { ConfigurationError, EmailPlatform } from 'email-platform';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OTHER_VARIABLES } from '../../src/core/other-names.ts';
import { thrown } from '../support/expect-error.ts';

const minimal = { token: 'token', hosts: { api: 'https://api.test' } };

function keeping() {
  const lines: { readonly fields: EmailPlatform.LogFields; readonly message: string }[] = [];
  const none = () => undefined;
  const warn = (fields: EmailPlatform.LogFields, message: string) => void lines.push({ fields, message });
  const logger: EmailPlatform.Logger = { debug: none, info: none, warn, error: none };
  return { lines, logger };
}

/** What a client warns of that is made with these variables. */
function warnings(variables: Readonly<Record<string, string>>): string[] {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { lines, logger } = keeping();
  new EmailPlatform({ ...minimal, logger });
  return lines.map(({ message }) => message);
}

const warning = (name: string, meant: string) =>
  `${name} is not a known environment variable; did you mean \`${meant}\`?`;

let printed: unknown[][] = [];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'warn').mockImplementation((...line) => void printed.push(line));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('A variable whose name is almost right is a warning', () => {
  test.each([
    ['EMAIL_PLATFORM_TOKN', 'EMAIL_PLATFORM_TOKEN'],
    ['EMAIL_PLATFORM_TOEKN', 'EMAIL_PLATFORM_TOKEN'],
    ['EMAIL_PLATFORM_STREM', 'EMAIL_PLATFORM_STREAM'],
    ['EMAIL_PLATFORM_ACCOUNT', 'EMAIL_PLATFORM_ACCOUNT_ID'],
    ['EMAIL_PLATFORM_BULKURL', 'EMAIL_PLATFORM_BULK_URL'],
    ['EMAIL_PLATFORM_CONTROL_TOKE', 'EMAIL_PLATFORM_CONTROL_TOKEN'],
    ['EMAIL_PLATFROM_FROM', 'EMAIL_PLATFORM_FROM'],
    ['email_platform_log', 'EMAIL_PLATFORM_LOG'],
    ...Object.entries(OTHER_VARIABLES),
  ])('%s', (name, meant) => {
    expect(warnings({ [name]: 'x' })).toEqual([warning(name, meant)]);
  });

  test('with both names as fields, and without the value', () => {
    vi.stubEnv('EMAIL_PLATFORM_TOKN', 'secret');
    const { lines, logger } = keeping();
    new EmailPlatform({ ...minimal, logger });
    expect(lines.map(({ fields }) => fields)).toEqual([
      { variable: 'EMAIL_PLATFORM_TOKN', meant: 'EMAIL_PLATFORM_TOKEN' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('on the console if there is no logger, also if the client then lacks the misspelt setting', () => {
    vi.stubEnv('EMAIL_PLATFORM_TOKN', 'secret');
    expect(() => new EmailPlatform({ hosts: minimal.hosts })).toThrow('token is required');
    expect(printed).toEqual([
      [
        `email-platform: ${warning('EMAIL_PLATFORM_TOKN', 'EMAIL_PLATFORM_TOKEN')}`,
        { variable: 'EMAIL_PLATFORM_TOKN', meant: 'EMAIL_PLATFORM_TOKEN' },
      ],
    ]);
  });

  test('not without a logger, nor above its level, nor once more for a derived client', () => {
    vi.stubEnv('EMAIL_PLATFORM_TOKN', 'x');
    const { lines, logger } = keeping();
    new EmailPlatform({ ...minimal, logger: false });
    new EmailPlatform({ ...minimal, logger, logLevel: 'error' });
    void new EmailPlatform({ ...minimal, logger }).withOptions({ accountId: 7 });
    expect([lines.length, printed]).toEqual([1, []]);
  });

  test('that a logger may fail at', () => {
    vi.stubEnv('EMAIL_PLATFORM_TOKN', 'x');
    const { logger } = keeping();
    const warn = () => {
      throw new Error('disk full');
    };
    expect(new EmailPlatform({ ...minimal, logger: { ...logger, warn } })).toBeInstanceOf(EmailPlatform);
  });
});

describe('One that was to keep email from people is an error', () => {
  test.each([
    ['EMAIL_PLATFORM_RECIPIENT', 'EMAIL_PLATFORM_RECIPIENTS'],
    ['EMAIL_PLATFORM_RECIPEINTS', 'EMAIL_PLATFORM_RECIPIENTS'],
    ['EMAILPLATFORM_RECIPIENTS', 'EMAIL_PLATFORM_RECIPIENTS'],
    ['EMAIL_PLATFORM_REDIRECT', 'EMAIL_PLATFORM_REDIRECT_TO'],
    ['EMAIL_PLATFORM_ALLOWED_RECIPIENTS', 'EMAIL_PLATFORM_RECIPIENTS'],
    ['EMAIL_PLATFORM_ALLOW', 'EMAIL_PLATFORM_RECIPIENTS'],
    ['EMAIL_PLATFORM_ONLY_RECIPIENT_DOMAINS', 'EMAIL_PLATFORM_RECIPIENTS'],
    ['email_platform_allowlist', 'EMAIL_PLATFORM_RECIPIENTS'],
    ['EMAIL_PLATFORM_STAGING_REDIRECT_ADDRESS', 'EMAIL_PLATFORM_REDIRECT_TO'],
    ...[
      'WHITELIST',
      'ONLY_TO',
      'GUARD',
      'TO',
      'SAFE_LIST',
      'safelist',
      'PERMITTED',
      'BLOCK_ALL',
      'DRY_RUN',
      'RCPT',
    ].map((ending) => [`EMAIL_PLATFORM_${ending}`, 'EMAIL_PLATFORM_RECIPIENTS']),
    ...['CATCH_ALL', 'CATCHALL', 'DIVERT_TO', 'INTERCEPT', 'SINK', 'OVERRIDE_RECIPIENTS'].map((ending) => [
      `EMAIL_PLATFORM_${ending}`,
      'EMAIL_PLATFORM_REDIRECT_TO',
    ]),
  ])('%s', (name = '', meant = '') => {
    vi.stubEnv(name, '@us.example');
    for (const logger of [undefined, false] as const) {
      const error = thrown(() => new EmailPlatform({ ...minimal, logger }), ConfigurationError);
      expect([error.message, error.option]).toEqual([
        `${warning(name, meant)} If not, unset it: a rule for recipients must not be ignored`,
        'recipients',
      ]);
    }
  });
});

test.each([
  ['EMAIL_PLATFORM_DANGEROUSLY_ALLOW_HTTP', 'dangerouslyAllowHttp'],
  ['EMAIL_PLATFORM_ALLOW_HTTP', 'dangerouslyAllowHttp'],
  ['EMAIL_PLATFORM_ALLOW_BROWSER', 'dangerouslyAllowBrowser'],
])('%s is a warning, which names the option', (name, option) => {
  expect(warnings({ [name]: 'true' })).toEqual([
    `${name} is not a known environment variable: pass the option \`${option}\``,
  ]);
});

describe('Any other unknown one is named in one warning, and the client works', () => {
  test('all together, whatever they are for', () => {
    const names = ['TPL_RECEIPT', 'ORG', 'FOO', 'TOPIC', 'BOOTSTRAP'].map(
      (ending) => `EMAIL_PLATFORM_${ending}`,
    );
    const list = names.sort().join(', ');
    expect(warnings(Object.fromEntries(names.map((name) => [name, 'secret'])))).toEqual([
      `unknown environment variables: ${list}`,
    ]);
  });

  test('also beside one that is almost right, or one with its right name', () => {
    expect(
      warnings({
        EMAIL_PLATFORM_FOO: 'x',
        EMAIL_PLATFORM_TOKN: 'x',
        EMAIL_PLATFORM_FROM: 'a@b.test',
        EMAIL_PLATFORM_FROM2: 'c@d.test',
      }),
    ).toEqual([
      warning('EMAIL_PLATFORM_TOKN', 'EMAIL_PLATFORM_TOKEN'),
      'unknown environment variables: EMAIL_PLATFORM_FOO, EMAIL_PLATFORM_FROM2',
    ]);
  });
});

test('a guard that is set excuses no other name that could mean one', () => {
  vi.stubEnv('EMAIL_PLATFORM_RECIPIENTS', '@b.test');
  vi.stubEnv('EMAIL_PLATFORM_ONLY_TO', 'ann@b.test');
  thrown(() => new EmailPlatform(minimal), ConfigurationError);
});

describe('Nothing is said of', () => {
  test.each([
    'EMAIL_PLATFORM_WEBHOOK_SECRET',
    'EMAIL_PLATFORM_',
    'EMAIL_PLATFORM',
    'EMAIL_TOKEN',
    'PLATFORM_URL',
  ])('a name of another program or of the command: %s', (name) => {
    expect(warnings({ [name]: 'x' })).toEqual([]);
  });

  test('any variable that this package has', () => {
    const folder = join(import.meta.dirname, '../../src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const names = new Set(
      files.flatMap(
        (file) => readFileSync(join(folder, file), 'utf8').match(/EMAIL_PLATFORM_[A-Z_]*[A-Z]/g) ?? [],
      ),
    );
    expect(names.size).toBeGreaterThan(15);
    const read = [...names].filter((name) => !(name in OTHER_VARIABLES));
    for (const name of read) {
      const value = {
        EMAIL_PLATFORM_STREAM: 'bulk',
        EMAIL_PLATFORM_LOG: 'warn',
        EMAIL_PLATFORM_DOMAIN: 'example.com',
      }[name];
      const url = name.endsWith('_URL') ? 'https://api.test' : undefined;
      const id = name.endsWith('_ID') ? '7' : undefined;
      expect(warnings({ [name]: value ?? url ?? id ?? 'ann@example.org' }), name).toEqual([]);
      vi.unstubAllEnvs();
    }
  });

  test('all where listing them would ask a person, as in Deno', () => {
    const asked: object[] = [];
    const deno = (state: string) => ({
      permissions: {
        querySync: (what: object) => {
          asked.push(what);
          return { state: 'variable' in what ? 'granted' : state };
        },
      },
    });
    vi.stubGlobal('Deno', deno('prompt'));
    expect(warnings({ EMAIL_PLATFORM_TOKN: 'x' })).toEqual([]);
    expect(asked).toContainEqual({ name: 'env' });
    vi.stubGlobal('Deno', deno('granted'));
    expect(warnings({})).toEqual([warning('EMAIL_PLATFORM_TOKN', 'EMAIL_PLATFORM_TOKEN')]);
  });

  test('any of them where there is no environment', () => {
    vi.stubGlobal('process', undefined);
    expect(warnings({})).toEqual([]);
  });
});
