import type { Surroundings } from './surroundings.ts';

/** So often a line is added where it cannot be written again, as in the log of a CI. */
const EVERY_MS = 10_000;

/** Says how far something is, on standard error. On a terminal it is one line, which is written again. */
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
