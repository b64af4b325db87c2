/** The report of a running emulator. It is rewritten after changes, so that a killed process leaves a recent file. */
import type { Emulator } from '../testing/index.ts';
import { reportsOf } from '../testing/report/reports-of.ts';
import { isFailure, linesOf } from '../testing/report/summary.ts';
import { Failure, messageOf } from './failure.ts';

/** The time without changes before the file is written, in milliseconds. */
const QUIET_MS = 1_000;
/** The longest delay of a write while changes go on, in milliseconds. */
const LATEST_MS = 10_000;
/** A large report takes at most this part of the time. */
const SHARE = 5;

/** The clock and the timers of a followed report. */
export interface ReportTime {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Calls back after some milliseconds. Returns a function that cancels it. */
  readonly after: (ms: number, work: () => void) => () => void;
}

const realTime: ReportTime = {
  now: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Writes the report of an emulator a second after the last change, and at the end. */
export class FollowedReport {
  readonly #write: () => Promise<Emulator.Report>;
  readonly #warn: (message: string) => void;
  readonly #time: ReportTime;
  #cancel: (() => void) | undefined;
  #changedAt: number | undefined;
  #writing: Promise<void> | undefined;
  #restUntil = 0;
  #isOver = false;

  /** @param warn - Receives the error of a failed write. The emulator goes on. */
  constructor(
    emulator: Emulator,
    write: () => Promise<Emulator.Report>,
    warn: (message: string) => void,
    time = realTime,
  ) {
    this.#write = write;
    this.#warn = warn;
    this.#time = time;
    reportsOf(emulator)?.onChange(() => this.#changed());
  }

  /** Writes the first file, and later the last one. */
  async write(): Promise<Emulator.Report> {
    this.#cancel?.();
    await this.#writing;
    return this.#write();
  }

  /** Writes no more files by itself, and the last one now. */
  end(): Promise<Emulator.Report> {
    this.#isOver = true;
    return this.write();
  }

  #changed(): void {
    if (this.#isOver) return;
    const now = this.#time.now();
    this.#changedAt ??= now;
    if (this.#writing !== undefined) return;
    this.#cancel?.();
    const latest = Math.max(this.#changedAt + LATEST_MS, this.#restUntil);
    const due = Math.max(Math.min(now + QUIET_MS, latest), this.#restUntil);
    this.#cancel = this.#time.after(due - now, () => {
      this.#writing = this.#writeNow();
    });
  }

  async #writeNow(): Promise<void> {
    const began = this.#time.now();
    this.#changedAt = undefined;
    try {
      await this.#write();
    } catch (error) {
      this.#warn(messageOf(error));
    }
    const ended = this.#time.now();
    this.#restUntil = ended + SHARE * (ended - began);
    this.#writing = undefined;
    // Changes while it was written.
    if ((this.#changedAt as number | undefined) !== undefined) this.#changed();
  }
}

/** The final summary of a report. @throws `Failure` if it has findings of the level to fail on */
export function conclusionOf(report: Emulator.Report, failOn: Emulator.ReportOptions['failOn']): string {
  const lines = linesOf(report).join('\n');
  if (isFailure(report, failOn)) throw new Failure(lines);
  return `${lines}\n`;
}
