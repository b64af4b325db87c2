import { ConfigurationError, EmailPlatform, templateUuid, type TemplateUuids } from 'email-platform';
import { describe, expect, test } from 'vitest';

const uuids: TemplateUuids = {
  folder: 'emails',
  accounts: { '7': { receipt: 'of 7', toString: 'text' }, '9': { receipt: 'of 9' } },
  unpushed: { receipt: 'unpushed', invite: 'unpushed invite' },
};
const only7 = { ...uuids, accounts: { '7': { receipt: 'of 7' } } };
const none = { ...uuids, accounts: {} };

test.each<[string, number | undefined, TemplateUuids, string]>([
  ['the account of the client', 7, uuids, 'of 7'],
  ['another account', 9, uuids, 'of 9'],
  ['the only account, for a client without one', undefined, only7, 'of 7'],
  ['an account that is not in the lock: as the emulator knows it', 1001, uuids, 'unpushed'],
  [
    'an account of emulators in the lock, without this template: as the emulator knows it',
    1001,
    { ...uuids, accounts: { '1001': { invite: 'of 1001' } } },
    'unpushed',
  ],
  ['no account at all: before the first push', undefined, none, 'unpushed'],
])('%s', (_, accountId, given, expected) => {
  expect(templateUuid({ accountId }, 'receipt', given)).toBe(expected);
});

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
      `The template "${template}" was not pushed to account 7: npx email-platform templates push emails, and then templates types`,
    );
  });
});

test('a client says which account and inbox it has', () => {
  const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.example.com' } });
  expect([client.accountId, client.sandboxInboxId]).toEqual([undefined, undefined]);
  const other = client.withOptions({ accountId: 7, sandboxInboxId: 8 });
  expect([other.accountId, other.sandboxInboxId]).toEqual([7, 8]);
});
