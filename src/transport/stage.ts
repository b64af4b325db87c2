import type { Execute, RequestSpec } from '../core/request.ts';
import type { AccountPoolName, Permit, Priority } from '../core/throttle.ts';
import type { CallScope } from './call-scope.ts';
import type { TransportConfig } from './config.ts';
import type { RequestEvent } from './hooks.ts';

/** One call on its way: fixed when it starts, but for the two counters. */
export interface Call {
  readonly spec: RequestSpec<unknown>;
  readonly path: string;
  readonly url: string;
  /** The JSON text, made when the call started: what the caller changes afterwards is not sent. */
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly accountId: number | undefined;
  readonly pool: AccountPoolName | undefined;
  readonly priority: Priority;
  readonly timeoutMs: number;
  readonly retry: TransportConfig['retry'];
  readonly scope: CallScope;
  /** Runs a further request on behalf of this call, under its options and what is left of its deadline. */
  readonly execute: Execute;
  /** Requests sent so far. */
  attempts: number;
  /** Whether the service may have acted on one of them. */
  maybeActed: boolean;
}

/** One try of a call. */
export interface Attempt {
  readonly call: Call;
  /** 1 for the first. */
  readonly number: number;
  /** Headers of this attempt; the token is added to these and to nothing else. */
  readonly headers: Record<string, string>;
  /** The token in those headers, so that it can be blacked out of whatever `fetch` throws. */
  secret: string | undefined;
  /** Held from the throttle's leave until one of its endings is called. */
  permit: Permit | undefined;
  /** What hooks are told of it. */
  event(): RequestEvent;
}

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
  /** Undefined when the body could not be read and does not matter. */
  readonly text: string | undefined;
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

/** Ends an attempt's permit, if it still holds one: exactly one of the endings is called, once. */
export function endPermit(attempt: Attempt, end: (permit: Permit) => void): void {
  const { permit } = attempt;
  attempt.permit = undefined;
  if (permit) end(permit);
}

/** Starts an attempt. */
export function newAttempt(call: Call, number: number): Attempt {
  const { operation, method, host } = call.spec;
  return {
    call,
    number,
    headers: { ...call.headers },
    secret: undefined,
    permit: undefined,
    event: () => ({ operation, method, host, path: call.path, attempt: number }),
  };
}
