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

/** An attempt in line: told when its permit is there, or when there will be none. */
export interface WaitingAttempt extends CallEndListener {
  /** The permit is there. */
  proceed(): void;
  callEnded(reason: Error): void;
}

/** One try of a call. It is also what asks the throttle for a permit, so that nothing more is made for that. */
export class Attempt implements PermitRequest {
  readonly call: Call;
  /** 1 for the first. */
  readonly number: number;
  /** The header that holds the token, and the token itself: to be blacked out of whatever `fetch` throws. */
  auth: { readonly header: Readonly<Record<string, string>>; readonly secret: string } | undefined =
    undefined;
  /** Held from the throttle's leave until one of its endings is called. */
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

  /** From its permit to its end at the latest: a token function has as long as the request itself. */
  get timeoutMs(): number {
    const { timeoutMs, config } = this.call;
    return typeof config.token === 'function' ? 2 * timeoutMs : timeoutMs;
  }

  get onWait(): ((wait: ThrottleWait) => void) | undefined {
    const { onThrottle } = this.call.config.hooks;
    // A forecast costs time: it is made for those who listen.
    return onThrottle && ((wait) => emit(onThrottle, () => ({ ...this.event(), ...wait })));
  }

  /**
   * Stands in line from now on: for its permit, or for the end of the call. Either may have come already: hooks are
   * called while it joins, and may abort calls.
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

  /** Ends the permit, if one is still held: exactly one of its endings is called, once. */
  endPermit(end: (permit: Permit) => void): void {
    const { permit } = this;
    this.permit = undefined;
    if (permit) end(permit);
  }

  /** What hooks are told of it. */
  event(): RequestEvent {
    const { operation, method, host, path } = this.call.request;
    return { operation, method, host, path, attempt: this.number };
  }
}
