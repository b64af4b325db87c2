import type { Attempt } from './attempt.ts';

/** What is kept of a response besides its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
}

/** A response with its body read, and the result once the response stage has made it. */
export interface Answer {
  readonly response: ResponseHead;
  /** The body as text; undefined if it is too large, or could not be read and does not matter. */
  readonly text?: string | undefined;
  /** The result. From the beginning the body, where that is wanted as bytes or as a stream. */
  readonly data?: unknown;
}

/** Sends an attempt through the stages that follow. */
export type Next = (attempt: Attempt) => Promise<Answer>;

/** One concern of sending a request. It may add to the attempt, delay it, or do something with the response. */
export type Stage = (attempt: Attempt, next: Next) => Promise<Answer>;

/** Chains stages: an attempt goes through them in the order of the list to the last, its response in reverse. */
export const chain = (stages: readonly Stage[], last: Next): Next =>
  stages.reduceRight<Next>((next, stage) => (attempt) => stage(attempt, next), last);
