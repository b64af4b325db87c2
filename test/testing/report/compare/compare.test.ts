import { expect, test } from 'vitest';
import { compareData } from '../../../../src/testing/report/compare/compare.ts';
import { dataIn } from '../report-data.ts';
import { runOf, type Edit } from './program.ts';

const changedIn = (kinds: ReturnType<typeof compareData>) =>
  kinds.flatMap(({ name, state, changes }) =>
    state === 'same'
      ? []
      : [`${name}: ${state} ${changes.map(({ part, before, after, marks }) => `${part} ${JSON.stringify([marks.before.map(([a, b]) => before?.slice(a, b)), marks.after.map(([a, b]) => after?.slice(a, b))])}`).join('; ')}`],
  );

test('runs with other seeds, dates, ports and orders have no change', async () => {
  const runs = [];
  for (let seed = 1; seed <= 10; seed += 1) runs.push(await dataIn(await runOf(seed)));
  for (const one of runs)
    for (const other of runs) console.log(changedIn(compareData([one], other)).join("\n"));
});
