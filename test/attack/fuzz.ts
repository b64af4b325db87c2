/** Random calls and random faults, until the time is over: `npm run fuzz -- --minutes 1 --seed 1`. */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { plans, problemsOf } from './fuzz-run.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string' },
    /** The path that a failure prints, to start there. */
    path: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes and --seed are numbers.');

const say = (line: string) => void process.stdout.write(`${line}\n`);
say(`fuzz: seed ${seed}, ${minutes} min`);

// Loads lazy modules in advance, because the first call would wait for them in real time.
await Promise.all([import('../../src/transport/runtimes/load-ky.ts'), import('p-retry')]);
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => void unhandled.push(reason));

const property = fc.asyncProperty(plans, async (plan) => {
  const problems = await problemsOf(plan);
  const rejected = unhandled.splice(0).map((reason) => `unhandled: ${String(reason)}`);
  if (problems.length + rejected.length > 0) throw new Error([...problems, ...rejected].join('\n'));
});
const run = await fc.check(property, {
  seed,
  ...(values.path !== undefined && { path: values.path }),
  numRuns: Number.MAX_SAFE_INTEGER,
  // Its successor, a plugin, hides the type of the plans.
  // oxlint-disable-next-line typescript/no-deprecated
  interruptAfterTimeLimit: minutes * 60_000,
});
if (run.failed) {
  const path = run.counterexamplePath ?? '';
  say(`fuzz: FAILED after ${run.numRuns} runs; again: npm run fuzz -- --seed ${seed} --path ${path}`);
  say(
    `the smallest case, after ${run.numShrinks} steps: ${JSON.stringify(run.counterexample?.[0], null, 2)}`,
  );
  say(String(run.errorInstance instanceof Error ? run.errorInstance.message : run.errorInstance));
  process.exitCode = 1;
} else {
  say(`fuzz: ${run.numRuns} runs, nothing wrong`);
  if (run.numRuns === 0) process.exitCode = 1;
}
