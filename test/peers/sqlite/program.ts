/** Tests the store of keys with one of the libraries, and prints what has failed. Run by sqlite.test.ts, in the Node that has it. */
import { sqliteClass, type DatabaseName } from '../../support/sqlite.ts';
import { testSqliteDeliveries } from '../../entries/journal/deliveries/sqlite-store.ts';
import { testSqliteStore } from '../../entries/journal/sqlite-store.ts';

const [name] = process.argv.slice(2);
const tests: { readonly name: string; readonly run: () => Promise<void> }[] = [];
const add = (title: string, run: () => Promise<void>) => tests.push({ name: title, run });
const clear = [testSqliteStore, testSqliteDeliveries].map((testIn) =>
  testIn(add, sqliteClass(name as DatabaseName)),
);

const failed: string[] = [];
for (const { name: title, run } of tests) {
  try {
    await run();
  } catch (error) {
    failed.push(`${title}: ${String(error)}`);
  }
}
for (const one of clear) one();
process.stdout.write(JSON.stringify({ passed: tests.length - failed.length, failed }));
