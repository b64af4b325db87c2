import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { isMainThread } from 'node:worker_threads';
import { run } from './run.ts';
import { parentGone } from './parent.ts';
import { signaled } from './signaled.ts';
import type { Surroundings } from './surroundings.ts';
import { dev, type DevOptions } from './templates-dev.ts';
import { pageOpener, readKeys } from './terminal.ts';
import { inThread, optionsOfThread, surroundingsOfThread } from './thread.ts';

async function ending(): Promise<void> {
  const ends = [signaled(process)];
  // npm starts a command through a shell, which does not forward signals: without this, the command would run for
  // ever.
  if (process.env.npm_command !== undefined || process.env.npm_lifecycle_event !== undefined)
    ends.push(parentGone(() => process.ppid));
  await Promise.race(ends);
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Ctrl-C or Ctrl-D closes the terminal: an empty answer.
    const closed = once(terminal, 'close').then(() => '');
    return await Promise.race([terminal.question(question), closed]);
  } finally {
    terminal.close();
  }
}

// A reader such as `head` closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

async function runInProcess() {
  const ended = ending();
  const isAttended = process.stdin.isTTY && process.stderr.isTTY;
  const keys = (pressed: (key: string) => void) => {
    readKeys(pressed);
    // The process would wait for the next key.
    void ended.then(() => process.stdin.pause());
  };
  const surroundings: Surroundings = {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    env: process.env,
    isTerminal: { out: process.stdout.isTTY, err: process.stderr.isTTY },
    ended,
    ask: isAttended ? ask : undefined,
    keys: isAttended ? keys : undefined,
    browse: pageOpener(),
    thread: (options) => inThread(realpathSync(process.argv[1] ?? ''), options, surroundings),
    inputEnds: () =>
      new Promise((resolve) => process.stdin.resume().once('close', resolve).once('end', resolve)),
  };
  return run(process.argv.slice(2), surroundings);
}

if (isMainThread) process.exitCode = await runInProcess();
else await dev(optionsOfThread() as DevOptions, surroundingsOfThread());
