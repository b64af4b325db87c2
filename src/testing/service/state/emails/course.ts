/** The status of a message in the log. */
export type EmulatorLogStatus = 'delivered' | 'not_delivered' | 'enqueued' | 'opted_out';

/** The type of an event in the log. */
export type EmulatorEventType =
  | 'delivery'
  | 'open'
  | 'click'
  | 'soft_bounce'
  | 'bounce'
  | 'spam'
  | 'unsubscribe'
  | 'suspension'
  | 'reject';

/**
 * The times of a message's events, in milliseconds after its acceptance.
 *
 * The local part of the recipient's address, up to the first `+`, determines the events:
 *
 * - `bounce`, `reject`: that event, and the status `not_delivered`;
 * - `opted-out`: a rejection, because the recipient unsubscribed before, and the status `not_delivered`;
 * - `soft-bounce`, `suspend`: that event, and the status `enqueued`, because more attempts follow;
 * - `delayed`: a soft bounce, then a delivery, and the status `delivered`;
 * - `late-bounce`: a delivery, then a bounce, and the status `not_delivered`;
 * - `spam`, `unsubscribe`: a delivery and an open, then that event, and the status `opted_out`;
 * - `open`: a delivery and an open; `quiet`: a delivery; `stuck`: no event, and the status `enqueued`;
 * - any other: a delivery, an open and a click, and the status `delivered`. The sending domain must track opens and clicks.
 */
export interface EmulatorDeliveryTiming {
  /**
   * The time until the message is delivered, bounces, or is rejected or suspended.
   * @defaultValue 1000
   */
  deliverMs?: number;
  /**
   * The time until the message is opened; also until the delivery of a `delayed` message, and the bounce of a
   * `late-bounce`.
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

/**
 * The events that set the status, the last word first. An unsubscription or a complaint outlasts everything else. A
 * bounce or a rejection is final, also after a delivery. A soft bounce or a suspension sets none: more attempts follow.
 */
const DECISIVE: readonly (readonly [EmulatorLogStatus, ReadonlySet<string>])[] = [
  ['opted_out', new Set<EmulatorEventType>(['spam', 'unsubscribe'])],
  ['not_delivered', new Set<EmulatorEventType>(['bounce', 'reject'])],
  ['delivered', new Set<EmulatorEventType>(['delivery', 'open', 'click'])],
];

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
  const steps = happened(course, elapsedMs);
  const decided = DECISIVE.find(([, types]) => steps.some(({ type }) => types.has(type)));
  return decided?.[0] ?? 'enqueued';
}

/** The details of a rejection, in the service's words: the recipient's address has a suppression of this type. */
export const rejection = (type: string) => ({
  reject_reason: `Recipient in suppression list. Reason: ${type}`,
});

/** The tracking settings of a sending domain. */
export interface Tracking {
  readonly opens: boolean;
  readonly clicks: boolean;
}

/** Chooses the events of a message by the recipient's address, as {@link Emulator.DeliveryTiming} describes. */
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

  /** The course of a message to an address that has a suppression of this type. */
  refused(type: string): Course {
    return { steps: [{ type: 'reject', afterMs: this.#timing.deliverMs, details: rejection(type) }] };
  }

  #make(outcome: string, tracking: Tracking): Course {
    const untracked = [...(tracking.opens ? [] : ['open']), ...(tracking.clicks ? [] : ['click'])];
    const steps = (OUTCOMES[outcome] ?? READER)
      .filter(({ type }) => !untracked.includes(type))
      .map(({ at, ...step }) => ({ ...step, afterMs: this.#timing[at] }));
    return { steps: steps.sort((a, b) => a.afterMs - b.afterMs) };
  }
}

/** An event of an outcome, and the option that has its time. */
interface Planned extends Omit<Step, 'afterMs'> {
  readonly type: EmulatorEventType;
  readonly at: keyof DeliveryTiming;
}

const first = (type: EmulatorEventType): Planned => ({ type, at: 'deliverMs' });
const second = (type: EmulatorEventType): Planned => ({ type, at: 'openMs' });
const third = (type: EmulatorEventType): Planned => ({ type, at: 'clickMs' });

const READER = [first('delivery'), second('open'), third('click')];

/** The events by the recipient's name; without a name, those of any other recipient. */
export const OUTCOMES: Readonly<Record<string, readonly Planned[]>> = {
  '': READER,
  bounce: [first('bounce')],
  'soft-bounce': [first('soft_bounce')],
  reject: [first('reject')],
  suspend: [first('suspension')],
  delayed: [first('soft_bounce'), second('delivery')],
  'late-bounce': [first('delivery'), second('bounce')],
  spam: [first('delivery'), second('open'), third('spam')],
  unsubscribe: [first('delivery'), second('open'), third('unsubscribe')],
  open: [first('delivery'), second('open')],
  quiet: [first('delivery')],
  stuck: [],
  'opted-out': [{ ...first('reject'), details: rejection('unsubscription') }],
};
