import { ApiPromise } from '../core/api-promise.ts';
import { completeError } from '../core/error-base.ts';
import { isEmailPlatformError } from '../core/error-guards.ts';
import type { Execute, RequestContext, RequestOptions, RequestSpec } from '../core/request.ts';
import { Attempt } from './attempt.ts';
import { authStage } from '../http/auth.ts';
import { writeBody } from './body.ts';
import { Call } from './call.ts';
import type { TransportConfig } from './config.ts';
import { hooksStage } from './hooks-stage.ts';
import { httpStage } from '../http/ky.ts';
import { prepareRequest } from './prepare.ts';
import { responseInfo } from '../http/response-info.ts';
import { responseStage } from '../http/response.ts';
import { repeat } from '../retry/loop.ts';
import { chain, type Answer, type Next } from './stage.ts';
import { throttleStage } from './throttle-stage.ts';

/**
 * The stages of an attempt. Their order matters: the token is asked for once the attempt has its permit, so that it is
 * fresh; hooks see each attempt when it is really sent, and every response whatever its status. Retrying is outside:
 * every attempt takes a permit of its own, and none is held while a retry waits.
 */
function pipeline(config: TransportConfig): Next {
  const { hooks, runtime, throttle, token, auth } = config;
  return chain([
    ...(throttle ? [throttleStage(throttle, runtime.random)] : []),
    authStage(token, auth),
    responseStage(hooks, runtime.wallNow),
    // Only if there is a hook: without one, an attempt need not pay for this.
    ...(hooks.onRequest || hooks.onResponse ? [hooksStage(hooks, runtime.now)] : []),
    httpStage(config),
  ]);
}

type Request<T> = RequestSpec<T> | ((context: RequestContext) => RequestSpec<T>);

const NO_OPTIONS: RequestOptions = Object.freeze({});

/** A call's promise, and the functions that settle it. */
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

/** How a client sends a single attempt, and a whole request. */
interface Sender {
  readonly send: Next;
  readonly execute: Execute;
}

/** Creates the function that every resource is given: it takes a request as plain data, and returns the result. */
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
 * Sends a call, retries it where the policy says so, and settles its promise. Not an async function, and not part of
 * `execute`: every queued call would keep that function's frame, or the arguments, in memory.
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
    // The throttle threw: it is not one of ours, or lacks something it needs.
    fail(error);
  }
}

/** Like `run`, once the body is written. Separate, so that calls whose body takes no time hold nothing for this. */
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

/** Closes a failed call, and adds to its error which call it was. */
function closed(call: Call, error: unknown): unknown {
  call.close();
  if (isEmailPlatformError(error)) call.complete(error);
  return error;
}

/** The request as plain data; if it depends on the client's settings, it is made from them here. */
function specOf<T>(
  { context }: TransportConfig,
  request: Request<T>,
  options: RequestOptions,
): RequestSpec<T> {
  // Options that are not an object are refused later, together with everything else that is wrong.
  const ofCall = (options as RequestOptions | null)?.accountId;
  return typeof request === 'function'
    ? request({ ...context, accountId: ofCall ?? context.accountId })
    : request;
}

/** A call that is ready to be sent. If anything is wrong with it, throws all of that at once. */
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
