import { ApiPromise } from '../core/api-promise.ts';
import type { EmailPlatformError } from '../core/error-base.ts';

/**
 * The result of `first`; where that fails with an error of this class, the result of `second`, which is then started. If
 * that fails too, what the first may have done matters more.
 */
export function orElse<T>(
  first: ApiPromise<T>,
  errorClass: abstract new (...args: never[]) => EmailPlatformError,
  second: () => ApiPromise<T>,
): ApiPromise<T> {
  const outcome = first.withResponse().catch((error: unknown) => {
    if (!(error instanceof errorClass)) throw error;
    return second()
      .withResponse()
      .catch((other: unknown) => {
        throw error.effect === 'unknown' ? error : other;
      });
  });
  const promise = new ApiPromise<T>((resolve, reject) => {
    outcome.then(({ data, response }) => {
      promise.note(() => response);
      resolve(data);
    }, reject);
  });
  return promise;
}
