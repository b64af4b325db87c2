import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { signaled } from '../../src/cli/signaled.ts';
import { inThread } from '../../src/cli/thread.ts';
import { folderOf, RECEIPT, templatesIn } from '../entries/templates/folders.ts';
import { bundledProgram } from '../support/programs.ts';
import { quiet } from './in-process.ts';

const command = bundledProgram(fileURLToPath(new URL('../../src/cli/index.ts', import.meta.url)));

/** A program that runs in a thread. */
function programOf(text: string): string {
  const file = join(folderOf({}), 'program.mjs');
  writeFileSync(file, `import { parentPort, workerData } from 'node:worker_threads';\n${text}`);
  return file;
}

test('the end does not wait for a thread that computes for ever', async () => {
  const file = programOf("parentPort.postMessage({ url: 'busy' });\nfor (;;);");
  let browse: (url: string) => void = () => undefined;
  const ended = new Promise((resolve) => (browse = resolve));
  await inThread(file, {}, { ...quiet(), browse, ended });
  expect(await ended).toBe('busy');
});

test('a thread gets its options and the keys that it asks for, and its error is the failure of the command', async () => {
  const file = programOf(`parentPort.postMessage('keys');
parentPort.once('message', (key) => {
  throw new Error(key + workerData.options.word);
});`);
  const keys = (pressed: (key: string) => void) => pressed('o');
  const ended = new Promise(() => undefined);
  await expect(inThread(file, { word: 'k' }, { ...quiet(), keys, ended })).rejects.toMatchObject({
    name: 'Failure',
    message: 'ok',
  });
});

test.each(['SIGINT', 'SIGTERM'])('after the first %s, no signal is caught', async (signal) => {
  const from = new EventEmitter();
  const ended = signaled(from as NodeJS.Process);
  from.emit(signal);
  await ended;
  expect([from.listenerCount('SIGINT'), from.listenerCount('SIGTERM')]).toEqual([0, 0]);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'templates dev serves its page until %s, with exit 0',
  async (signal) => {
    const folder = templatesIn({ receipt: RECEIPT });
    const child = spawn(process.execPath, [command, 'templates', 'dev', folder]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    let printed = '';
    child.stdout.on('data', (text) => (printed += String(text)));
    await expect.poll(() => printed).toContain('/_emulator/open?code=');
    const [, address = ''] = /: (http\S+)/.exec(printed) ?? [];
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(303);
    child.kill(signal);
    expect(await exited).toEqual([0, null]);
  },
);

test('a port in use is a failure of templates dev, printed once', async () => {
  const taken = spawn(process.execPath, [command, 'templates', 'dev', templatesIn({ receipt: RECEIPT })]);
  onTestFinished(() => void taken.kill('SIGKILL'));
  let printed = '';
  taken.stdout.on('data', (text) => (printed += String(text)));
  await expect.poll(() => printed).toMatch(/:\d+\//);
  const port = /:(\d+)\//.exec(printed)?.[1] ?? '';
  const child = spawn(process.execPath, [command, 'templates', 'dev', folderOf({}), '--port', port]);
  let err = '';
  child.stderr.on('data', (text) => (err += String(text)));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(err.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^The page could not start: .*EADDRINUSE/),
  ]);
});
