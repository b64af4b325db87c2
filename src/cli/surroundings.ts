import type { EmailPlatform } from '../index.ts';

/** The inputs and outputs of the command line. Tests replace them, and so need no process. */
export interface Surroundings {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Environment variables. `--env-file` adds more. */
  readonly env: Record<string, string | undefined>;
  /** Whether each output is a terminal: only a terminal gets colours, and lines that are rewritten. */
  readonly isTerminal: { readonly out: boolean; readonly err: boolean };
  /** Settles when the program should end. */
  readonly ended: Promise<unknown>;
  /** Asks the person at the terminal; undefined without one. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Makes the client of commands that call the service. Default: a client configured by the environment. */
  readonly client?: () => EmailPlatform;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Calls back with each key of the terminal; undefined without one, or in the background. */
  readonly keys?: ((pressed: (key: string) => void) => void) | undefined;
  /** Opens an address in the person's browser. */
  readonly browse?: (url: string) => void;
  /** Runs `templates dev` in a thread, where its work holds no signal up; undefined in that thread. */
  readonly thread?: (options: unknown) => Promise<void>;
  /** Settles when the standard input is closed. */
  readonly inputEnds?: () => Promise<unknown>;
}

/** Asks a question at the terminal. Resolves with true for yes. */
export async function isYes(ask: NonNullable<Surroundings['ask']>, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}
