import { isGiven } from '../../core/record.ts';
import { ConfigurationError } from '../../core/errors.ts';

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

/** All headers; throws a ConfigurationError if they cannot be listed. */
function listed(headers: WebhookHeaders): (readonly [name: unknown, value: unknown])[] {
  if (isWeb(headers) && headers.forEach === undefined) throw unlisted();
  const all: (readonly [unknown, unknown])[] = [];
  try {
    if (isWeb(headers)) headers.forEach?.((value, name) => all.push([name, value]));
    else
      for (const [name, values] of Object.entries(headers))
        for (const value of [values].flat()) all.push([name, value]);
  } catch {
    throw unlisted();
  }
  return all;
}

/** The values of one header, whatever the case of its name: some hosts and doubles keep the case that was sent. */
export function named(headers: WebhookHeaders, name: string): unknown[] {
  const wrong = () => unnamed('signatureHeader must be the name of a header');
  if (typeof name !== 'string' || name === '') throw wrong();
  let value: unknown;
  try {
    if (isWeb(headers)) value = headers.get(name);
  } catch {
    throw wrong();
  }
  if (isGiven(value) || (isWeb(headers) && headers.forEach === undefined)) return [value];
  const wanted = name.toLowerCase();
  return listed(headers)
    .filter(([each]) => String(each).toLowerCase() === wanted)
    .map(([, each]) => each);
}

/** The values of all headers that have the form of a signature. */
const candidates = (headers: WebhookHeaders): string[] =>
  listed(headers)
    .map(([, value]) => value)
    .filter(isSignature)
    .slice(0, MAX_CANDIDATES);

/**
 * The possible signatures of a post: the value of the named header; without a name, each value in the form of a
 * signature.
 *
 * @throws ConfigurationError
 */
export function signaturesIn(headers: WebhookHeaders, name: string | undefined): readonly string[] {
  const fields = Object(headers) as WebhookHeaders;
  if (name === undefined) return candidates(fields);
  return named(fields, name).filter(isGiven).map(String).slice(0, MAX_CANDIDATES);
}
