import type { Attempt } from './attempt.ts';

/** What an answer keeps of its response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  /** Tells an opaque redirect of a browser's. */
  readonly type?: string;
}

/** What came back: the response with its body read, and the result once the response stage has made it. */
export interface Answer {
  readonly response: ResponseHead;
  /** Undefined when the body is not text, or could not be read and does not matter. */
  readonly text: string | undefined;
  /** The body, where bytes or a stream are wanted. */
  readonly raw?: unknown;
  readonly data?: unknown;
}

/** Sends an attempt through the stages that follow. */
export type Next = (attempt: Attempt) => Promise<Answer>;

/** One concern on the way of a request. It may add to the attempt, repeat it, delay it, or read the answer. */
export type Stage = (attempt: Attempt, next: Next) => Promise<Answer>;

/** Chains stages, first in the list first on the way out. */
export function chain(stages: readonly Stage[]): Next {
  return stages.reduceRight<Next>(
    (next, stage) => (attempt) => stage(attempt, next),
    () => Promise.reject(new Error('The last stage sends the request and calls no other.')),
  );
}
