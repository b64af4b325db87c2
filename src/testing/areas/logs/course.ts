/** The status of a message in the log. */
export type EmulatorLogStatus = 'delivered' | 'not_delivered' | 'enqueued' | 'opted_out';

/** Something that happened to a message. */
export type EmulatorEventType =
  'delivery' | 'open' | 'click' | 'soft_bounce' | 'bounce' | 'spam' | 'unsubscribe' | 'suspension' | 'reject';

/**
 * How soon things happen to a message, in milliseconds after it was accepted.
 *
 * What happens is told by the local part of the recipient's address (or what of it comes before a `+`):
 *
 * - `bounce`, `soft-bounce`, `reject`, `suspend`: that event, and the status `not_delivered`;
 * - `opted-out`: rejected, and the status `opted_out`;
 * - `spam`, `unsubscribe`: delivered and opened, then that event;
 * - `open`: delivered and opened; `quiet`: delivered; `stuck`: stays `enqueued`;
 * - everybody else: delivered, opened, clicked. Opens and clicks need the sending domain to track them.
 */
export interface EmulatorDeliveryTiming {
  /** Until it is delivered, bounces or is rejected. Default 1000. */
  deliverMs?: number;
  /** Until it is opened. Default 60 000. */
  openMs?: number;
  /** Until a link in it is clicked, or its reader complains or unsubscribes. Default 120 000. */
  clickMs?: number;
}

/** The same, with its defaults. */
export type DeliveryTiming = Readonly<Required<EmulatorDeliveryTiming>>;

/** One event to come. */
export interface Step {
  readonly type: string;
  readonly afterMs: number;
  /** The details to show; made from the message when left out. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Everything that will ever happen to a message, in order. It is settled when the message is accepted, so that
 * nothing has to be planned for each of very many messages: what has happened follows from the time alone.
 */
export interface Course {
  readonly steps: readonly Step[];
  /** A status that no event changes. */
  readonly status?: EmulatorLogStatus;
}

const failures: readonly string[] = ['soft_bounce', 'bounce', 'suspension', 'reject'];

/** The steps that have happened. */
export function happened(course: Course, elapsedMs: number): readonly Step[] {
  const { steps } = course;
  const last = steps.at(-1);
  if (last === undefined || last.afterMs <= elapsedMs) return steps;
  return steps.filter(({ afterMs }) => afterMs <= elapsedMs);
}

/** The status that follows from what has happened. */
export function statusAt(course: Course, elapsedMs: number): EmulatorLogStatus {
  if (course.status !== undefined) return course.status;
  const steps = happened(course, elapsedMs);
  if (steps.some(({ type }) => failures.includes(type))) return 'not_delivered';
  return steps.some(({ type }) => type === 'delivery') ? 'delivered' : 'enqueued';
}

/** What a sending domain lets be tracked. */
export interface Tracking {
  readonly opens: boolean;
  readonly clicks: boolean;
}

/**
 * Chooses what happens to a message by the local part of its recipient's address, up to the first `+`: an address
 * that is named after an event meets it, everybody else opens the mail and clicks.
 */
export class Courses {
  readonly #timing: DeliveryTiming;
  readonly #made = new Map<string, Course>();

  constructor(timing: DeliveryTiming) {
    this.#timing = timing;
  }

  for(address: string, tracking: Tracking): Course {
    const [name = ''] = (address.split('@')[0] ?? '').toLowerCase().split('+');
    const fate = Object.hasOwn(fates, name) ? name : '';
    const key = `${fate} ${tracking.opens} ${tracking.clicks}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = this.#make(fate, tracking);
    this.#made.set(key, made);
    return made;
  }

  /** What happens to a message for somebody who does not want any. */
  refused(status: EmulatorLogStatus, reason: string): Course {
    const step = { type: 'reject', afterMs: this.#timing.deliverMs, details: { reject_reason: reason } };
    return { steps: [step], status };
  }

  #make(fate: string, tracking: Tracking): Course {
    const { deliverMs, openMs, clickMs } = this.#timing;
    if (fate === 'opted-out') return this.refused('opted_out', 'Recipient opted out');
    const untracked = [...(tracking.opens ? [] : ['open']), ...(tracking.clicks ? [] : ['click'])];
    const types = (fates[fate] ?? reader).filter((type) => !untracked.includes(type));
    const steps = types.map((type) => {
      if (type === 'open') return { type, afterMs: openMs };
      return { type, afterMs: ['click', 'spam', 'unsubscribe'].includes(type) ? clickMs : deliverMs };
    });
    return { steps: steps.sort((a, b) => a.afterMs - b.afterMs) };
  }
}

const reader: readonly EmulatorEventType[] = ['delivery', 'open', 'click'];

const fates: Readonly<Record<string, readonly EmulatorEventType[]>> = {
  '': reader,
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
