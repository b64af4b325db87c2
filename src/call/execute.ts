import { ApiPromise } from '../core/api-promise.ts';
import { EmailPlatformError, completeError } from '../core/error-base.ts';
import type { Execute, RequestContext, RequestOptions, RequestSpec } from '../core/request.ts';
import { authStage } from '../http/auth.ts';
import { httpStage } from '../http/ky.ts';
import { responseInfo } from '../http/response-info.ts';
import { responseStage } from '../http/response.ts';
import { sendWithRetries } from '../retry/loop.ts';
import { writeBody } from './body.ts';
import { Call } from './call.ts';
import type { CallConfig } from './config.ts';
import { hooksStage } from './hooks-stage.ts';
import { prepareRequest } from './prepare.ts';
import { chain } from './stage.ts';
import { throttleStage } from './throttle-stage.ts';

type Request<T> = RequestSpec<T> | ((context: RequestContext) => RequestSpec<T>);

const NO_OPTIONS: RequestOptions = Object.freeze({});

/**
 * Creates the function that every resource is given: it takes a request as plain data, and returns the result.
 *
 * The order of the stages matters: the token is asked for once the attempt has its permit, so that it is fresh; hooks
 * see each attempt when it is really sent, and every response whatever its status. Retrying is outside: every attempt
 * takes a permit of its own, and none is held while a retry waits.
 */
export function createExecute(config: CallConfig): Execute {
  const send = chain([
    throttleStage(config.throttle, config.runtime),
    authStage(config.token, config.auth),
    responseStage(config.hooks, config.runtime.wallNow),
    // Only if there is a hook: without one, an attempt need not pay for this.
    ...(config.hooks.onRequest || config.hooks.onResponse
      ? [hooksStage(config.hooks, config.runtime.now)]
      : []),
    httpStage(config),
  ]);

  const execute: Execute = <T>(request: Request<T>, options = NO_OPTIONS) => {
    const promise: ApiPromise<T> = new ApiPromise<T>((resolve, reject) => {
      const spec = specOf(config, request, options);
      const call = begin(config, spec, options);
      const written = spec.prepareBody && writeBody(call, spec);
      const sent = written
        ? written.then(() => sendWithRetries(call, send, execute))
        : sendWithRetries(call, send, execute);
      sent.then(
        ({ response, data }) => {
          call.close();
          promise.note(() => responseInfo(response));
          resolve(data as T);
        },
        (error: unknown) => {
          call.close();
          if (error instanceof EmailPlatformError) call.complete(error);
          reject(error);
        },
      );
    });
    return promise;
  };
  return execute;
}

/** The request as plain data; if it depends on the client's settings, it is made from them here. */
function specOf<T>({ context }: CallConfig, request: Request<T>, options: RequestOptions): RequestSpec<T> {
  // Options that are not an object are refused later, together with everything else that is wrong.
  const ofCall = (options as RequestOptions | null)?.accountId;
  return typeof request === 'function'
    ? request({ ...context, accountId: ofCall ?? context.accountId })
    : request;
}

/** A call that is ready to be sent. If anything is wrong with it, throws all of that at once. */
function begin<T>(config: CallConfig, spec: RequestSpec<T>, options: RequestOptions): Call {
  try {
    return new Call(prepareRequest(config, spec, options), config);
  } catch (error) {
    const { operation, method, path } = spec;
    if (error instanceof EmailPlatformError) {
      completeError(error, { operation, method, path, attempts: 0, elapsedMs: 0 }, false);
    }
    throw error;
  }
}
