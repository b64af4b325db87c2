/** Runs the command line in the process of a test. */
import { run } from '../../src/cli/run.ts';
import type { Surroundings } from '../../src/cli/surroundings.ts';

/** Surroundings without a terminal and without variables. */
export const quiet = (): Surroundings => ({
  out: () => undefined,
  err: () => undefined,
  env: {},
  isTerminal: { out: false, err: false },
  ended: Promise.resolve(),
});

/** Runs a command to its end. */
export async function cli(args: readonly string[], surroundings: Partial<Surroundings> = {}) {
  let out = '';
  let err = '';
  const code = await run(args, {
    ...quiet(),
    out: (text) => (out += text),
    err: (text) => (err += text),
    ...surroundings,
  });
  return { code, out, err };
}
