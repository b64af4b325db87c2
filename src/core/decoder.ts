import type { Effect } from './error-base.ts';
import { isRecord } from './record.ts';

/** The forms in which a body can be had. */
export type BodyForm = 'text' | 'bytes' | 'stream';

/** What a field has to be for a response to be the documented one. */
export type Needed = Readonly<Record<string, 'string' | 'object'>>;

/**
 * How a response becomes the result of a call, as data.
 *
 * - `object`: the result is an object.
 * - `list`: the result has the array under `items`, beside the other fields of the body.
 * - `array`: the result is an array.
 * - `removed`: the result is the object that was deleted; where the service does not return it, its id.
 * - `nothing`: there is no result.
 * - `body`: the result is the body itself, as text or as bytes.
 * - `mail`: the result is what `read` makes of the body: whether an email was accepted is told by several fields.
 */
export interface Decoder<T> {
  readonly kind: 'object' | 'list' | 'array' | 'removed' | 'nothing' | 'body' | 'mail';
  /** Name of the schema of the result, or of the body that a page is made of. */
  readonly schema?: string | undefined;
  /** The field of the body that has the result; the body itself is the result where there is none. */
  readonly field?: string | undefined;
  /** The fields without which it is not the documented result. */
  readonly needs?: Needed | undefined;
  /** Fields that the other family of paths calls differently: the result has the value under both names. */
  readonly alsoNamed?: Readonly<Record<string, string>> | undefined;
  /** Fields, at any depth, that are as secret as the token. */
  readonly secrets?: readonly string[] | undefined;
  /** Fields, at any depth, that hold signed addresses: whoever knows one can fetch it without a token. */
  readonly signed?: readonly string[] | undefined;
  /** Fields, at any depth, with addresses that users wrote: never signed ones, whatever they look like. */
  readonly written?: readonly string[] | undefined;
  /** For `body`: what it is, unless the caller wants another form. */
  readonly form?: BodyForm | undefined;
  /** For `body`: the status that says, as 404 does, that there is none. */
  readonly absent?: number | undefined;
  /** For `mail`: the result; undefined for any body but the documented one. */
  readonly read?: ((body: unknown) => T | undefined) | undefined;
  /** For `mail`: what has been done, where the body of a 2xx is a refusal. */
  readonly refusal?: ((body: unknown) => Effect | undefined) | undefined;
  /** Exists for inference only. */
  readonly result?: T | undefined;
}

const isWhole = (object: Record<string, unknown>, needs: Needed = {}) =>
  Object.entries(needs).every(([name, type]) =>
    type === 'object' ? isRecord(object[name]) : typeof object[name] === type,
  );

/** Gives an object its fields under the names of this package, too. */
function rename(value: unknown, names: Readonly<Record<string, string>>): void {
  if (!isRecord(value)) return;
  for (const [name, other] of Object.entries(names)) {
    if (value[other] !== undefined) value[name] ??= value[other];
  }
}

/** The result in the body of a 2xx; undefined if that is not the documented one. */
export function decode<T>(decoder: Decoder<T>, body: unknown): T | undefined {
  const { kind, field, needs, alsoNamed, read } = decoder;
  if (kind === 'mail') return read?.(body);
  const found = field === undefined ? body : isRecord(body) ? body[field] : undefined;
  if (kind === 'removed') return isRecord(found) ? (found as T) : undefined;
  if (kind === 'object') {
    if (!isRecord(found) || !isWhole(found, needs)) return undefined;
    if (alsoNamed) rename(found, alsoNamed);
    return found as T;
  }
  if (!Array.isArray(found)) return undefined;
  if (alsoNamed) for (const item of found) rename(item, alsoNamed);
  if (kind === 'array') return found as T;
  if (needs && !(isRecord(body) && isWhole(body, needs))) return undefined;
  return { ...(isRecord(body) && body), items: found as unknown[] } as T;
}
