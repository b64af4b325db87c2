import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { covering, sizeOf, type Cover } from '../support/covering.ts';
import { isFull } from '../support/extent.ts';
import type { Call } from '../support/calls/call.ts';
import { CALLS } from '../support/calls/calls.ts';
import { normalResultOf } from './cells.ts';
import { PHASES, type Fault } from './faults.ts';

/** How the cells of a matrix are run. */
interface Cells<F extends Fault> {
  readonly name: string;
  readonly faults: readonly F[];
  /** The pairs that run in `npm test`. */
  readonly cover: Cover<Call, Fault>;
  /** One call that meets the fault so often; what is wrong with its end. */
  readonly cell: (call: Call, fault: F, times: number, normal: unknown) => Promise<string[]>;
  readonly timesOf: (call: Call, fault: F) => readonly number[];
}

/**
 * Methods × faults × how often: each cell is one call, from its start to the last of its permits. In full every method
 * meets every fault; otherwise they are a covering set.
 */
export function matrix<F extends Fault>({ name, faults, cover, cell, timesOf }: Cells<F>): void {
  const chosen = covering(CALLS, faults, cover);
  let cells = 0;
  const unhandled: unknown[] = [];
  const keep = (reason: unknown) => void unhandled.push(reason);
  const normal = new Map<Call, unknown>();
  beforeAll(async () => {
    process.on('unhandledRejection', keep);
    for (const call of CALLS) normal.set(call, await normalResultOf(call));
  });
  afterAll(() => {
    process.off('unhandledRejection', keep);
    const pairs = `${sizeOf(chosen)} pairs of method and fault (${isFull ? 'all' : 'a covering set'})`;
    process.stdout.write(`fault matrix: ${cells} cells ${name}, ${pairs}\n`);
  });

  async function problemsOf(fault: F): Promise<string[]> {
    const problems: string[] = [];
    for (const call of chosen.get(fault) ?? []) {
      for (const times of timesOf(call, fault)) {
        cells += 1;
        const found = await cell(call, fault, times, normal.get(call));
        problems.push(...found.map((problem) => `${call.name}, ${times} times: ${problem}`));
      }
    }
    // Node reports an unhandled rejection one turn later.
    await new Promise((resolve) => setImmediate(resolve));
    return [...problems, ...unhandled.splice(0).map((reason) => `unhandled: ${String(reason)}`)];
  }

  describe.each(PHASES)(`Methods, ${name}, when something goes wrong %s`, (phase) => {
    const named = faults
      .filter((fault) => fault.phase === phase)
      .map((fault) => [fault.name, fault] as const);

    test.each(named)('%s', async (_, fault) => {
      expect(await problemsOf(fault)).toEqual([]);
    });
  });
}
