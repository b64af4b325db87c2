/** Random bytes, as hexadecimal digits. */
const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** A secret of 192 random bits, in hexadecimal digits after a prefix. */
export const randomSecret = (prefix: string): string => prefix + randomHex(24);

/** A signing secret of a webhook, in the service's form: 32 hexadecimal digits. */
export const signingSecret = (): string => randomHex(16);

/** A secret of 128 random bits, in 22 letters, digits and `- _`: for an address that a person reads. */
export const shortSecret = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22);
