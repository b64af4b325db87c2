import { ApiPromise } from '../core/api-promise.ts';
import { completeError } from '../core/error-base.ts';
import { isEmailPlatformError } from '../core/error-guards.ts';
import type { Execute, RequestContext, RequestOptions, RequestSpec } from '../core/request.ts';
import { Attempt } from './attempt.ts';
import { authStage } from './auth.ts';
import { writeBody } from './body.ts';
import { Call } from './call.ts';
import type { TransportConfig } from './config.ts';
import { hooksStage } from './hooks-stage.ts';
import { httpStage } from './http.ts';
import { prepareRequest } from './prepare.ts';
import { responseInfo } from './response-info.ts';
import { responseStage } from './response.ts';
import { repeat } from './retry.ts';
import { chain, type Answer, type Next } from './stage.ts';
import { throttleStage } from './throttle-stage.ts';

/**
 * The way of an attempt. Order matters: the token is asked for when the attempt may go, so that it is fresh; hooks see
 * each attempt as it is really sent, and every response whatever it means. Repeating stands outside: every attempt
 * pays for its permit, and none is held while a repetition waits.
 */
function pipeline(config: TransportConfig): Next {
  const { hooks, runtime, throttle, token, auth } = config;
  return chain([
    ...(throttle ? [throttleStage(throttle, runtime.random)] : []),
    authStage(token, auth),
    responseStage(hooks, runtime.wallNow),
    // For those who listen: without them an attempt pays nothing.
    ...(hooks.onRequest || hooks.onResponse ? [hooksStage(hooks, runtime.now)] : []),
    httpStage(config),
  ]);
}

type Request<T> = RequestSpec<T> | ((context: RequestContext) => RequestSpec<T>);

const NO_OPTIONS: RequestOptions = Object.freeze({});

/** A call's promise, and what settles it. */
interface Deferred<T> {
  readonly promise: ApiPromise<T>;
  readonly resolve: (data: T) => void;
  readonly reject: (reason: unknown) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve!: (data: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new ApiPromise<T>((onData, onFailure) => {
    resolve = onData;
    reject = onFailure;
  });
  return { promise, resolve, reject };
}

/** How a client sends: one attempt, and a whole request. */
interface Sender {
  readonly send: Next;
  readonly execute: Execute;
}

/** Makes the function every resource is given: from a request as plain data to its result. */
export function createExecute(config: TransportConfig): Execute {
  const execute: Execute = <T>(request: Request<T>, options = NO_OPTIONS) => {
    const outcome = deferred<T>();
    try {
      const spec = specOf(config, request, options);
      const call = begin(config, spec, options);
      if (spec.prepareBody === undefined) run(call, sender, outcome);
      else runWhenWritten(call, spec, sender, outcome);
    } catch (error) {
      outcome.reject(error);
    }
    return outcome.promise;
  };
  const sender: Sender = { send: pipeline(config), execute };
  return execute;
}

/**
 * Sends a call, again where the policy says so, and settles its promise. Chained by hand, and apart from what made the
 * call: an async function's frame, or the arguments, would be held for every call that waits in line.
 */
function run<T>(call: Call, { send, execute }: Sender, { promise, resolve, reject }: Deferred<T>): void {
  if (call.ended) {
    reject(closed(call, call.ended));
    return;
  }
  const succeed = ({ response, data }: Answer) => {
    call.close();
    promise.note(() => responseInfo(response));
    resolve(data as T);
  };
  const fail = (error: unknown) => {
    reject(closed(call, error));
  };
  try {
    send(new Attempt(call, 1)).then(succeed, (error: unknown) => {
      repeat(call, send, execute, error).then(succeed, fail);
    });
  } catch (error) {
    // A throttle of somebody else's making, or one that misses something it needs.
    fail(error);
  }
}

/** As `run`, once the body is there. Apart from it, so that calls whose body takes no time hold nothing for this. */
function runWhenWritten<T>(call: Call, spec: RequestSpec<T>, sender: Sender, outcome: Deferred<T>): void {
  writeBody(call, spec).then(
    () => {
      run(call, sender, outcome);
    },
    (error: unknown) => {
      outcome.reject(closed(call, error));
    },
  );
}

/** Ends a failed call; its error learns which call it was. */
function closed(call: Call, error: unknown): unknown {
  call.close();
  if (isEmailPlatformError(error)) call.complete(error);
  return error;
}

/** The request as plain data, where it depends on the client's settings. */
function specOf<T>(
  { context }: TransportConfig,
  request: Request<T>,
  options: RequestOptions,
): RequestSpec<T> {
  // Options that are no object at all are refused later, with everything else that is wrong.
  const ofCall = (options as RequestOptions | null)?.accountId;
  return typeof request === 'function'
    ? request({ ...context, accountId: ofCall ?? context.accountId })
    : request;
}

/** A call, ready to be sent; or everything that is wrong with it, thrown. */
function begin<T>(config: TransportConfig, spec: RequestSpec<T>, options: RequestOptions): Call {
  try {
    return new Call(prepareRequest(config, spec, options), config);
  } catch (error) {
    const { operation, method, path } = spec;
    if (isEmailPlatformError(error)) {
      completeError(error, { operation, method, path, attempts: 0, elapsedMs: 0 }, false);
    }
    throw error;
  }
}
