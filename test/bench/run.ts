import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPacked, pack, root } from '../support/packed.ts';
import type { Bench, BenchContext } from './bench.ts';

// npm run bench [-- --smoke] [name …]: runs every *.bench.ts here, or the benchmarks whose file name contains one of
// these names. Some run only if they are named.
const words = process.argv.slice(2);
const isSmoke = words.includes('--smoke');
const names = words.filter((word) => !word.startsWith('--'));

const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
  .sort();

const folder = mkdtempSync(join(tmpdir(), 'email-platform-bench-'));
const broken: string[] = [];
let run = 0;
try {
  const benches: Bench[] = [];
  for (const file of files) {
    const { default: bench } = (await import(`./${file}`)) as { readonly default: Bench };
    if (bench.isOnRequest !== true || names.length > 0) benches.push(bench);
  }
  const consumer = join(folder, 'consumer');
  if (benches.some((bench) => bench.readsSourcesOnly !== true)) installPacked(pack(), consumer);
  const context: BenchContext = { root, consumer, isSmoke };
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`);
  if (isSmoke) console.log('A smoke run: the times mean little.');
  for (const bench of benches) {
    console.log(`\n${bench.title}\n`);
    const result = await bench.run(context);
    for (const line of result.lines) console.log(`  ${line}`);
    broken.push(...result.broken);
    run += 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log('');
for (const failure of broken) console.log(`FAILED: ${failure}`);
console.log(`${run} benchmarks, ${broken.length} failures`);
process.exitCode = broken.length === 0 ? 0 : 1;
