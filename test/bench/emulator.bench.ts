import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, figure, median, table, type Bench } from './bench.ts';

/**
 * The figures of the last release, each as a multiple of what the same machine takes for something that never changes.
 * Written by `npm run bench -- emulator` with `RECORD_EMULATOR=1`.
 */
const RELEASED = join(import.meta.dirname, 'released-emulator.json');

/** 100 000 messages of 1 kB fit in this many megabytes. */
const MAX_MEGABYTES = 300;

interface Measured {
  /** One for each round. */
  readonly batchMs: readonly number[];
  readonly parseMs: readonly number[];
  readonly resetMs: readonly number[];
  /** To make an emulator and a client. */
  readonly newMs: readonly number[];
  readonly pageMs: readonly number[];
  readonly bytes: number;
}

/** Milliseconds from the start of a process to the first line that it prints. */
async function startOf(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const took = performance.now() - start;
  child.kill();
  await once(child, 'exit');
  return took;
}

const BARE = "require('node:http').createServer().listen(0, '127.0.0.1', () => console.log('listening'))";

const bench: Bench = {
  title:
    'Emulator: a batch of 500, a filtered page of the log at 100 000 messages, memory, and the command’s start',
  async run({ root, consumer, isSmoke }) {
    const dist = join(consumer, 'node_modules/email-platform/dist');
    const [batches, pages, messages] = isSmoke ? ['5', '3', '5000'] : ['200', '30', '100000'];
    const program = join(import.meta.dirname, 'programs/emulator.mjs');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--expose-gc', program, dist, batches, pages, messages],
      { cwd: root },
    );
    const { batchMs, parseMs, resetMs, newMs, pageMs, bytes } = JSON.parse(stdout) as Measured;
    const starts = { command: [] as number[], bare: [] as number[] };
    for (let round = 0; round < (isSmoke ? 2 : 15); round += 1) {
      starts.command.push(await startOf([join(dist, 'cli/index.js'), 'emulator', '--port', '0']));
      starts.bare.push(await startOf(['-e', BARE]));
    }
    const [command, bare] = [median(starts.command), median(starts.bare)];
    const figures: Record<string, number> = {
      'a batch, × parsing and rendering it': median(batchMs) / median(parseMs),
      'a filtered page, × parsing and rendering a batch': median(pageMs) / median(parseMs),
      'start of the command, × a bare node:http server': command / bare,
      'megabytes of the messages': bytes / 1e6,
    };
    if (process.env.RECORD_EMULATOR === '1') {
      writeFileSync(RELEASED, `${JSON.stringify(figures, null, 2)}\n`);
    }
    const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as Partial<Record<string, number>>;
    const megabytes = bytes / 1e6;
    return {
      lines: [
        ...table([
          ['CPU of a batch of 500', figure(batchMs, 2, 'ms')],
          ['CPU of parsing and rendering it', figure(parseMs, 2, 'ms')],
          ['CPU of a reset', figure(resetMs, 2, 'ms')],
          ['CPU of a new emulator and a new client', figure(newMs, 2, 'ms')],
          ['CPU of a filtered page', figure(pageMs, 1, 'ms')],
          ['start of the command', figure(starts.command, 0, 'ms')],
          ['start of a bare node:http server', figure(starts.bare, 0, 'ms')],
        ]),
        '',
        ...table([
          ['', 'now', 'last release'],
          ...Object.entries(figures).map(([name, figure]) => [
            name,
            digits(figure, 1),
            released[name] === undefined ? 'new' : digits(released[name], 1),
          ]),
        ]),
      ],
      broken:
        !isSmoke && megabytes > MAX_MEGABYTES
          ? [`100 000 messages of 1 kB take ${digits(megabytes, 0)} MB (at most ${MAX_MEGABYTES})`]
          : [],
    };
  },
};

export default bench;
