/** Tests the store of keys with one of the libraries, and prints what has failed. Run by sqlite.test.ts, in the Node that has it. */
import { sqliteClass, type DatabaseName } from '../../support/sqlite.ts';
import { testSqliteStore } from '../../journal/sqlite-store.ts';

const [name] = process.argv.slice(2);
const tests: { readonly name: string; readonly run: () => Promise<void> }[] = [];
const clear = testSqliteStore(
  (title, run) => tests.push({ name: title, run }),
  sqliteClass(name as DatabaseName),
);

const failed: string[] = [];
for (const { name: title, run } of tests) {
  try {
    await run();
  } catch (error) {
    failed.push(`${title}: ${String(error)}`);
  }
}
clear();
process.stdout.write(JSON.stringify({ passed: tests.length - failed.length, failed }));
