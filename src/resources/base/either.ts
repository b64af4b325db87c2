import { NotFoundError } from '../../core/api-errors.ts';
import { ApiPromise, type WithResponse } from '../../core/api-promise.ts';
import { callSite, type CallSite } from '../../core/call-site.ts';
import { thrownFrom, type EmailPlatformError } from '../../core/error-base.ts';
import { memberOf } from '../../core/record.ts';
import type { RequestOptions } from '../../core/request.ts';

/** The promise of a method that sends more than one request. */
export function promised<T>(outcome: Promise<WithResponse<T>>, site = callSite()): ApiPromise<T> {
  const promise = new ApiPromise<T>((resolve, reject) => {
    outcome.then(
      ({ data, response }) => {
        promise.note(() => response);
        resolve(data);
      },
      (error: unknown) => reject(thrownFrom(site, error)),
    );
  });
  return promise;
}

/** Options for a request that follows a failed one: both share the deadline. */
function following(options: RequestOptions | undefined, { request }: EmailPlatformError) {
  const deadlineMs = memberOf(options, 'deadlineMs') as number | undefined;
  if (deadlineMs === undefined) return options;
  return { ...options, deadlineMs: Math.max(1, deadlineMs - (request?.elapsedMs ?? 0)) };
}

/**
 * The result of `first`. After an error of this class, starts `second` and returns its result. If that fails too,
 * throws the first error if its effect is `unknown`, otherwise the second one.
 */
export const orElse = <T>(
  first: ApiPromise<T>,
  errorClass: abstract new (...args: never[]) => EmailPlatformError,
  second: (options?: RequestOptions) => ApiPromise<T>,
  options: RequestOptions | undefined,
): ApiPromise<T> =>
  promised(
    first.withResponse().catch((error: unknown) => {
      if (!(error instanceof errorClass)) throw error;
      return second(following(options, error))
        .withResponse()
        .catch((other: unknown) => {
          throw error.effect === 'unknown' ? error : other;
        });
    }),
  );

/** The result of a request, with its response; undefined if the endpoint exists, but not the object. */
type Lookup<T> = Promise<WithResponse<T> | undefined>;

/**
 * Two requests for the same object; the service may support only one of them. It responds with 404 to the other one,
 * and also for a missing object, so the client remembers the one that worked.
 */
export class TwoForms {
  #working: 'first' | 'second' | undefined;

  /**
   * Sends the first; after a 404 that may mean a missing endpoint, the second. Fails with the 404 of the first if both
   * fail to find the object.
   */
  read<T>(
    first: () => Promise<WithResponse<T>>,
    second: (options?: RequestOptions) => Lookup<T>,
    options: RequestOptions | undefined,
    site?: CallSite,
  ): ApiPromise<T> {
    return promised(this.#read(first, second, options), site);
  }

  async #read<T>(
    first: () => Promise<WithResponse<T>>,
    second: (options?: RequestOptions) => Lookup<T>,
    options: RequestOptions | undefined,
  ): Promise<WithResponse<T>> {
    if (this.#working === 'second') return (await second(options)) ?? first();
    try {
      const result = await first();
      this.#working = 'first';
      return result;
    } catch (error) {
      if (this.#working === 'first' || !(error instanceof NotFoundError)) throw error;
      const result = await second(following(options, error));
      if (result === undefined) throw error;
      this.#working = 'second';
      return result;
    }
  }
}
