import type { EmulatorHost } from './hosts.ts';
import type { EmulatorPool } from './limiter.ts';
import type { Reply } from './route.ts';

/** Whose form responses have where the sources about the service differ. */
export type EmulatorAnswers = 'specified' | 'recorded';

/** The refusals of which the sources show different forms. */
export class Answers {
  readonly kind: EmulatorAnswers;

  constructor(kind: EmulatorAnswers) {
    this.kind = kind;
  }

  /** 401: an unknown token, or a sender that it may not use. */
  unauthorized(host: EmulatorHost, message: string): Reply {
    if (this.#isSpecified(host)) return { status: 401, json: { error: message } };
    return { status: 401, json: { errors: [message] } };
  }

  /** 403: a token without permission. */
  forbidden(host: EmulatorHost, message: string): Reply {
    if (this.#isSpecified(host)) return { status: 403, json: { errors: message } };
    return { status: 403, json: { success: false, errors: [message] } };
  }

  /** 429, with the time at which the limit resets. */
  tooMany(host: EmulatorHost, pool: EmulatorPool | 'sandbox', resetAt: number): Reply {
    const message = 'Rate limit exceeded';
    const headers = { 'x-ratelimit-reset': new Date(resetAt).toISOString() };
    const body = (): unknown => {
      if (!this.#isSpecified(host)) return { success: false, errors: [message] };
      if (pool === 'token') return { error: 'Throttled' };
      return this.kind === 'specified' ? { error: message } : { errors: message };
    };
    return { status: 429, json: body(), headers };
  }

  /** The account host responds as specified; the sending hosts were recorded with a form of their own. */
  #isSpecified(host: EmulatorHost): boolean {
    return this.kind === 'specified' || host === 'api';
  }
}

/** What a refusal says, whatever its form. */
export function messagesOf({ json }: Reply): string[] {
  const { error, errors } = json as { error?: string; errors?: string | string[] };
  return [error, errors].flat().filter((message) => message !== undefined);
}
