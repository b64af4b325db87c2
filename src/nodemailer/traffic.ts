/**
 * The unfinished emails of a transport, and whether there is room for more.
 *
 * The throttle counts an email after its call has asked for a permit. A loop of `while (transporter.isIdle())` is
 * faster, so this file counts the emails before that.
 */
import type { ClientPort } from '../client/port.ts';
import { AbortedError, TimeoutError } from '../core/errors.ts';
import { stopwatch } from '../core/steady-time.ts';
import { unlessAborted } from '../core/unless-aborted.ts';
import type { MailClient } from './types.ts';

/** An unfinished email. */
export interface Taken {
  /** Ends its call. */
  readonly controller: AbortController;
  /**
   * `read`: its call has not asked for a permit; `waiting`: it waits for a permit or a retry; `sent`: its request is
   * being sent.
   */
  phase: 'read' | 'waiting' | 'sent';
  /** Milliseconds since the transport took it. */
  readonly elapsedMs: () => number;
}

/** The limits of a call: its signal, and the milliseconds until its deadline. */
export interface CallLimits {
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
}

/** The common fields of a call's events. */
interface CallEvent {
  readonly callId: string;
}

export class Traffic {
  readonly #port: Pick<ClientPort, 'runtime' | 'deadlineMs'>;
  readonly #pool: 'token' | 'sandbox';
  readonly #taken = new Set<Taken>();
  readonly #byCall = new Map<string, Taken>();
  /** Number of emails that the throttle does not count yet. */
  #unknown = 0;
  readonly #listeners = new Set<() => void>();
  readonly #client: MailClient;
  #starting: Taken | undefined;
  #isClosed = false;
  /** True after `isIdle` returned false, and before the first event `idle`: the next room calls the listeners. */
  #wasBusy = true;
  #stopTimer: (() => void) | undefined;

  constructor(client: MailClient, port: ClientPort, pool: 'token' | 'sandbox') {
    this.#port = port;
    this.#pool = pool;
    // Only `call` uses this client.
    this.#client = client.withOptions({ hooks: this.#hooks() }) as MailClient;
  }

  /** Hooks that follow a call from its start, which happens before `send` returns, to its end. */
  #hooks() {
    const enters = (phase: Taken['phase']) => (event: CallEvent) => {
      const taken = this.#byCall.get(event.callId);
      if (!taken) return;
      this.#enter(taken, phase);
      if (this.#isClosed && phase === 'waiting') taken.controller.abort(closed());
      this.#look();
    };
    return {
      onStart: ({ callId }: CallEvent) => {
        if (this.#starting) this.#byCall.set(callId, this.#starting);
      },
      onThrottle: enters('waiting'),
      onRequest: enters('sent'),
      onRetry: enters('waiting'),
      onEnd: ({ callId }: CallEvent) => this.#byCall.delete(callId),
    };
  }

  /** Adds an email. Throws if the transport is closed. */
  take(signal: AbortSignal | undefined): { readonly taken: Taken; readonly end: () => void } {
    if (this.#isClosed) throw closed();
    const { runtime } = this.#port;
    const controller = new AbortController();
    const taken: Taken = { controller, phase: 'read', elapsedMs: stopwatch(runtime) };
    const stop = runtime.onAbort(signal, (reason) => controller.abort(reason));
    this.#taken.add(taken);
    this.#unknown += 1;
    return {
      taken,
      end: () => {
        stop();
        this.#taken.delete(taken);
        this.#enter(taken, 'sent');
        this.#look();
      },
    };
  }

  /** Reads an email. Stops when its call has to end, because a stream may never end by itself. */
  async read<T>({ controller, elapsedMs }: Taken, read: () => Promise<T>, stop: () => void): Promise<T> {
    const { runtime, deadlineMs } = this.#port;
    const { signal } = controller;
    const late = () => controller.abort(lateness(deadlineMs));
    const stopTimer =
      deadlineMs === undefined ? undefined : runtime.setTimer(Math.max(0, deadlineMs - elapsedMs()), late);
    try {
      if (!signal.aborted) return await unlessAborted(signal, read(), stop);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      stopTimer?.();
    }
    throw abortedBy(signal.reason);
  }

  /** Runs the call for an email, with a client that reports to this object. */
  call<T>(taken: Taken, run: (client: MailClient, limits: CallLimits) => T): T {
    const { deadlineMs } = this.#port;
    const { signal } = taken.controller;
    if (signal.aborted) throw abortedBy(signal.reason);
    const leftMs = deadlineMs === undefined ? undefined : Math.ceil(deadlineMs - taken.elapsedMs());
    // Checks the clock, because a timer may be late.
    if (leftMs !== undefined && leftMs <= 0) throw lateness(deadlineMs);
    this.#starting = taken;
    try {
      return run(this.#client, { signal, ...(leftMs !== undefined && { deadlineMs: leftMs }) });
    } finally {
      this.#starting = undefined;
    }
  }

  /** Whether the next email would be sent at once. */
  isIdle(): boolean {
    const isIdle = !this.#isClosed && this.#roomInMs() === 0;
    if (!isIdle) this.#wasBusy = true;
    this.#setTimer();
    return isIdle;
  }

  /**
   * Calls the listener when there is room again. If there is room now, calls it soon. Returns a function that ends that.
   * Without a listener, no timer keeps the process alive.
   */
  onIdle(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (!this.#isClosed) this.#stopTimer ??= this.#port.runtime.setTimer(0, () => this.#timeIsUp());
    return () => this.#listeners.delete(listener);
  }

  /**
   * Ends the emails that are read or wait. Does not end a request that is being sent: the email may be sent all the
   * same.
   */
  close(): void {
    this.#isClosed = true;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (const { phase, controller } of this.#taken) if (phase !== 'sent') controller.abort(closed());
  }

  #enter(taken: Taken, phase: Taken['phase']): void {
    if (taken.phase === 'read') this.#unknown -= 1;
    taken.phase = phase;
  }

  /** Milliseconds until there is room for one more email. */
  #roomInMs(): number {
    return this.#client.limits.estimate(this.#unknown + 1, this.#pool);
  }

  /** Calls the listeners if there is room and they were not called yet. */
  #look(): void {
    if (!this.#wasBusy || this.#isClosed || this.#stopTimer || this.#listeners.size === 0) return;
    if (this.#roomInMs() > 0) {
      this.#setTimer();
      return;
    }
    this.#wasBusy = false;
    for (const listener of this.#listeners) listener();
  }

  /** Checks again at the time at which there is room. */
  #setTimer(): void {
    if (!this.#wasBusy || this.#isClosed || this.#stopTimer || this.#listeners.size === 0) return;
    this.#stopTimer = this.#port.runtime.setTimer(Math.max(1, this.#roomInMs()), () => this.#timeIsUp());
  }

  #timeIsUp(): void {
    this.#stopTimer = undefined;
    this.#look();
  }
}

const closed = () => new AbortedError('The transport was closed', { effect: 'none' });

const lateness = (deadlineMs = 0) =>
  new TimeoutError(
    `sendMail did not finish within its deadline of ${deadlineMs} ms; it was reading the message`,
    {
      kind: 'deadline',
      effect: 'none',
    },
  );

/** The error of an email whose signal was aborted before its call began. */
const abortedBy = (reason: unknown): AbortedError | TimeoutError =>
  reason instanceof AbortedError || reason instanceof TimeoutError
    ? reason
    : new AbortedError('sendMail was aborted', { effect: 'none', cause: reason });
