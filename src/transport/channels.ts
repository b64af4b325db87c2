/**
 * The channels `email-platform:call` and `email-platform:attempt` of Node's `diagnostics_channel`, and the phases of
 * their messages.
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

/** Opens the channels in the runtime's module `node:diagnostics_channel`. */
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

/**
 * Whether a channel has a subscriber. Bun lacks `hasSubscribers` of the tracing channel. Without a loop, because every
 * request calls it.
 */
export const isHeard = ({ start, end, asyncStart, asyncEnd, error }: Channels): boolean =>
  hasListener(start) ||
  hasListener(end) ||
  hasListener(asyncStart) ||
  hasListener(asyncEnd) ||
  hasListener(error);

/** Runs a function inside a context, for example. */
export type Wrapper = (inside: () => void) => void;

/** The method of a message for listeners of `start`. */
interface Wrappable {
  readonly wrap: (wrapper: Wrapper) => void;
}

/**
 * One message and its phases, in the order of `tracePromise`: start, end, then error if it failed, asyncStart,
 * asyncEnd. `tracePromise` itself would put the result and the error into the message.
 */
export class Trace<Message extends Wrappable> {
  readonly #message: Message;
  readonly #channels: Channels;
  readonly #wrappers: Wrapper[] = [];
  #isStarting = true;
  #outcome: Partial<Message> | undefined;

  constructor(channels: Channels, facts: Omit<Message, 'wrap'>) {
    this.#channels = channels;
    const wrap = (wrapper: Wrapper) => void this.#wrappers.push(wrapper);
    // Not enumerable: a listener that copies or prints the message gets only its facts.
    this.#message = Object.defineProperty({ ...facts }, 'wrap', { value: wrap }) as Message;
  }

  /** Runs the traced function once, within the stores bound to the channel and the wrappers of the listeners. */
  run<T>(traced: () => T): T {
    type Ran = { readonly result: T } | { readonly thrown: unknown };
    let ran: Ran | undefined;
    // Keeps the thrown value, so that no listener can swallow it.
    const once = () =>
      (ran ??= tried<Ran>(
        () => ({ result: traced() }),
        (thrown) => ({ thrown }),
      ));
    // A runtime may rethrow a listener's error, and a wrapper may throw or skip the function.
    tried(() => {
      this.#channels.start.runStores(this.#message, () => this.#runWrapped(once));
    });
    const outcome = once();
    if ('thrown' in outcome) throw outcome.thrown;
    this.#publish('end');
    this.#isStarting = false;
    if (this.#outcome) this.#publishOutcome(this.#outcome);
    return outcome.result;
  }

  #runWrapped(traced: () => void): void {
    let inside = traced;
    for (const wrapper of this.#wrappers) {
      const next = inside;
      inside = () => {
        wrapper(next);
      };
    }
    inside();
  }

  /** Publishes the outcome, always after `end`, even for a failure in the same turn. */
  end(outcome: Partial<Message>): void {
    this.#outcome = outcome;
    if (!this.#isStarting) this.#publishOutcome(outcome);
  }

  #publishOutcome(outcome: Partial<Message>): void {
    // A listener may have frozen it.
    tried(() => Object.assign(this.#message, outcome));
    if ('error' in outcome) this.#publish('error');
    this.#publish('asyncStart');
    this.#publish('asyncEnd');
  }

  #publish(phase: Phase): void {
    tried(() => this.#channels[phase].publish(this.#message));
  }
}
