/**
 * The unfinished emails of a transport, and whether there is room for more.
 *
 * The throttle counts an email after its call has asked for a permit. A loop of `while (transporter.isIdle())` is
 * faster, so this file counts the emails before that: see docs/decisions/permit-rule.md.
 */
import type { ClientPort } from '../../client/port.ts';
import { RateLimitError } from '../../core/api-errors.ts';
import { AbortedError, TimeoutError } from '../../core/errors.ts';
import type { SentWhile } from '../../core/request.ts';
import { stopwatch } from '../../core/steady-time.ts';
import { unlessAborted } from '../../core/abort-watcher.ts';
import type { MailClient } from './types.ts';

/** An email's content, and the function that ends its reading, because a stream may never end by itself. */
interface Reading<Content> {
  readonly read: () => Promise<Content>;
  readonly stop: () => void;
}

/** The limits of a call: its signal, and the milliseconds until its deadline. */
export interface CallLimits {
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
}

export class Traffic {
  readonly #limits: MailClient['limits'];
  readonly #port: Pick<ClientPort, 'runtime' | 'deadlineMs'>;
  readonly #pool: 'token' | 'sandbox';
  readonly #closing = new AbortController();
  readonly #listeners = new Set<() => void>();
  /** Number of emails that the throttle does not count yet. */
  #uncounted = 0;
  /** True after `isIdle` returned false, and before the first event `idle`: the next room calls the listeners. */
  #wasBusy = true;
  #stopTimer: (() => void) | undefined;

  constructor({ limits }: MailClient, port: ClientPort, pool: 'token' | 'sandbox') {
    this.#limits = limits;
    this.#port = port;
    this.#pool = pool;
  }

  /** Reads and sends an email. Throws if the transport is closed. */
  async run<Content, Result>(
    signal: AbortSignal | undefined,
    reading: Reading<Content>,
    send: (content: Content, limits: CallLimits, sentWhile: SentWhile) => Promise<Result>,
  ): Promise<Result> {
    const { runtime, deadlineMs } = this.#port;
    const elapsedMs = stopwatch(runtime);
    let isCounted = false;
    const counted = () => {
      if (!isCounted) this.#uncounted -= 1;
      isCounted = true;
      this.#look();
    };
    this.#uncounted += 1;
    try {
      const content = await this.#read(signal, reading);
      const leftMs = deadlineMs === undefined ? undefined : Math.ceil(deadlineMs - elapsedMs());
      // Checks the clock, because a timer may be late.
      if (leftMs !== undefined && leftMs <= 0) throw lateness(deadlineMs);
      const limits = { ...(signal && { signal }), ...(leftMs !== undefined && { deadlineMs: leftMs }) };
      return await send(content, limits, { whileWanted: this.#closing.signal, onAsked: counted });
    } catch (error) {
      // A retry would have followed.
      const isEnded = this.#closing.signal.aborted && error instanceof RateLimitError;
      throw isEnded ? closed(error) : error;
    } finally {
      counted();
    }
  }

  /** Reads an email, until its signal, the deadline or `close` ends that. */
  async #read<Content>(signal: AbortSignal | undefined, { read, stop }: Reading<Content>): Promise<Content> {
    const { runtime, deadlineMs } = this.#port;
    const end = new AbortController();
    const stops = [
      runtime.onAbort(this.#closing.signal, (reason) => end.abort(reason)),
      runtime.onAbort(signal, (cause) =>
        end.abort(new AbortedError('sendMail was aborted', { effect: 'none', cause })),
      ),
      ...(deadlineMs === undefined
        ? []
        : [runtime.setTimer(deadlineMs, () => end.abort(lateness(deadlineMs)))]),
    ];
    try {
      end.signal.throwIfAborted();
      return await unlessAborted(end.signal, read(), stop);
    } finally {
      for (const each of stops) each();
    }
  }

  /** Whether the next email would be sent at once. */
  isIdle(): boolean {
    const isIdle = !this.#closing.signal.aborted && this.#roomInMs() === 0;
    if (!isIdle) this.#wasBusy = true;
    this.#setTimer(this.#roomInMs());
    return isIdle;
  }

  /**
   * Calls the listener when there is room again. If there is room now, calls it soon. Returns a function that ends that.
   * Without a listener, no timer keeps the process alive.
   */
  onIdle(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#setTimer(0);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Ends the emails that are read or wait. Does not end a request that is being sent: the email may be sent all the
   * same.
   */
  close(): void {
    this.#stopTimer?.();
    this.#closing.abort(closed());
  }

  /** Milliseconds until there is room for one more email. */
  #roomInMs(): number {
    return this.#limits.estimate(this.#uncounted + 1, this.#pool);
  }

  /** Whether listeners wait for room, and no timer is set. */
  get #isAwaited(): boolean {
    return this.#wasBusy && !this.#closing.signal.aborted && !this.#stopTimer && this.#listeners.size > 0;
  }

  /** Calls the listeners if there is room and they were not called yet. */
  #look(): void {
    if (!this.#isAwaited) return;
    const roomInMs = this.#roomInMs();
    if (roomInMs > 0) {
      this.#setTimer(Math.max(1, roomInMs));
      return;
    }
    this.#wasBusy = false;
    for (const listener of this.#listeners) listener();
  }

  /** Looks again at the time at which there is room. */
  #setTimer(ms: number): void {
    if (!this.#isAwaited) return;
    this.#stopTimer = this.#port.runtime.setTimer(ms, () => {
      this.#stopTimer = undefined;
      this.#look();
    });
  }
}

const closed = (cause?: unknown) => new AbortedError('The transport was closed', { effect: 'none', cause });

const lateness = (deadlineMs = 0) =>
  new TimeoutError(
    `sendMail did not finish within its deadline of ${deadlineMs} ms; it was reading the message`,
    { kind: 'deadline', effect: 'none' },
  );
