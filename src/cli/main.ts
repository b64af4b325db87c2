import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { run } from './run.ts';
import { parentGone } from './parent.ts';
import { pageOpener, readKeys } from './terminal.ts';

const ended = new Promise<void>((resolve) => {
  process.once('SIGINT', () => resolve());
  process.once('SIGTERM', () => resolve());
  // npm starts a command through a shell, which does not forward signals: without this, the command would run for
  // ever.
  if (process.env.npm_command !== undefined || process.env.npm_lifecycle_event !== undefined) {
    void parentGone(() => process.ppid).then(resolve);
  }
});

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

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  env: process.env,
  isTerminal: { out: process.stdout.isTTY, err: process.stderr.isTTY },
  ended,
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  keys: process.stdin.isTTY && process.stderr.isTTY ? readKeys : undefined,
  browse: pageOpener(),
  inputEnds: () =>
    new Promise((resolve) => process.stdin.resume().once('close', resolve).once('end', resolve)),
});
