import type { Limiter } from './connection.ts';

interface Store {
  readonly clientId?: string;
  readonly heartbeat?: { unref?(): unknown };
  __register__?(name: string, ...rest: unknown[]): Promise<unknown>;
}

/** A job as Redis was told of it. */
export interface Registration {
  readonly name: string;
  readonly at: number;
}

/**
 * What is used of a limiter beyond its typings. Bottleneck's last release is years old; without these, leases just end
 * by expiration.
 */
export class LimiterInternals {
  #registration: Registration | undefined;
  readonly #store: Store | undefined;
  #knowsNames = false;

  constructor(limiter: Limiter, now: () => number) {
    const store = (limiter as unknown as { _store?: Store })._store;
    this.#store = store;
    const register = store?.__register__?.bind(store);
    if (store === undefined || register === undefined) return;
    this.#knowsNames = true;
    store.__register__ = (name, ...rest) => {
      const registration = { name, at: now() };
      this.#registration = registration;
      const answer = register(name, ...rest);
      answer.catch(() => {
        if (this.#registration === registration) this.#registration = undefined;
      });
      return answer;
    };
  }

  /** What Redis calls the owner of our jobs; undefined where we could not tell one of them from another. */
  get clientId(): string | undefined {
    return this.#knowsNames ? this.#store?.clientId : undefined;
  }

  /**
   * The job that is being registered, one at a time: Redis may run it before we know. Where that fails, or the answer is
   * lost, it is never ours.
   */
  get registration(): Registration | undefined {
    return this.#registration;
  }

  /** It was registered, and runs. */
  takeRegistration(): Registration | undefined {
    const registration = this.#registration;
    this.#registration = undefined;
    return registration;
  }

  /** Bottleneck keeps the process alive for whatever is asked for. */
  unref(): void {
    this.#store?.heartbeat?.unref?.();
  }
}
