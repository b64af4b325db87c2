/** What the command line reads and writes, so that it can run without a process of its own. */
export interface Surroundings {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Settles when the program should end. */
  readonly ended: Promise<unknown>;
}
