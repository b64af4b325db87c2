/**
 * The channels `email-platform:call` and `email-platform:attempt` of Node's `diagnostics_channel`, and how a message goes
 * through their phases.
 */
import { tried } from '../core/tried.ts';

/** A channel of `node:diagnostics_channel`. */
interface Channel {
  /** A method in workerd, a property everywhere else. */
  readonly hasSubscribers: boolean | (() => boolean);
  publish(message: object): void;
  runStores(message: object, run: () => void): void;
}

type Phase = 'start' | 'end' | 'asyncStart' | 'asyncEnd' | 'error';
type Channels = Readonly<Record<Phase, Channel>>;

/** The part of `node:diagnostics_channel` that is used here. */
interface DiagnosticsChannel {
  readonly tracingChannel: (name: string) => Channels;
}

/** The channels of a client. */
export interface Tracing {
  readonly call: Channels;
  readonly attempt: Channels;
}

/** The channels, of a runtime whose module `node:diagnostics_channel` this is. */
export const openTracing = (diagnostics: unknown): Tracing | undefined =>
  tried(() => {
    const { tracingChannel } = diagnostics as DiagnosticsChannel;
    return {
      call: tracingChannel('email-platform:call'),
      attempt: tracingChannel('email-platform:attempt'),
    };
  });

const hasListener = (channel: Channel): boolean => {
  const { hasSubscribers } = channel;
  return typeof hasSubscribers === 'function' ? hasSubscribers.call(channel) : hasSubscribers;
};

/** Not that of the tracing channel itself: Bun has none. Asked for every request, and so without a loop. */
export const isHeard = ({ start, end, asyncStart, asyncEnd, error }: Channels): boolean =>
  hasListener(start) ||
  hasListener(end) ||
  hasListener(asyncStart) ||
  hasListener(asyncEnd) ||
  hasListener(error);

/**
 * One message on its way through the phases, in the order of `tracePromise`: start, end, then error if it failed,
 * asyncStart, asyncEnd. That function itself would put the result and the error into the message.
 */
export class Trace<Message extends object> {
  readonly message: Message;
  readonly #channels: Channels;
  #isStarting = true;
  #outcome: Partial<Message> | undefined;

  constructor(channels: Channels, message: Message) {
    this.#channels = channels;
    this.message = message;
  }

  /** Runs what is traced, once, within the stores that are bound to the channel. */
  run<T>(traced: () => T): T {
    let state: 'not begun' | 'begun' | 'returned' = 'not begun';
    let result!: T;
    const begin = () => {
      state = 'begun';
      result = traced();
      state = 'returned';
    };
    try {
      this.#channels.start.runStores(this.message, begin);
    } catch (error) {
      if ((state as string) === 'begun') throw error;
      // A runtime may pass on what a listener throws.
      if ((state as string) === 'not begun') begin();
    }
    this.#publish('end');
    this.#isStarting = false;
    if (this.#outcome) this.#publishOutcome(this.#outcome);
    return result;
  }

  /** What is traced has ended. Published after `end`, even if it has failed at once. */
  end(outcome: Partial<Message>): void {
    this.#outcome = outcome;
    if (!this.#isStarting) this.#publishOutcome(outcome);
  }

  #publishOutcome(outcome: Partial<Message>): void {
    // A listener may have frozen it.
    tried(() => Object.assign(this.message, outcome));
    if ('error' in outcome) this.#publish('error');
    this.#publish('asyncStart');
    this.#publish('asyncEnd');
  }

  #publish(phase: Phase): void {
    tried(() => this.#channels[phase].publish(this.message));
  }
}
