import { expect, onTestFinished } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { quiet } from './in-process.ts';

/** Runs the emulator at a free port until the test is over. Returns the settings that it shows. */
export const started = (...args: string[]) => startedWith({}, ...args);

/** The same, with environment variables. */
export async function startedWith(env: Record<string, string>, ...args: string[]) {
  let out = '';
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const exited = new Promise<number>((exit) => {
    void new Promise<void>((greeted) => {
      void run(['emulator', '--port', '0', ...args], {
        ...quiet(),
        env,
        out: (text) => {
          out += text;
          greeted();
        },
        err: (text) => (out += text),
        ended,
      }).then(exit);
    });
  });
  onTestFinished(async () => {
    end();
    await exited;
  });
  await expect.poll(() => out).toContain('\n');
  const printed = () => out;
  const value = (name: string) => new RegExp(`^EMAIL_PLATFORM_${name}=(.+)$`, 'm').exec(out)?.[1] ?? '';
  return { out, printed, value, end, exited, url: `${value('API_URL')}/api/email_campaigns?per_page=1` };
}
