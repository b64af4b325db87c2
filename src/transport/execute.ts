/**
 * One call, from the request of a resource to its result. This file sets the order of events; each step has its own
 * file.
 */
import { ApiPromise } from '../core/api-promise.ts';
import { callSite, type CallSite } from '../core/call-site.ts';
import { unreadable } from '../core/errors.ts';
import { isolated, isolatedIfPlain } from '../core/isolated.ts';
import type { Execute, RequestContext, RequestOptions, RequestSpec } from '../core/request.ts';
import { NO_OPTIONS } from '../core/request-options.ts';
import { readFrom, tried } from '../core/tried.ts';
import { withToken, type Attempt } from './attempt.ts';
import { Call } from './call.ts';
import type { PreparedRequest } from './prepared-request.ts';

import type { CallConfig } from './config.ts';
import { decode } from './decode.ts';
import { createExchange } from './fetch.ts';
import { emit } from './hooks.ts';
import { withKeys } from './keys.ts';
import { withPermit } from './permit.ts';
import { completed, prepared } from './prepare.ts';
import { responseInfo, type Answer, type Outcome } from './response.ts';
import { sendWithRetries } from './retry.ts';
import { streamOfCall } from './stream.ts';
import { traceAttempt, traceCall } from './tracing.ts';

type Request<T> = RequestSpec<T> | ((context: RequestContext) => RequestSpec<T>);

/**
 * Creates the function that sends the requests of every resource: it takes a request as plain data, and returns the
 * result.
 *
 * The order matters. An attempt takes its permit, then claims its keys, then takes its token, so that the token is fresh.
 * Without an email to send, it returns the permit. Hooks see each attempt when it is sent, and every response whatever
 * its status. The retry loop is the outermost step: every attempt takes its own permit, and a waiting retry holds none.
 */
export function createExecute(config: CallConfig): Execute {
  const { onStart, onRequest, onResponse } = config.hooks;
  const exchange = createExchange(config);
  // Without a hook, an attempt skips the cost of reporting.
  const exchangeReported =
    onRequest || onResponse ? (attempt: Attempt) => reported(attempt, exchange) : exchange;

  const sendPermitted = (attempt: Attempt) =>
    withToken(attempt, () =>
      traceAttempt(attempt, async () => {
        attempt.call.beginAttempt();
        try {
          const answer = await exchangeReported(attempt);
          return await decode(attempt, answer);
        } finally {
          // An attempt may outlive its call until the next full garbage collection. Its response, a page, must not.
          attempt.forgetResponse();
        }
      }),
    );

  const sendAttempt = (attempt: Attempt) => {
    const { keyed } = attempt.request;
    return keyed
      ? withKeys(attempt, keyed, sendPermitted)
      : withPermit(attempt, () => sendPermitted(attempt));
  };

  const start = <T>(requested: Request<T>, options: RequestOptions, site: CallSite, ends: Ends<T>) => {
    const spec = tried(() => specOf(config, requested, options), unreadable('request'));
    const call = new Call(spec, config, site, readFrom(options, 'meta'));
    spec.onTokens?.(call.tokenSearch());
    traceCall(call, spec.signed?.url, () => {
      emit(onStart, () => call.event());
      let request: PreparedRequest;
      try {
        request = begin(call, spec, options);
      } catch (error) {
        ends.reject(call.fail(error));
        return;
      }
      endWith(sendWhole(call, spec, request, sendAttempt), call, request, ends);
    });
  };

  const execute: Execute = <T>(request: Request<T>, callOptions = NO_OPTIONS, site = callSite()) => {
    const ends = endsOf<T>();
    try {
      start(request, isolatedIfPlain(callOptions), site, ends);
    } catch (error) {
      ends.reject(error);
    }
    return ends.promise;
  };
  return execute;
}

/** The promise of a call, and the functions that end it. */
interface Ends<T> {
  readonly promise: ApiPromise<T>;
  readonly resolve: (result: T) => void;
  readonly reject: (error: unknown) => void;
}

function endsOf<T>(): Ends<T> {
  let resolve!: Ends<T>['resolve'];
  let reject!: Ends<T>['reject'];
  const promise = new ApiPromise<T>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, resolve, reject };
}

/** Ends a call with its outcome. Separate function, so that a queued call does not retain the spec. */
function endWith<T>(
  outcome: Promise<Outcome>,
  call: Call,
  { decoder }: PreparedRequest,
  { promise, resolve, reject }: Ends<T>,
): void {
  outcome
    .then(({ response, result }) => {
      promise.note(() => responseInfo(response));
      const isStream = decoder.kind === 'body' && decoder.form === 'stream';
      if (!isStream) call.close(undefined, result);
      resolve((isStream ? streamOfCall(call, result as ReadableStream) : result) as T);
    })
    .catch((error: unknown) => {
      reject(call.fail(error));
    });
}

/** Prepares and starts a call. Separate function, so that a queued call does not retain the spec. */
function begin(call: Call, spec: RequestSpec<unknown>, options: RequestOptions): PreparedRequest {
  return tried(() => {
    const request = prepared(call.config, spec, options);
    call.start(request);
    return request;
  }, unreadable(spec.operation));
}

/** Sends a call, after its attachments are read and its keyed email is hashed. */
function sendWhole(
  call: Call,
  spec: RequestSpec<unknown>,
  request: PreparedRequest,
  sendAttempt: Parameters<typeof sendWithRetries>[2],
) {
  const complete = spec.mails?.complete;
  const { body: json } = request;
  if (!complete || typeof json !== 'string') return sendWithRetries(call, request, sendAttempt);
  return completed(call, spec, request, (signal) => complete(json, signal)).then((whole) =>
    sendWithRetries(call, whole, sendAttempt),
  );
}

/** Reports an attempt and its response to the hooks. */
async function reported(attempt: Attempt, exchange: (attempt: Attempt) => Promise<Answer>): Promise<Answer> {
  const { call } = attempt;
  const { hooks, runtime } = call.config;
  emit(hooks.onRequest, () => attempt.event());
  const startedAt = runtime.now();
  const answer = await exchange(attempt);
  emit(hooks.onResponse, () => {
    const redacted = call.redaction().headers(answer.response.headers);
    const { headers, ...info } = responseInfo({ status: answer.response.status, headers: redacted });
    return { ...attempt.event(), ...info, durationMs: Math.round(runtime.now() - startedAt) };
  });
  return answer;
}

/** The request as plain data, created from the client's settings if it depends on them. */
function specOf<T>({ context }: CallConfig, request: Request<T>, options: RequestOptions): RequestSpec<T> {
  if (typeof request !== 'function') return isolatedSpec(request);
  const given = (options as RequestOptions | null) ?? NO_OPTIONS;
  // Read before the options are checked. The later check refuses an unreadable one.
  const accountIdOfCall = readFrom(given, 'accountId') as number | undefined;
  const accountId = accountIdOfCall ?? context.accountId;
  return isolatedSpec(request({ ...context, options: given, accountId, accountIdOfCall }));
}

/** The only place where a request loses what a polluted `Object.prototype` adds: the transport reads it plainly. */
function isolatedSpec<T>(spec: RequestSpec<T>): RequestSpec<T> {
  const own = isolated(spec);
  const { decoder, mails } = own;
  return Object.assign(own, { decoder: isolated(decoder), mails: mails && isolated(mails) });
}
