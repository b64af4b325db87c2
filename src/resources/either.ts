import { NotFoundError } from '../core/api-errors.ts';
import { ApiPromise, type WithResponse } from '../core/api-promise.ts';
import { callSite, type CallSite } from '../core/call-site.ts';
import { thrownFrom, type EmailPlatformError } from '../core/error-base.ts';
import { isolatedIfPlain } from '../core/isolated.ts';
import type { RequestOptions } from '../core/request.ts';

/** A method's promise of what it found out by more than one request. */
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

/** Options for a request that follows a failed one: what is left of the deadline is for both. */
function following(options: RequestOptions | undefined, { request }: EmailPlatformError) {
  const { deadlineMs } = isolatedIfPlain(options ?? {});
  if (deadlineMs === undefined) return options;
  return { ...options, deadlineMs: Math.max(1, deadlineMs - (request?.elapsedMs ?? 0)) };
}

/**
 * The result of `first`; where that fails with an error of this class, the result of `second`, which is then started. If
 * that fails too, what the first may have done matters more.
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

/** What a request finds, with its response; undefined where the service has the request, but not what it asks for. */
type Found<T> = Promise<WithResponse<T> | undefined>;

/**
 * Two requests for the same thing, of which the service may have only one. It responds to the other with 404, as it does
 * where there is no such thing; so the one that has worked is remembered.
 */
export class TwoForms {
  #known: 'first' | 'second' | undefined;

  /** Sends the first; where that may not exist, the second. Fails with the 404 of the first if neither finds it. */
  read<T>(
    first: () => Promise<WithResponse<T>>,
    second: (options?: RequestOptions) => Found<T>,
    options: RequestOptions | undefined,
    site?: CallSite,
  ): ApiPromise<T> {
    return promised(this.#read(first, second, options), site);
  }

  async #read<T>(
    first: () => Promise<WithResponse<T>>,
    second: (options?: RequestOptions) => Found<T>,
    options: RequestOptions | undefined,
  ): Promise<WithResponse<T>> {
    if (this.#known === 'second') return (await second(options)) ?? first();
    try {
      const found = await first();
      this.#known = 'first';
      return found;
    } catch (error) {
      if (this.#known === 'first' || !(error instanceof NotFoundError)) throw error;
      const found = await second(following(options, error));
      if (found === undefined) throw error;
      this.#known = 'second';
      return found;
    }
  }
}
