import { callSite, type CallSite } from '../../src/core/call-site.ts';
import { figure, table, type Bench } from './bench.ts';

/** How deep a call is made in the caller's program: at least as deep as a stack is shown. */
const DEPTH = 20;
const ROUNDS = 15;

const atDepth = <T>(depth: number, run: () => T): T => (depth === 0 ? run() : atDepth(depth - 1, run));

/** Microseconds for each of `count` runs. */
function microseconds(count: number, run: (index: number) => unknown): number {
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) run(index);
  return ((performance.now() - startedAt) * 1000) / count;
}

const bench: Bench = {
  title: 'Stack: what it costs a call to remember where it was made, and an error to show it',
  run({ isSmoke }) {
    const count = isSmoke ? 200 : 5_000;
    const taken: number[] = [];
    const plain: number[] = [];
    const read: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const sites: CallSite[] = [];
      plain.push(microseconds(count, () => atDepth(DEPTH, () => ({}))));
      taken.push(microseconds(count, () => sites.push(atDepth(DEPTH, callSite))));
      read.push(microseconds(count, (index) => sites[index]?.stack));
    }
    return Promise.resolve({
      lines: table([
        [`${DEPTH} functions deep`, 'µs (median)'],
        ['  the functions alone', figure(plain, 2)],
        ['  with the place remembered: every call', figure(taken, 2)],
        ['  formatting it: only an error whose stack is read', figure(read, 2)],
      ]),
      broken: [],
    });
  },
};

export default bench;
