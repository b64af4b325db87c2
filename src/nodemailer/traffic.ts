/**
 * The emails that a transport has taken and that have not ended: which of them wait, and whether there is room for more.
 *
 * The throttle knows of an email once its call has asked for a permit. A loop of `while (transporter.isIdle())` is faster,
 * and so those that have not are counted here.
 */
import { AbortedError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { MailClient } from './types.ts';

/** An email that was taken. */
export interface Taken {
  /** Ends its call. */
  readonly controller: AbortController;
  /** `read`: its call has not asked for a permit; `waiting` for one, or for a retry; `sent`: a request is on its way. */
  phase: 'read' | 'waiting' | 'sent';
}

export class Traffic {
  readonly #runtime: Runtime;
  readonly #pool: 'token' | 'sandbox';
  readonly #taken = new Set<Taken>();
  readonly #byCall = new Map<string, Taken>();
  readonly #listeners: (() => void)[] = [];
  readonly #client: MailClient;
  #starting: Taken | undefined;
  #isClosed = false;
  /** Whether somebody was told that there is no room, or has not been told yet that there is. */
  #wasBusy = true;
  #stopTimer: (() => void) | undefined;
  /** Whether anybody outside listens: else nobody is kept waiting, and no timer need keep the process alive. */
  readonly #isAwaited: () => boolean;

  constructor(client: MailClient, runtime: Runtime, pool: 'token' | 'sandbox', isAwaited: () => boolean) {
    this.#runtime = runtime;
    this.#pool = pool;
    this.#isAwaited = isAwaited;
    const phase = (name: Taken['phase']) => (event: { readonly callId: string }) => {
      const taken = this.#byCall.get(event.callId);
      if (!taken) return;
      taken.phase = name;
      if (this.#isClosed && name === 'waiting') taken.controller.abort(closed());
      this.#look();
    };
    this.#client = client.withOptions({
      hooks: {
        // Called while `send` is, and for no other call of this client.
        onStart: ({ callId }) => {
          if (this.#starting) this.#byCall.set(callId, this.#starting);
        },
        onThrottle: phase('waiting'),
        onRequest: phase('sent'),
        onRetry: phase('waiting'),
        onEnd: ({ callId }) => this.#byCall.delete(callId),
      },
    });
  }

  /** Takes an email. Throws if the transport is closed. */
  take(signal: AbortSignal | undefined): { readonly taken: Taken; readonly end: () => void } {
    if (this.#isClosed) throw closed();
    const taken: Taken = { controller: new AbortController(), phase: 'read' };
    const stop = this.#runtime.onAbort(signal, (reason) => taken.controller.abort(reason));
    this.#taken.add(taken);
    return {
      taken,
      end: () => {
        stop();
        this.#taken.delete(taken);
        this.#look();
      },
    };
  }

  /** Runs a call for an email that was taken, with a client that reports to this object. */
  call<T>(taken: Taken, run: (client: MailClient, signal: AbortSignal) => T): T {
    const { signal } = taken.controller;
    if (signal.aborted) throw abortedBy(signal.reason);
    this.#starting = taken;
    try {
      return run(this.#client, signal);
    } finally {
      this.#starting = undefined;
    }
  }

  /** Whether an email taken now would be sent at once. */
  isIdle(): boolean {
    const isIdle = !this.#isClosed && this.#roomInMs() === 0;
    if (!isIdle) this.#wasBusy = true;
    this.#setTimer();
    return isIdle;
  }

  /** Calls back when there is room again; and soon after this, if there is room now. */
  onIdle(listener: () => void): void {
    this.#listeners.push(listener);
    this.#stopTimer ??= this.#runtime.setTimer(0, () => this.#timeIsUp());
  }

  /** Ends what waits. A request that is on its way is not ended: the email may be sent all the same. */
  close(): void {
    this.#isClosed = true;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (const { phase, controller } of this.#taken) if (phase !== 'sent') controller.abort(closed());
  }

  /** Milliseconds until there is room for one more email. */
  #roomInMs(): number {
    const unknownToThrottle = [...this.#taken].filter(({ phase }) => phase === 'read').length;
    return this.#client.limits.estimate(unknownToThrottle + 1, this.#pool);
  }

  /** Tells the listeners, if there is room and they do not know it. */
  #look(): void {
    if (!this.#wasBusy || this.#isClosed || this.#stopTimer) return;
    if (this.#roomInMs() > 0) {
      this.#setTimer();
      return;
    }
    this.#wasBusy = false;
    for (const listener of this.#listeners) listener();
  }

  /** Looks again when time has made room. */
  #setTimer(): void {
    if (!this.#wasBusy || this.#isClosed || this.#stopTimer || !this.#isAwaited()) return;
    this.#stopTimer = this.#runtime.setTimer(Math.max(1, this.#roomInMs()), () => this.#timeIsUp());
  }

  #timeIsUp(): void {
    this.#stopTimer = undefined;
    this.#look();
  }
}

const closed = () => new AbortedError('The transport was closed', { effect: 'none' });

/** The error for an email whose signal was aborted before its call was made. */
const abortedBy = (reason: unknown): AbortedError =>
  reason instanceof AbortedError
    ? reason
    : new AbortedError('sendMail was aborted', { effect: 'none', cause: reason });
