/** The status of a message in the log. */
export type EmulatorLogStatus = 'delivered' | 'not_delivered' | 'enqueued' | 'opted_out';

/** The type of an event in the log. */
export type EmulatorEventType =
  'delivery' | 'open' | 'click' | 'soft_bounce' | 'bounce' | 'spam' | 'unsubscribe' | 'suspension' | 'reject';

/**
 * The times of a message's events, in milliseconds after its acceptance.
 *
 * The local part of the recipient's address, up to the first `+`, determines the events:
 *
 * - `bounce`, `soft-bounce`, `reject`, `suspend`: that event, and the status `not_delivered`;
 * - `opted-out`: a rejection, and the status `opted_out`;
 * - `spam`, `unsubscribe`: a delivery and an open, then that event;
 * - `open`: a delivery and an open; `quiet`: a delivery; `stuck`: no event, and the status `enqueued`;
 * - any other: a delivery, an open and a click. The sending domain must track opens and clicks.
 */
export interface EmulatorDeliveryTiming {
  /**
   * The time until the message is delivered, bounces or is rejected.
   * @defaultValue 1000
   */
  deliverMs?: number;
  /**
   * The time until the message is opened.
   * @defaultValue 60_000
   */
  openMs?: number;
  /**
   * The time until a click, a complaint or an unsubscription.
   * @defaultValue 120_000
   */
  clickMs?: number;
}

/** The same options, with their defaults. */
export type DeliveryTiming = Readonly<Required<EmulatorDeliveryTiming>>;

/** One event of a course. */
export interface Step {
  readonly type: string;
  readonly afterMs: number;
  /** The details of the event. By default, they are derived from the message. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * All events of a message, in order. They are fixed when the message is accepted, so that the emulator schedules nothing
 * for each message: the time determines the events that have happened.
 */
export interface Course {
  readonly steps: readonly Step[];
  /** A fixed status, which replaces the status that follows from the events. */
  readonly status?: EmulatorLogStatus;
}

const FAILURES: ReadonlySet<string> = new Set(['soft_bounce', 'bounce', 'suspension', 'reject']);

/** The steps that have happened. */
export function happened(course: Course, elapsedMs: number): readonly Step[] {
  const { steps } = course;
  const last = steps.at(-1);
  if (last === undefined || last.afterMs <= elapsedMs) return steps;
  return steps.filter(({ afterMs }) => afterMs <= elapsedMs);
}

/** The status that follows from the events so far. */
export function statusAt(course: Course, elapsedMs: number): EmulatorLogStatus {
  if (course.status !== undefined) return course.status;
  let isDelivered = false;
  for (const { type, afterMs } of course.steps) {
    if (afterMs > elapsedMs) continue;
    if (FAILURES.has(type)) return 'not_delivered';
    if (type === 'delivery') isDelivered = true;
  }
  return isDelivered ? 'delivered' : 'enqueued';
}

/** The tracking settings of a sending domain. */
export interface Tracking {
  readonly opens: boolean;
  readonly clicks: boolean;
}

/** Chooses the events of a message by the recipient's address, as {@link EmulatorDeliveryTiming} describes. */
export class Courses {
  readonly #timing: DeliveryTiming;
  readonly #made = new Map<string, Course>();

  constructor(timing: DeliveryTiming) {
    this.#timing = timing;
  }

  for(address: string, tracking: Tracking): Course {
    const name = (/^[^@+]*/.exec(address)?.[0] ?? '').toLowerCase();
    const outcome = Object.hasOwn(OUTCOMES, name) ? name : '';
    const key = `${outcome} ${tracking.opens} ${tracking.clicks}`;
    const cached = this.#made.get(key);
    if (cached !== undefined) return cached;
    const made = this.#make(outcome, tracking);
    this.#made.set(key, made);
    return made;
  }

  /** The course of a message that is rejected. */
  refused(status: EmulatorLogStatus, reason: string): Course {
    const step = { type: 'reject', afterMs: this.#timing.deliverMs, details: { reject_reason: reason } };
    return { steps: [step], status };
  }

  #make(outcome: string, tracking: Tracking): Course {
    const { deliverMs, openMs, clickMs } = this.#timing;
    if (outcome === 'opted-out') return this.refused('opted_out', 'Recipient opted out');
    const untracked = [...(tracking.opens ? [] : ['open']), ...(tracking.clicks ? [] : ['click'])];
    const types = (OUTCOMES[outcome] ?? READER).filter((type) => !untracked.includes(type));
    const steps = types.map((type) => {
      if (type === 'open') return { type, afterMs: openMs };
      return { type, afterMs: ['click', 'spam', 'unsubscribe'].includes(type) ? clickMs : deliverMs };
    });
    return { steps: steps.sort((a, b) => a.afterMs - b.afterMs) };
  }
}

const READER: readonly EmulatorEventType[] = ['delivery', 'open', 'click'];

const OUTCOMES: Readonly<Record<string, readonly EmulatorEventType[]>> = {
  '': READER,
  bounce: ['bounce'],
  'soft-bounce': ['soft_bounce'],
  reject: ['reject'],
  suspend: ['suspension'],
  spam: ['delivery', 'open', 'spam'],
  unsubscribe: ['delivery', 'open', 'unsubscribe'],
  open: ['delivery', 'open'],
  quiet: ['delivery'],
  stuck: [],
  'opted-out': ['reject'],
};
