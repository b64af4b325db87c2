/** So many random bytes, as hexadecimal digits. */
const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** Letters and digits that cannot be guessed: 192 random bits after a prefix. */
export const randomSecret = (prefix: string): string => prefix + randomHex(24);

/** A secret that signs the posts of a webhook, in the form that the service gives it: 32 hexadecimal digits. */
export const signingSecret = (): string => randomHex(16);
