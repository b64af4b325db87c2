import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { figure, ratios, table, type Bench } from './bench.ts';

interface Costs {
  readonly post: number;
  readonly get: number;
  readonly waitMs?: number;
}

const bench: Bench = {
  title:
    'Test doubles in the process of the test: CPU of a request to the emulator and to msw 2, in turn in fresh processes; and a wait for an email beside 16 000 others',
  async run({ consumer, isSmoke }) {
    const program = join(import.meta.dirname, 'programs/test-double.mjs');
    const dist = join(consumer, 'node_modules/email-platform/dist');
    const [rounds, requests] = isSmoke ? [1, '200'] : [9, '4000'];
    const run = async (name: string): Promise<Costs> =>
      JSON.parse(
        (await promisify(execFile)(process.execPath, [program, name, dist, requests])).stdout,
      ) as Costs;
    const own: Costs[] = [];
    const msw: Costs[] = [];
    for (let round = 0; round < rounds; round += 1) {
      own.push(await run('emulator'));
      msw.push(await run('msw'));
    }
    const row = (title: string, kind: 'post' | 'get') => {
      const [ours, theirs] = [own, msw].map((all) => all.map((each) => each[kind])) as [number[], number[]];
      return [title, figure(ours, 0, 'µs'), figure(theirs, 0, 'µs'), figure(ratios(theirs, ours), 2, '×')];
    };
    const rows = [['', 'emulator', 'msw 2', 'msw : emulator'], row('an email', 'post'), row('a read', 'get')];
    const waits = own.map(({ waitMs = NaN }) => waitMs);
    return { lines: [...table(rows), `a wait beside 16 000 emails: ${figure(waits, 2, 'ms')}`], broken: [] };
  },
};

export default bench;
