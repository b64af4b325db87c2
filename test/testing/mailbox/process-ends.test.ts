/** Only a wait keeps a process alive. Each program runs in its own process. */
import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bundledProgram } from '../../support/programs.ts';

/** The address of a bundled entry of the package. */
const bundled = (entry: string) =>
  pathToFileURL(bundledProgram(fileURLToPath(new URL(`../../../src/${entry}`, import.meta.url)))).href;

/** Runs a program, and returns what it prints. */
async function run(program: string): Promise<string> {
  const source = `
    import { EmailPlatform } from '${bundled('index.ts')}';
    import { connectEmulator, createEmulator, mailbox } from '${bundled('testing/index.ts')}';
    const emulator = createEmulator();
    ${program}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source], {
    timeout: 120_000,
  });
  return stdout.trim();
}

const BOXES = {
  'an emulator': 'const box = mailbox(emulator);',
  'a test inbox': 'const box = mailbox(new EmailPlatform(emulator.clientOptions()));',
};

describe.each(Object.entries(BOXES))('A mailbox on %s', (_, box) => {
  test('keeps the process alive while it waits', async () => {
    const output = await run(`${box}
      process.on('exit', () => console.log('exit'));
      box.waitFor({ timeoutMs: 300 }).catch(({ message }) => console.log(message.slice(0, 11)));
      box.none({ withinMs: 300 }).then(() => console.log('none'));`);
    expect(output.split('\n').sort()).toEqual(['No email ca', 'exit', 'none']);
    expect(output).toMatch(/exit$/);
  });

  test('does not when it waits for nothing', async () => {
    const output = await run(`${box}
      const controller = new AbortController();
      const waiting = box.waitFor({ timeoutMs: 3_600_000, signal: controller.signal });
      setTimeout(() => controller.abort(new Error('enough')), 200);
      await waiting.catch(({ message }) => console.log(message));`);
    expect(output).toBe('enough');
  });
});

test('A mailbox over a port leaves no request behind', async () => {
  const output = await run(`
    const server = await emulator.listen({ control: true });
    const box = mailbox(connectEmulator(server.control.url, { controlToken: server.control.token }));
    await box.waitFor({ timeoutMs: 100 }).catch(({ message }) => console.log(message.slice(0, 11)));
    await server.close();`);
  expect(output).toBe('No email ca');
});
