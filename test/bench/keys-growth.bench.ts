import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databasesHere } from '../support/databases.ts';
import { digits, table, type Bench } from './bench.ts';

/** A tenth of the emails. */
interface Tenth {
  /** The time that it took, in milliseconds. */
  readonly ms: number;
  /** The size of the database after it, with its write-ahead log. */
  readonly bytes: number;
}

/** The last tenth may take this many times as long as the second: other work on the disk varies more than the journal. */
const MAX_SLOWDOWN = 2;

const program = (name: string) => join(import.meta.dirname, 'programs', name);

const bench: Bench = {
  title: 'Growth of a journal: a million emails with keys on SQLite, in one call; WAL, synchronous = FULL',
  async run({ root, consumer, isSmoke }) {
    const databases = databasesHere();
    if (databases.length === 0) return { lines: ['SKIPPED. There is no SQLite here.'], broken: [] };
    const server = fork(program('sending-server.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    try {
      const [port] = (await once(server, 'message')) as [number];
      const dist = join(consumer, 'node_modules/email-platform/dist');
      const emails = isSmoke ? 5000 : 1_000_000;
      const lines: string[] = [];
      const broken: string[] = [];
      for (const { name: database, node } of databases) {
        const args = [program('keys-growth.mjs'), `http://127.0.0.1:${port}`, dist, database, String(emails)];
        const { stdout } = await promisify(execFile)(node, args, { cwd: root });
        const tenths = JSON.parse(stdout) as Tenth[];
        const slowdown = (tenths.at(-1)?.ms ?? NaN) / (tenths[1]?.ms ?? NaN);
        lines.push(
          ...table([
            [database, `time of ${emails / 10}`, 'an email', 'database'],
            ...tenths.map(({ ms, bytes }, index) => [
              `  ${((index + 1) * emails) / 10} keys`,
              `${digits(ms, 0)} ms`,
              `${digits((ms * 1000) / (emails / 10), 0)} µs`,
              `${digits(bytes / 1e6, 1)} MB`,
            ]),
          ]),
          `the last tenth takes ${digits(slowdown, 2)} × the second (ceiling ${MAX_SLOWDOWN})`,
          '',
        );
        if (!isSmoke && slowdown > MAX_SLOWDOWN)
          broken.push(`${database}: the last tenth takes ${digits(slowdown, 2)} × the second`);
      }
      return { lines, broken };
    } finally {
      server.disconnect();
    }
  },
};

export default bench;
