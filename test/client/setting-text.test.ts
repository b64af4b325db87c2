import { ConfigurationError, EmailPlatform } from 'email-platform';
import { afterEach, expect, test, vi } from 'vitest';
import { thrown } from '../support/expect-error.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const refused = (variable: string, value: string) => {
  vi.stubEnv(variable, value);
  const { message } = thrown(() => new EmailPlatform({ token: 't' }), ConfigurationError);
  vi.unstubAllEnvs();
  return message;
};

test.each([
  ['undefined', 'must not be the word undefined'],
  ['null', 'must not be the word null'],
  ['${VALUE}', 'must not be a placeholder'],
  ['"example.com"', 'must not be in quotes'],
  ['\u201cexample.com\u201d', 'must not be in quotes'],
  ['example\u200b.com', 'it has U+200B'],
  ['\ufeffexample.com', 'it has U+FEFF'],
  ['example.com\u00a0', 'it has U+00A0'],
  ['NAME=example.com', 'begins with the name of a variable'],
  ['example.com # the service', 'ends with a comment'],
])('a variable is refused with its name and the reason: %j', (value, why) => {
  for (const name of ['DOMAIN', 'URL', 'API_URL', 'ACCOUNT_ID', 'STREAM', 'LOG', 'RECIPIENTS']) {
    const message = refused(`EMAIL_PLATFORM_${name}`, value);
    expect(message).toContain(why);
    expect(message).toContain(`EMAIL_PLATFORM_${name}`);
    expect(message).not.toContain('example');
  }
});

test.each(['undefined', '${FROM}', '"Ann <ann@example.org>"'])('a sender is refused: %s', (value) => {
  expect(refused('EMAIL_PLATFORM_FROM', value)).toMatch(/EMAIL_PLATFORM_FROM must not be/);
});

test('a sender whose name has signs of its own is not', () => {
  vi.stubEnv('EMAIL_PLATFORM_FROM', '"Shop #1, Inc" <ann@example.org>');
  expect(new EmailPlatform({ token: 't' })).toBeInstanceOf(EmailPlatform);
});
