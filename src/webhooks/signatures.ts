import { ConfigurationError } from '../core/errors.ts';

/** The headers of a post: a `Headers`, that of any framework or runtime, or Node's `request.headers`. */
export type WebhookHeaders =
  | {
      /** Returns the value of a header. */
      get(name: string): string | null;
      /** Calls back with each header. Where it is missing, `signatureHeader` has to name the header. */
      forEach?(callback: (value: string, name: string) => void): void;
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** At most so many headers are compared: the sender of a forged post chooses how many it has. */
const MAX_CANDIDATES = 16;

/** Whether a text has the form of a signature: 64 lowercase hexadecimal digits. */
export const isSignature = (text: unknown): text is string =>
  typeof text === 'string' && /^[\da-f]{64}$/.test(text);

/** Whether two MACs are equal. It reads all bytes whatever they are, so that timing reveals nothing about the right one. */
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
 * The signatures that a post may have: the value of the header with this name; without a name, each value that has the form
 * of a signature.
 *
 * @throws ConfigurationError
 */
export function signaturesIn(headers: WebhookHeaders, name: string | undefined): readonly string[] {
  const given = Object(headers) as WebhookHeaders;
  if (name === undefined) return candidates(given);
  const value = named(given, name);
  return value === undefined || value === null ? [] : [String(value)];
}
