import type { Effect } from './error-base.ts';
import type { StandardSchema } from './standard-schema.ts';

/** The forms of a body. */
export type BodyForm = 'text' | 'bytes' | 'stream';

/** The types of the fields in every documented response. */
export type Needed = Readonly<Record<string, 'string' | 'object'>>;

/**
 * Describes as data how a response becomes the result of a call. `transport/decode.ts` interprets it.
 *
 * - `object`: the result is an object.
 * - `list`: the result has the array under `items`, next to the other fields of the body.
 * - `array`: the result is an array.
 * - `removed`: the result is the deleted object, or its id if the service does not return the object.
 * - `nothing`: the call has no result. A success is a 204, an empty body, or JSON without an error.
 * - `body`: the result is the body as text, as bytes or as a stream.
 * - `mail`: `read` creates the result from the body: several fields say whether the service accepted an email.
 * - `any`: the result is any JSON, undefined for an empty body, or the output of `checkedBy`.
 */
export interface Decoder<T> {
  readonly kind: 'object' | 'list' | 'array' | 'removed' | 'nothing' | 'body' | 'mail' | 'any';
  /** Name of the schema of the result, or of a page's body. */
  readonly schema?: string | undefined;
  /** The field of the body that has the result; if absent, the body is the result. */
  readonly field?: string | undefined;
  /** The fields of every documented result. */
  readonly needs?: Needed | undefined;
  /** Fields with another name in the other family of paths: the result has the value under both names. */
  readonly alsoNamed?: Readonly<Record<string, string>> | undefined;
  /** Fields, at any depth, with secrets like the token. */
  readonly secrets?: readonly string[] | undefined;
  /** Fields, at any depth, with credentials for other uses: results and pages contain them. */
  readonly credentials?: readonly string[] | undefined;
  /** Fields, at any depth, with signed addresses, which can be fetched without a token. */
  readonly signed?: readonly string[] | undefined;
  /** Fields, at any depth, with addresses that users wrote. They are never signed. */
  readonly written?: readonly string[] | undefined;
  /** For `body`: its form, unless the caller requests another. */
  readonly form?: BodyForm | undefined;
  /** For `body`: a status that means a missing body, like 404. */
  readonly absent?: number | undefined;
  /** For `mail`: creates the result; returns undefined for an undocumented body. */
  readonly read?: ((body: unknown) => T | undefined) | undefined;
  /** For `mail`: the effect of a 2xx whose body is a refusal. */
  readonly refusal?: ((body: unknown) => Effect | undefined) | undefined;
  /** For `removed`: the result of an empty body, with the id from the call. */
  readonly whenEmpty?: T | undefined;
  /** For `any`: the caller's schema. */
  readonly checkedBy?: StandardSchema | undefined;
  /** For type inference only. */
  readonly result?: T | undefined;
}

/** The fields of a response that errors, events and log lines must not quote. */
export type SecretFields = Pick<Decoder<unknown>, 'secrets' | 'credentials' | 'signed'>;
