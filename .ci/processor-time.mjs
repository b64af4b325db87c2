// The processor time of child processes, for the tables of steps. Only Linux tells it without another program.
import { readFileSync } from 'node:fs';

/** Seconds of processor time of all children that have ended, with theirs; undefined on other systems. */
function endedSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name before the last bracket may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return undefined;
  }
}

let seen = endedSeconds();

/**
 * Seconds of processor time that the child that has just ended took, with its own children. Call it at each `exit` of
 * a child: what has been added since the last call is that child's.
 */
export function secondsOfEnded() {
  const before = seen;
  seen = endedSeconds();
  return before === undefined || seen === undefined ? undefined : seen - before;
}

/** As text: `, 12 s of processor time`, or nothing where it is not known. */
export const processorTime = (seconds) =>
  seconds === undefined ? '' : `, ${seconds.toFixed(0)} s of processor time`;
