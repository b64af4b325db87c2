import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EmulatorConnection } from '../../../src/testing/index.ts';
import type { ThrottleLimits } from '../../../src/core/limits.ts';

/** What a worker is to do. */
export interface WorkerOrder {
  /** Where Redis is. */
  readonly port: number;
  readonly connection: EmulatorConnection;
  readonly limits: ThrottleLimits;
  readonly timeoutMs: number;
  /** Calls that are always waiting or under way. */
  readonly atOnce: number;
  readonly processes?: number;
  /** The process does something else for so long, again and again, with little time between. */
  readonly busyMs?: number;
}

/** What a worker tells. */
export type WorkerReport =
  | { readonly kind: 'done' | 'over' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'status'; readonly degraded: boolean };

/** The environment of a process that is no test. */
export const plainEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));

/** A process of its own with a client that always has calls waiting. */
export class Worker {
  /** When each call that succeeded did so. */
  readonly doneAt: number[] = [];
  /** What failed. */
  readonly failures: string[] = [];
  /** Whether it goes without Redis, as it told. */
  readonly statuses: boolean[] = [];
  readonly #process: ChildProcess;
  #isOver = false;

  constructor(order: WorkerOrder) {
    const file = fileURLToPath(new URL('worker.ts', import.meta.url));
    this.#process = fork(file, { execArgv: ['--import', 'tsx'], env: plainEnv() });
    this.#process.on('message', (report: WorkerReport) => {
      if (report.kind === 'done') this.doneAt.push(performance.now());
      else if (report.kind === 'failed') this.failures.push(report.error);
      else if (report.kind === 'status') this.statuses.push(report.degraded);
      else this.#isOver = true;
    });
    this.#process.send(order);
  }

  /** Lets it finish the calls it has begun, and waits until it has ended by itself. */
  async finish(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.send('finish');
    await gone;
    if (!this.#isOver) this.failures.push('ended before it was over');
  }

  /** Kills it at once, whatever it is doing. */
  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await gone;
  }
}
