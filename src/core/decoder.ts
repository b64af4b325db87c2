import type { Effect } from './error-base.ts';
import type { StandardSchema } from './standard-schema.ts';

/** The forms in which a body can be had. */
export type BodyForm = 'text' | 'bytes' | 'stream';

/** The types of the fields that every documented response has. */
export type Needed = Readonly<Record<string, 'string' | 'object'>>;

/**
 * How a response becomes the result of a call, as data. `transport/decode.ts` carries it out.
 *
 * - `object`: the result is an object.
 * - `list`: the result has the array under `items`, beside the other fields of the body.
 * - `array`: the result is an array.
 * - `removed`: the result is the object that was deleted; where the service does not return it, its id.
 * - `nothing`: there is no result. A success is a 204, an empty body, or JSON without an error.
 * - `body`: the result is the body itself, as text, as bytes or as a stream.
 * - `mail`: the result is what `read` makes of the body: whether an email was accepted is told by several fields.
 * - `any`: the result is any JSON, or undefined for an empty body; or what `checkedBy` makes of it.
 */
export interface Decoder<T> {
  readonly kind: 'object' | 'list' | 'array' | 'removed' | 'nothing' | 'body' | 'mail' | 'any';
  /** Name of the schema of the result, or of the body that a page is made of. */
  readonly schema?: string | undefined;
  /** The field of the body that has the result; without it, the body itself is the result. */
  readonly field?: string | undefined;
  /** The fields that the documented result always has. */
  readonly needs?: Needed | undefined;
  /** Fields that the other family of paths calls differently: the result has the value under both names. */
  readonly alsoNamed?: Readonly<Record<string, string>> | undefined;
  /** Fields, at any depth, that are as secret as the token. */
  readonly secrets?: readonly string[] | undefined;
  /** Fields, at any depth, with credentials that are of no use to this client: results and pages have them. */
  readonly credentials?: readonly string[] | undefined;
  /** Fields, at any depth, that hold signed addresses: whoever knows one can fetch it without a token. */
  readonly signed?: readonly string[] | undefined;
  /** Fields, at any depth, with addresses that users wrote: never signed ones, whatever they look like. */
  readonly written?: readonly string[] | undefined;
  /** For `body`: its form, unless the caller wants another. */
  readonly form?: BodyForm | undefined;
  /** For `body`: the status that says, as 404 does, that there is none. */
  readonly absent?: number | undefined;
  /** For `mail`: makes the result; returns undefined for any body but the documented one. */
  readonly read?: ((body: unknown) => T | undefined) | undefined;
  /** For `mail`: what has been done, where the body of a 2xx is a refusal. */
  readonly refusal?: ((body: unknown) => Effect | undefined) | undefined;
  /** For `removed`: the result where there is no body. It has the id that the call was made with. */
  readonly whenEmpty?: T | undefined;
  /** For `any`: the caller's schema. */
  readonly checkedBy?: StandardSchema | undefined;
  /** Exists for inference only. */
  readonly result?: T | undefined;
}

/** The fields of a response that errors, events and log lines must not quote. */
export type SecretFields = Pick<Decoder<unknown>, 'secrets' | 'credentials' | 'signed'>;
