import type { Attempt } from './attempt.ts';

/** What is kept of a response besides its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  /** `'opaqueredirect'` for a redirect in a browser. */
  readonly type?: string;
}

/** A response with its body read, and the result once the response stage has made it. */
export interface Answer {
  readonly response: ResponseHead;
  /** The body as text; undefined if it is wanted in another form, or could not be read and does not matter. */
  readonly text: string | undefined;
  /** Whether the body is larger than any result. */
  readonly isTooLarge?: boolean;
  /** The body as bytes or as a stream, where that is wanted. */
  readonly raw?: unknown;
  readonly data?: unknown;
}

/** Sends an attempt through the stages that follow. */
export type Next = (attempt: Attempt) => Promise<Answer>;

/** One concern of sending a request. It may add to the attempt, delay it, or do something with the response. */
export type Stage = (attempt: Attempt, next: Next) => Promise<Answer>;

/** Chains stages: an attempt goes through them in the order of the list, its response in reverse. */
export function chain(stages: readonly Stage[]): Next {
  return stages.reduceRight<Next>(
    (next, stage) => (attempt) => stage(attempt, next),
    () => Promise.reject(new Error('The last stage must send the request itself.')),
  );
}
