import type {
  AccountPoolName,
  Permit,
  PermitRequest,
  Priority,
  ThrottleKey,
  ThrottleWait,
} from '../core/throttle.ts';
import type { Call, CallEndListener } from './call.ts';
import { emit, type RequestEvent } from './hooks.ts';

/** A queued attempt: goes on when it gets its permit, or fails because the call has to end. */
export interface WaitingAttempt extends CallEndListener {
  /** The attempt has its permit. */
  proceed(): void;
  callEnded(reason: Error): void;
}

/** One attempt of a call: the first, or a retry. It is itself the throttle's `PermitRequest`, which saves an object. */
export class Attempt implements PermitRequest {
  readonly call: Call;
  /** 1 for the first. */
  readonly number: number;
  /** The header with the token, and the token itself, which is redacted from whatever `fetch` throws. */
  auth: { readonly header: Readonly<Record<string, string>>; readonly secret: string } | undefined =
    undefined;
  /** The throttle's permission to send, from when it is granted until one of its endings is called. */
  permit: Permit | undefined = undefined;
  #waiting: WaitingAttempt | undefined = undefined;

  constructor(call: Call, number: number) {
    this.call = call;
    this.number = number;
  }

  get key(): ThrottleKey {
    return this.call.request.key;
  }

  get pool(): AccountPoolName | undefined {
    return this.call.request.pool;
  }

  get priority(): Priority {
    return this.call.request.options.priority ?? 'normal';
  }

  get isRetry(): boolean {
    return this.number > 1;
  }

  /** The longest time from getting the permit to the end: a token function may take as long as the request itself. */
  get timeoutMs(): number {
    const { timeoutMs, config } = this.call;
    return typeof config.token === 'function' ? 2 * timeoutMs : timeoutMs;
  }

  get onWait(): ((wait: ThrottleWait) => void) | undefined {
    const { onThrottle } = this.call.config.hooks;
    // Without a listener the throttle need not make a forecast.
    return onThrottle && ((wait) => emit(onThrottle, () => ({ ...this.event(), ...wait })));
  }

  /**
   * Waits for the permit, or for the end of the call. Either may have come already: hooks are called while the attempt
   * is queued, and may abort calls.
   */
  wait(waiting: WaitingAttempt): void {
    if (this.permit) waiting.proceed();
    else if (this.call.ended) waiting.callEnded(this.call.ended);
    else {
      this.#waiting = waiting;
      this.call.onEnd(waiting);
    }
  }

  granted(permit: Permit): void {
    this.permit = permit;
    this.call.onEnd(undefined);
    this.#waiting?.proceed();
    this.#waiting = undefined;
  }

  refused(error: Error): void {
    const waiting = this.#waiting;
    this.call.onEnd(undefined);
    this.#waiting = undefined;
    waiting?.callEnded(error);
  }

  /** Ends the permit, unless it has ended: of all its endings, exactly one is called, once. */
  endPermit(end: (permit: Permit) => void): void {
    const { permit } = this;
    this.permit = undefined;
    if (permit) end(permit);
  }

  /** What every event says about this attempt. */
  event(): RequestEvent {
    const { operation, method, host, path } = this.call.request;
    return { operation, method, host, path, attempt: this.number };
  }
}
