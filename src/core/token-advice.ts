/**
 * The likely mistake in a token that the service refuses, for the message of a 401; undefined for a token that looks like any
 * other. The text does not contain the token.
 */
export function tokenAdvice(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  if (/^\d+$/.test(token))
    return 'the token is a number, like the id of an account: EMAIL_PLATFORM_TOKEN and EMAIL_PLATFORM_ACCOUNT_ID may be swapped';
  if (token.startsWith('emu_'))
    return 'the token is of an emulator (emu_…): only that emulator takes it, until it is started again with another token (--token keeps one)';
  return undefined;
}
