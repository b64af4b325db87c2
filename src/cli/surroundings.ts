import type { EmailPlatform } from '../index.ts';

/** What the command line reads and writes, so that it can run without a process of its own. */
export interface Surroundings {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Environment variables. Those of `--env-file` are added. */
  readonly env: Record<string, string | undefined>;
  /** Whether a person reads what is written: output of programs has no colours, and no line that is written again. */
  readonly isTerminal: { readonly out: boolean; readonly err: boolean };
  /** Settles when the program should end. */
  readonly ended: Promise<unknown>;
  /** Asks the person at the terminal; undefined without one. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Makes the client of the commands that call the service; by default one that the environment configures. */
  readonly client?: () => EmailPlatform;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
  /** Settles when the standard input is closed. */
  readonly inputEnds?: () => Promise<unknown>;
}
