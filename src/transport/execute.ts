import { ApiPromise } from '../core/api-promise.ts';
import { callSite } from '../core/call-site.ts';
import { reading } from '../core/errors.ts';
import { isolated, isolatedIfPlain } from '../core/isolated.ts';
import type { Execute, RequestContext, RequestOptions, RequestSpec } from '../core/request.ts';
import { tried } from '../core/rules.ts';
import { authStage } from './auth.ts';
import { httpStage } from './fetch.ts';
import { responseInfo } from './response-info.ts';
import { responseStage } from './response.ts';
import { sendWithRetries } from './retry.ts';
import { writeBody } from './body.ts';
import { Call } from './call.ts';
import type { CallConfig } from './config.ts';
import { emit } from './hooks.ts';
import { hooksStage } from './hooks-stage.ts';
import { prepared } from './prepare.ts';
import { chain } from './stage.ts';
import { streamOf } from './stream.ts';
import { throttleStage } from './throttle-stage.ts';

type Request<T> = RequestSpec<T> | ((context: RequestContext) => RequestSpec<T>);

/**
 * Creates the function that every resource is given: it takes a request as plain data, and returns the result.
 *
 * The order of the stages matters: the token is requested once the attempt has its permit, so that it is fresh; hooks
 * see each attempt when it is really sent, and every response whatever its status. Retrying is outside: every attempt
 * takes a permit of its own, and none is held while a retry waits.
 */
export function createExecute(config: CallConfig): Execute {
  const { onStart, onRequest, onResponse } = config.hooks;
  // Only if there is a hook: without one, an attempt need not pay for this.
  const reported = onRequest || onResponse ? [hooksStage] : [];
  const send = chain([throttleStage, authStage, responseStage, ...reported], httpStage());

  const execute: Execute = <T>(request: Request<T>, given = {}, site = callSite()) => {
    const options = isolatedIfPlain(given);
    const promise: ApiPromise<T> = new ApiPromise<T>((resolve, reject) => {
      const spec = reading('request', () => specOf(config, request, options));
      const call = new Call(spec, config, site, ofOptions(options, 'meta'));
      emit(onStart, () => call.event());
      const start = () => sendWithRetries(call, send);
      const fail = (cause: unknown) => {
        reject(call.fail(cause));
      };
      try {
        begin(call, spec, options);
      } catch (error) {
        fail(error);
        return;
      }
      const sent = spec.prepareBody ? writeBody(call, spec).then(start) : start();
      sent
        .then(({ response, data }) => {
          promise.note(() => responseInfo(response));
          const { result } = call.request;
          const isStream = result.kind === 'body' && result.form === 'stream';
          if (!isStream) call.close();
          resolve((isStream ? streamOf(call, data as ReadableStream) : data) as T);
        })
        .catch(fail);
    });
    return promise;
  };
  return execute;
}

/** Not inside, where a call that waits would keep all that it was made from. */
function begin(call: Call, spec: RequestSpec<unknown>, options: RequestOptions): void {
  reading(spec.operation, () => call.start(prepared(call.config, spec, options)));
}

/** The request as plain data; if it depends on the client's settings, it is made from them here. */
function specOf<T>({ context }: CallConfig, request: Request<T>, options: RequestOptions): RequestSpec<T> {
  if (typeof request !== 'function') return isolated(request);
  const accountIdOfCall = ofOptions(options, 'accountId');
  const accountId = accountIdOfCall ?? context.accountId;
  return isolated(request(isolated({ ...context, accountId, accountIdOfCall })));
}

/** An option that is needed before the options are checked. Those that cannot be read are refused later. */
const ofOptions = <Name extends keyof RequestOptions>(options: RequestOptions, name: Name) =>
  tried(() => (options as RequestOptions | null)?.[name], undefined);
