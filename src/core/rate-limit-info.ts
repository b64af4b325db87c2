/** The rate limit headers of a response; each field is absent when its header is. */
export interface RateLimitInfo {
  /** `x-ratelimit-limit`: requests allowed in the token's window. */
  readonly limit?: number;
  /** `x-ratelimit-remaining`: requests left in the token's window. */
  readonly remaining?: number;
  /** `x-ratelimit-reset`: when the token's window ends, by the service's clock; sent only with a 429. */
  readonly resetAt?: Date;
}
