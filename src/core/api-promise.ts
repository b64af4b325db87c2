/** The rate limit headers of a response; each field is absent when its header is. */
export interface RateLimitInfo {
  /** `x-ratelimit-limit`: requests allowed in the token's window. */
  readonly limit?: number;
  /** `x-ratelimit-remaining`: requests left in the token's window. */
  readonly remaining?: number;
  /** `x-ratelimit-reset`: when the token's window ends, by the service's clock; sent only with a 429. */
  readonly resetAt?: Date;
}

/** Metadata of the response a result came from. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number;
  /** Response headers. */
  readonly headers: Headers;
  /** The service's id for the request; undefined when it sent none or a browser hides it. */
  readonly requestId: string | undefined;
  /** The response's rate limit headers; each field is absent when its header is. */
  readonly rateLimit: RateLimitInfo;
}

/** A result together with the metadata of its response. */
export interface WithResponse<T> {
  /** The result, as the method returns it. */
  readonly data: T;
  /** Metadata of the response the result came from. */
  readonly response: ResponseInfo;
}

/** The language's own: a library may have put another in its place, which refuses to be extended. */
const OwnPromise = (async () => Promise.resolve())().constructor as PromiseConstructor;

/**
 * The promise every method returns. Await it for the result, or call `withResponse()` for the result together with its
 * response. Both use the one request that was started when the method was called.
 */
export class ApiPromise<T> extends OwnPromise<T> {
  /** `then`, `catch` and `finally` return ordinary promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return OwnPromise;
  }

  #response!: () => ResponseInfo;

  /**
   * Records how to get the response's metadata, just before the promise resolves. It is built only when needed.
   *
   * @internal
   */
  note(response: () => ResponseInfo): void {
    this.#response = response;
  }

  /** Resolves to the result with its response's status, headers, request id and rate limit; sends no other request. */
  withResponse(): Promise<WithResponse<T>> {
    return this.then((data) => ({ data, response: this.#response() }));
  }
}
