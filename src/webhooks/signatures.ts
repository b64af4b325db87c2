import { ConfigurationError } from '../core/errors.ts';

/** The headers of a post: the `Headers` of any framework or runtime, or Node's `request.headers`. */
export type WebhookHeaders =
  | {
      /** Returns the value of a header. */
      get(name: string): string | null;
      /** Calls back with each header. Without it, the option `signatureHeader` is required. */
      forEach?(callback: (value: string, name: string) => void): void;
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Largest number of compared headers, because the sender of a forged post can add any number. */
const MAX_CANDIDATES = 16;

/** True for a text in the form of a signature: 64 lowercase hexadecimal digits. */
export const isSignature = (text: unknown): text is string =>
  typeof text === 'string' && /^[\da-f]{64}$/.test(text);

/** Compares two HMACs. Reads all bytes, so that timing reveals nothing about the secret. */
export function isEqual(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index += 1) difference |= Number(one[index]) ^ Number(other[index]);
  return difference === 0;
}

const isWeb = (headers: WebhookHeaders): headers is Extract<WebhookHeaders, { get(name: string): unknown }> =>
  typeof headers.get === 'function';

const unnamed = (text: string) => new ConfigurationError(text, { option: 'signatureHeader' });

const unlisted = () => unnamed('signatureHeader is missing: the headers of this request cannot be listed');

/** The value of one header. */
function named(headers: WebhookHeaders, name: string): string | readonly string[] | null | undefined {
  const wrong = () => unnamed('signatureHeader must be the name of a header');
  if (typeof name !== 'string' || name === '') throw wrong();
  if (!isWeb(headers)) return headers[name.toLowerCase()];
  try {
    return headers.get(name);
  } catch {
    throw wrong();
  }
}

/** The values of all headers that have the form of a signature. */
function candidates(headers: WebhookHeaders): string[] {
  const values: unknown[] = [];
  try {
    if (isWeb(headers)) headers.forEach?.((value) => values.push(value));
    else values.push(...Object.values(headers).flat());
  } catch {
    throw unlisted();
  }
  if (isWeb(headers) && headers.forEach === undefined) throw unlisted();
  return values.filter(isSignature).slice(0, MAX_CANDIDATES);
}

/**
 * The possible signatures of a post: the value of the named header; without a name, each value in the form of a
 * signature.
 *
 * @throws ConfigurationError
 */
export function signaturesIn(headers: WebhookHeaders, name: string | undefined): readonly string[] {
  const fields = Object(headers) as WebhookHeaders;
  if (name === undefined) return candidates(fields);
  const value = named(fields, name);
  return value === undefined || value === null ? [] : [String(value)];
}
