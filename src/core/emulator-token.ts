/** Tokens of emulators, which the service does not take. */

/** The beginning of a token that the command makes for an emulator. */
export const EMULATOR_TOKEN = 'emu_';

/** Whether a token is an emulator's, by its beginning. */
export const isEmulatorToken = (token: unknown): boolean =>
  typeof token === 'string' && token.startsWith(EMULATOR_TOKEN);
