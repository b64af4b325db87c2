/** The service's rate limit headers, as far as a response has them. */
export interface RateLimitInfo {
  /** `x-ratelimit-limit`: requests allowed in the token's window. */
  readonly limit?: number;
  /** `x-ratelimit-remaining`: requests left in it. */
  readonly remaining?: number;
  /** `x-ratelimit-reset`: when the window ends, by the service's clock; sent with a 429 only. */
  readonly resetAt?: Date;
}
