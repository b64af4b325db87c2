import type { EmulatorHost } from './hosts.ts';
import type { EmulatorPool } from './limiter.ts';
import type { Reply } from './route.ts';

/** Whose form responses have where the sources about the service differ. */
export type EmulatorAnswers = 'specified' | 'recorded';

/** The pools whose refusals state no limit: neither what it is nor when it resets. */
const UNSTATED: readonly string[] = ['templatesList', 'templatesCreate'] satisfies EmulatorPool[];

/** Whether responses with a 429 of this pool have the headers of the rate limit. */
export const statesLimit = (pool: EmulatorPool | 'sandbox'): boolean => !UNSTATED.includes(pool);

/** The refusals of which the sources show different forms. Where one body can have both, it has both. */
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

  /** 429, with the time at which the limit resets where the service states it. */
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

/** The messages of a refusal in any form, each once. */
export function messagesOf({ json }: Reply): string[] {
  const { error, errors } = json as { error?: string; errors?: string | string[] };
  return [...new Set([error, errors].flat().filter((message) => message !== undefined))];
}
