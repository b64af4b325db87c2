import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Emulator } from '../../../src/testing/index.ts';
import type { ThrottleLimits } from '../../../src/core/limits.ts';
import { bundledProgram } from '../programs.ts';

/** A worker's input. */
export interface WorkerOrder {
  /** The port of Redis. */
  readonly port: number;
  readonly connection: Emulator.Connection;
  readonly limits: ThrottleLimits;
  readonly timeoutMs: number;
  /** The number of calls that are always queued or in flight. */
  readonly atOnce: number;
  readonly processes?: number;
  /** Milliseconds for which the process blocks its event loop, again and again. */
  readonly busyMs?: number;
  /** Whether Redis has a clock that the test sets. */
  readonly hasSteppedClock?: boolean;
}

/** A message from a worker. */
export type WorkerReport =
  | { readonly kind: 'done' | 'over' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'status'; readonly degraded: boolean };

/** The environment without the variables of Vitest. */
export const plainEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));

/** A process with a client that always has calls queued. */
export class Worker {
  /** When each successful call ended. */
  readonly doneAt: number[] = [];
  /** The errors of failed calls. */
  readonly failures: string[] = [];
  /** Whether it is degraded, each time that changed. */
  readonly statuses: boolean[] = [];
  readonly #process: ChildProcess;
  #isOver = false;

  constructor(order: WorkerOrder) {
    const file = bundledProgram(fileURLToPath(new URL('worker.ts', import.meta.url)));
    this.#process = fork(file, { execArgv: [], env: plainEnv() });
    this.#process.on('message', (report: WorkerReport) => {
      if (report.kind === 'done') this.doneAt.push(performance.now());
      else if (report.kind === 'failed') this.failures.push(report.error);
      else if (report.kind === 'status') this.statuses.push(report.degraded);
      else this.#isOver = true;
    });
    this.#process.send(order);
  }

  /** Lets it finish its current calls, and waits until it has exited by itself. */
  async finish(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.send('finish');
    await gone;
    if (!this.#isOver) this.failures.push('ended before it was over');
  }

  /** Stops it wherever it is, until `goOn`. */
  stop(): void {
    this.#process.kill('SIGSTOP');
  }

  goOn(): void {
    this.#process.kill('SIGCONT');
  }

  /** Kills it at once, whatever it is doing. */
  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await gone;
  }
}
