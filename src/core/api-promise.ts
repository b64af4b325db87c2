import type { RateLimitInfo } from './rate-limit-info.ts';

/** What is known of the response a result came from. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  /** The service's id for the request; absent when it sent none or a browser hides it. */
  readonly requestId: string | undefined;
  /** The rate limit as the response tells it; its fields are absent when it does not. */
  readonly rateLimit: RateLimitInfo;
}

/** A result together with its response. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: ResponseInfo;
}

/**
 * The promise every method returns: of the result, and through `withResponse()` of the result with its response.
 * Both come from the same one request, which was started when the method was called.
 */
export class ApiPromise<T> extends Promise<T> {
  /** `then`, `catch` and `finally` give ordinary promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  #outcome!: Promise<WithResponse<T>>;

  /** @internal */
  static from<T>(outcome: Promise<WithResponse<T>>): ApiPromise<T> {
    const promise = new ApiPromise<T>((resolve, reject) => {
      outcome.then(({ data }) => {
        resolve(data);
      }, reject);
    });
    promise.#outcome = outcome;
    return promise;
  }

  /** The result with the response's status, headers, request id and rate limit. No further request is sent. */
  withResponse(): Promise<WithResponse<T>> {
    // From here on the returned promise is the one that rejects; this one must not be reported as unhandled too.
    this.catch(() => undefined);
    return this.#outcome.then((outcome) => outcome);
  }
}
