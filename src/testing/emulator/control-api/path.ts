/** The path under which a server has its control API. */
export const CONTROL_PATH = '/_emulator';

/** Names in an address have underscores: `waitMs` is `wait_ms`. */
export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const camelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
