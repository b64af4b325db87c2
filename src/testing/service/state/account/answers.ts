import type { EmulatorHost } from '../../wire/hosts.ts';
import type { EmulatorPool } from './limiter.ts';
import type { Reply } from '../../wire/reply.ts';

/** The source that decides the form of a response if the sources about the service differ. */
export type EmulatorAnswers = 'specified' | 'recorded';

/** The pools whose 429 has no rate-limit headers. */
const UNSTATED: readonly string[] = [
  'templatesList',
  'templatesCreate',
  'subAccountsDelete',
] satisfies EmulatorPool[];

/** Whether responses with a 429 of this pool have the headers of the rate limit. */
export const statesLimit = (pool: EmulatorPool | 'sandbox'): boolean => !UNSTATED.includes(pool);

/** The refusals with different forms in different sources. A body has both forms if they do not exclude each other. */
export class Answers {
  readonly #kind: EmulatorAnswers;

  constructor(kind: EmulatorAnswers) {
    this.#kind = kind;
  }

  /** 401: an unknown token, or a sender that it may not use. */
  unauthorized(host: EmulatorHost, message: string): Reply {
    if (host === 'api') return { status: 401, json: { error: message } };
    return { status: 401, json: { error: message, errors: [message] } };
  }

  /** 403: a token without permission. */
  forbidden(host: EmulatorHost, message: string): Reply {
    if (this.#kind === 'specified' || host === 'api') return { status: 403, json: { errors: message } };
    return { status: 403, json: { success: false, errors: [message] } };
  }

  /** 429, with the time of the reset unless the service hides it. */
  tooMany(host: EmulatorHost, pool: EmulatorPool | 'sandbox', resetAt: number): Reply {
    const message = pool === 'token' ? 'Throttled' : 'Rate limit exceeded';
    const body = (): unknown => {
      if (host !== 'api') return { success: false, error: message, errors: [message] };
      if (pool === 'token') return { error: message };
      return this.#kind === 'specified' && statesLimit(pool) ? { error: message } : { errors: message };
    };
    const headers = statesLimit(pool) ? { 'x-ratelimit-reset': new Date(resetAt).toISOString() } : {};
    return { status: 429, json: body(), headers };
  }
}

/** The distinct messages of a refusal, in any form. */
export function messagesOf({ json }: Reply): string[] {
  const { error, errors } = json as { error?: string; errors?: string | string[] };
  return [...new Set([error, errors].flat().filter((message) => message !== undefined))];
}
