import type { Surroundings } from './surroundings.ts';

/** Milliseconds between two lines on an output that is not a terminal, such as the log of a CI. */
const EVERY_MS = 10_000;

/** Shows the progress on standard error. On a terminal, it rewrites one line. */
export function progressOf({ err, isTerminal, now = () => performance.now() }: Surroundings) {
  let last = now();
  let isShown = false;
  return {
    say(text: string): void {
      if (isTerminal.err) {
        err(`\r\u001B[2K${text}`);
        isShown = true;
      } else if (now() - last >= EVERY_MS) {
        last = now();
        err(`${text}\n`);
      }
    },
    /** Clears the line. */
    end(): void {
      if (isShown) err('\r\u001B[2K');
      isShown = false;
    },
  };
}
