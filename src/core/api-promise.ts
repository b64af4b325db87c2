import type { RateLimitInfo } from './rate-limit-info.ts';

/** What is known of the response a result came from. */
export interface ResponseInfo {
  /** The HTTP status. */
  readonly status: number;
  /** The response's headers. */
  readonly headers: Headers;
  /** The service's id for the request; absent when it sent none or a browser hides it. */
  readonly requestId: string | undefined;
  /** The rate limit as the response tells it; its fields are absent when it does not. */
  readonly rateLimit: RateLimitInfo;
}

/** A result together with its response. */
export interface WithResponse<T> {
  /** The result, as the method gives it. */
  readonly data: T;
  /** The response it came in. */
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

  #response!: () => ResponseInfo;

  /**
   * Notes the response of the result, just before it resolves; it is made when somebody asks for it.
   *
   * @internal
   */
  note(response: () => ResponseInfo): void {
    this.#response = response;
  }

  /** The result with the response's status, headers, request id and rate limit. No further request is sent. */
  withResponse(): Promise<WithResponse<T>> {
    return this.then((data) => ({ data, response: this.#response() }));
  }
}

/** The promise of a result that comes by more than one request. */
export function apiPromiseOf<T>(outcome: Promise<WithResponse<T>>): ApiPromise<T> {
  const promise = new ApiPromise<T>((resolve, reject) => {
    outcome.then(({ data, response }) => {
      promise.note(() => response);
      resolve(data);
    }, reject);
  });
  return promise;
}
