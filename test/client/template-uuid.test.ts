import {
  ConfigurationError,
  EmailPlatform,
  templateUuid,
  type EmailPlatformOptions,
  type TemplateUuids,
} from 'email-platform';
import { describe, expect, test, vi } from 'vitest';

const uuids: TemplateUuids = {
  folder: 'emails',
  accounts: { '7': { receipt: 'of 7', toString: 'text' }, '9': { receipt: 'of 9' } },
  unpushed: { receipt: 'unpushed', invite: 'unpushed invite' },
};

/** Locks, with the result for each account of a client: a UUID, or the account to which the template was not pushed. */
const STATES: readonly [
  lock: string,
  accounts: TemplateUuids['accounts'],
  results: Record<string, string>,
][] = [
  ['no account', {}, { none: '!', 7: '!7', 9: '!9', 1001: 'unpushed' }],
  ['7', { 7: { receipt: 'of 7' } }, { none: 'of 7', 7: 'of 7', 9: '!9', 1001: 'unpushed' }],
  ['7 without it', { 7: { invite: 'x' } }, { none: '!7', 7: '!7', 9: '!9', 1001: 'unpushed' }],
  ['7 without templates', { 7: {} }, { none: '!7', 7: '!7', 9: '!9', 1001: 'unpushed' }],
  ['that of emulators', { 1001: { receipt: 'of 1001' } }, { none: '!', 7: '!7', 1001: 'of 1001' }],
  [
    '7 and that of emulators',
    { 7: { receipt: 'of 7' }, 1001: { receipt: 'of 1001' } },
    { none: 'of 7', 7: 'of 7', 9: '!9', 1001: 'of 1001' },
  ],
  ['that of emulators without it', { 1001: { invite: 'x' } }, { none: '!', 7: '!7', 1001: '!1001' }],
  [
    '7, and 9 without it',
    { 7: { receipt: 'of 7' }, 9: {} },
    { none: '!several', 7: 'of 7', 9: '!9', 1001: 'unpushed' },
  ],
];
const HOSTS: readonly [host: string, hosts: EmailPlatformOptions['hosts'], isLive: boolean][] = [
  ['this machine', { api: 'http://localhost:4010/account', send: 'http://127.0.0.1:4011' }, false],
  [
    'an emulator elsewhere',
    { api: 'https://mail.example.com/account', bulk: 'https://mail.example.com/bulk' },
    false,
  ],
  ['the service', { domain: 'example.com' }, true],
  [
    'the service alone for sending',
    { api: 'http://localhost:4010/account', send: 'https://send.example.com' },
    true,
  ],
];
const ROWS = STATES.flatMap(([lock, accounts, results]) =>
  Object.entries(results).flatMap(([account, result]) =>
    (account === 'none' ? ['nothing'] : ['the option', 'the variable']).flatMap((from) =>
      HOSTS.map(([host, hosts, isLive]) => ({
        lock,
        account,
        from,
        host,
        accounts,
        hosts,
        isLive,
        result: isLive && account === '1001' ? '!live' : result,
      })),
    ),
  ),
);

test.each(ROWS)(
  'with $lock in the lock, $from sets account $account of the client, whose host is $host: $result',
  ({ account, from, accounts, hosts, isLive, result }) => {
    const accountId = from === 'the option' ? Number(account) : undefined;
    if (from === 'the variable') vi.stubEnv('EMAIL_PLATFORM_ACCOUNT_ID', account);
    const client = new EmailPlatform({ token: 't', hosts, accountId });
    vi.unstubAllEnvs();
    const call = () => templateUuid(client, 'receipt', { ...uuids, accounts });
    if (!result.startsWith('!')) {
      expect(call()).toBe(result);
      return;
    }
    expect(call).toThrow(ConfigurationError);
    expect(call).toThrow(
      {
        '!several': 'accounts 7, 9',
        '!': 'was not pushed before its types were generated: npx',
        '!live':
          /^1001 is the account of emulators, and https:\/\/(send\.)?example\.com is not the address of an emulator: pass the id of your account as accountId, or set EMAIL_PLATFORM_ACCOUNT_ID to it$/,
      }[result] ?? `not pushed to account ${result.slice(1)} before its types were generated: npx`,
    );
    if (isLive) expect(call).not.toThrow('to test without a push');
  },
);

describe('A template that cannot be chosen is an error that names the remedy', () => {
  test('several accounts, and a client without one', () => {
    const call = () => templateUuid({ accountId: undefined }, 'receipt', uuids);
    expect(call).toThrow(ConfigurationError);
    expect(call).toThrow(
      'The templates are in the accounts 7, 9: pass accountId to the client, or set EMAIL_PLATFORM_ACCOUNT_ID',
    );
  });

  test.each(['invite', 'constructor', '__proto__'])('a template that was not pushed: %s', (template) => {
    const call = () => templateUuid({ accountId: 7 }, template, uuids);
    expect(call).toThrow(ConfigurationError);
    expect(call).toThrow(
      `The template "${template}" was not pushed to account 7 before its types were generated: npx email-platform templates push emails, and then templates types`,
    );
  });

  test('also how to test without a push', () => {
    const call = () => templateUuid({ accountId: undefined }, 'receipt', { ...uuids, accounts: {} });
    expect(call).toThrow(
      'The template "receipt" was not pushed before its types were generated: npx email-platform templates push emails, and then templates types; to test without a push, pass accountId 1001, the account of emulators, to the client',
    );
  });

  test('for the account of emulators, also how to test without a push', () => {
    const call = () => templateUuid({ accountId: 1001 }, 'invite', { ...uuids, accounts: { 1001: {} } });
    expect(call).toThrow(
      'and then templates types; to test without a push, delete 1001, the account of emulators, from templates.lock.json',
    );
  });
});

test('a client says which account and inbox it has', () => {
  const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.example.com' } });
  expect([client.accountId, client.sandboxInboxId]).toEqual([undefined, undefined]);
  const other = client.withOptions({ accountId: 7, sandboxInboxId: 8 });
  expect([other.accountId, other.sandboxInboxId]).toEqual([7, 8]);
});
