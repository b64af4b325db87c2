import { ApiPromise, type WithResponse } from '../core/api-promise.ts';
import { completeError, EmailPlatformError } from '../core/error-base.ts';
import type { Execute, RequestContext, RequestOptions, RequestSpec } from '../core/request.ts';
import { authStage } from './auth.ts';
import { checkRequest, prepareCall } from './call.ts';
import { CallScope } from './call-scope.ts';
import type { TransportConfig } from './config.ts';
import { hooksStage } from './hooks-stage.ts';
import { httpStage } from './http.ts';
import { responseInfo } from './response-info.ts';
import { responseStage } from './response.ts';
import { retryStage } from './retry.ts';
import { chain, newAttempt, type Call, type Next } from './stage.ts';
import { throttleStage } from './throttle-stage.ts';

/**
 * The one way through. Order matters: a retry pays for a permit like any attempt, and waits without holding one; the
 * token is asked for when the attempt may go, so that it is fresh; hooks see each attempt as it is really sent, and
 * every response whatever it means.
 */
function pipeline({ hooks, runtime, throttle, token, auth, fetch }: TransportConfig): Next {
  return chain([
    retryStage(hooks, runtime),
    ...(throttle ? [throttleStage(throttle, token, hooks, runtime)] : []),
    authStage(token, auth),
    responseStage(hooks, runtime.wallNow),
    hooksStage(hooks, runtime.now),
    httpStage({ fetch, runtime }),
  ]);
}

type Request<T> = RequestSpec<T> | ((context: RequestContext) => RequestSpec<T>);

/** Makes the function every resource is given: from a request as plain data to its result. */
export function createExecute(config: TransportConfig): Execute {
  const { runtime } = config;
  const send = pipeline(config);

  const run = async <T>(request: Request<T>, options: RequestOptions): Promise<WithResponse<T>> => {
    const startedAt = runtime.now();
    const spec =
      typeof request === 'function'
        ? request({ ...config.context, accountId: options.accountId ?? config.context.accountId })
        : request;
    let scope: CallScope | undefined;
    let call: Call | undefined;
    try {
      checkRequest(spec, options);
      const deadlineMs = options.deadlineMs ?? config.deadlineMs;
      const thisScope = (scope = new CallScope(spec.operation, runtime, options.signal, deadlineMs));
      // Part of this call: under its options, and within what is left of its deadline.
      const executeWithin: Execute = (further) =>
        execute(
          further,
          deadlineMs === undefined ? options : { ...options, deadlineMs: thisScope.remainingMs },
        );
      call = prepareCall(config, Object.freeze(spec), options, scope, executeWithin);
      if (scope.ended) throw scope.ended;
      const { response, data } = await send(newAttempt(call, 1));
      return { data: data as T, response: responseInfo(response) };
    } catch (error) {
      if (error instanceof EmailPlatformError) {
        const { operation, method, path } = spec;
        const summary = { operation, method, path: call?.path ?? path, attempts: call?.attempts ?? 0 };
        completeError(error, { ...summary, elapsedMs: Math.round(runtime.now() - startedAt) }, call?.maybeActed ?? false);
      }
      throw error;
    } finally {
      scope?.close();
    }
  };

  const execute: Execute = (request, options = {}) => ApiPromise.from(run(request, options));
  return execute;
}
