import type { EmailPlatform, RequestOptions } from 'email-platform';

/**
 * The part of the response that a call reads: the expected JSON; the JSON or nothing; the JSON, or the campaign's state from
 * a second request; any JSON; the bytes; the response to a mail; or only that there is no error.
 */
export type Reading = 'json' | 'json or 204' | 'json or state' | 'any' | 'bytes' | 'mail' | 'status';

/** The effect of a second request: it only reads, it changes nothing more, or it acts twice. */
export type Repeated = 'reads' | 'again the same' | 'does it twice';

/** The options that every method takes. */
export type CallOptions = Pick<RequestOptions, 'signal' | 'deadlineMs' | 'headers'>;

/** A valid call of a method. */
export interface Call {
  /** As callers write it, with what is special about it in brackets. */
  readonly name: string;
  readonly run: (client: EmailPlatform, options: CallOptions, given: Given) => PromiseLike<unknown>;
  /** The body of its successful response; undefined for none. */
  readonly answer: unknown;
  readonly reading: Reading;
  readonly repeated: Repeated;
  /** Without the token, outside the limits: the URL is signed. */
  readonly isSigned?: true;
}

/** The inputs of a call. */
export interface Given {
  /** For wherever a text can be, so that the body is as large as that. */
  readonly text: string;
  /** The address of the server. */
  readonly url: string;
}
