import { ApiPromise } from '../core/api-promise.ts';
import { callSite, type CallSite } from '../core/call-site.ts';
import { completeError, type EmailPlatformError } from '../core/error-base.ts';
import { reading } from '../core/errors.ts';
import type { Execute, RequestContext, RequestOptions, RequestSpec } from '../core/request.ts';
import { tried } from '../core/rules.ts';
import { authStage } from '../http/auth.ts';
import { httpStage } from '../http/ky.ts';
import { responseInfo } from '../http/response-info.ts';
import { responseStage } from '../http/response.ts';
import { sendWithRetries } from '../retry/loop.ts';
import { writeBody } from './body.ts';
import { Call } from './call.ts';
import type { CallConfig } from './config.ts';
import { emit, endEvent, newCallId } from './hooks.ts';
import { hooksStage } from './hooks-stage.ts';
import { prepareRequest } from './prepare.ts';
import { chain } from './stage.ts';
import { streamOf } from './stream.ts';
import { throttleStage } from './throttle-stage.ts';

type Request<T> = RequestSpec<T> | ((context: RequestContext) => RequestSpec<T>);

const NO_OPTIONS: RequestOptions = Object.freeze({});

/**
 * Creates the function that every resource is given: it takes a request as plain data, and returns the result.
 *
 * The order of the stages matters: the token is requested once the attempt has its permit, so that it is fresh; hooks
 * see each attempt when it is really sent, and every response whatever its status. Retrying is outside: every attempt
 * takes a permit of its own, and none is held while a retry waits.
 */
export function createExecute(config: CallConfig): Execute {
  const stages = [throttleStage(config), authStage(config), responseStage, hooksStage(config)];
  const send = chain(stages, httpStage(config));

  const execute: Execute = <T>(request: Request<T>, options = NO_OPTIONS, site = callSite()) => {
    const promise: ApiPromise<T> = new ApiPromise<T>((resolve, reject) => {
      const { spec, call } = begin(config, request, options, site);
      const start = () => sendWithRetries(call, send, execute);
      const sent = spec.prepareBody ? writeBody(call, spec).then(start) : start();
      sent
        .then(({ response, data }) => {
          promise.note(() => responseInfo(response));
          const isStream = spec.result.kind === 'body' && spec.result.form === 'stream';
          if (!isStream) call.close();
          resolve((isStream ? streamOf(call, data as ReadableStream) : data) as T);
        })
        .catch((cause: unknown) => {
          reject(call.fail(cause));
        });
    });
    return promise;
  };
  return execute;
}

/** A call that is ready to be sent. If anything is wrong with it, throws all of that at once. */
function begin<T>(config: CallConfig, request: Request<T>, options: RequestOptions, site: CallSite) {
  const { context, hooks, runtime } = config;
  const spec = reading('request', () => {
    if (typeof request !== 'function') return request;
    // Options that cannot be read are refused later, together with everything else that is wrong.
    const ofCall = tried(() => (options as RequestOptions | null)?.accountId, undefined);
    return request({ ...context, accountId: ofCall ?? context.accountId });
  });
  const { operation, method, host, path } = spec;
  try {
    const make = () => new Call(prepareRequest(config, spec, options), config, site);
    return { spec, call: reading(operation, make) };
  } catch (thrown) {
    const error = thrown as EmailPlatformError;
    completeError(error, { request: { operation, method, path, attempts: 0, elapsedMs: 0 }, site });
    emit(hooks.onEnd, () =>
      endEvent({ callId: newCallId(runtime), operation, method, host, path }, 0, 0, error),
    );
    throw error;
  }
}
