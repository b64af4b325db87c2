/** The keys of a terminal, and the browser of the person in front of it. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeHtml } from '../kit/escape-html.ts';

/** The key Ctrl-C. */
const INTERRUPT = '\u0003';
/** The key Ctrl-Z. */
const SUSPEND = '\u001A';

/** Whether the process may read the terminal: a process in the background is stopped if it tries. */
function isInForeground(): boolean {
  if (process.platform === 'win32') return true;
  // Without `ps` there is no output.
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(process.pid)]);
  return String(stdout).includes('+');
}

/**
 * Calls back with each key, without Enter. Ctrl-C and Ctrl-Z still end and suspend the process: the terminal leaves them
 * to the program while it reads single keys.
 */
export function readKeys(pressed: (key: string) => void): void {
  const { stdin } = process;
  const listen = () => {
    if (!isInForeground()) return;
    stdin.setRawMode(true);
    stdin.resume();
  };
  stdin.setEncoding('utf8');
  stdin.on('data', (keys: string) => {
    if (keys === INTERRUPT) process.kill(process.pid, 'SIGINT');
    else if (keys === SUSPEND) {
      stdin.setRawMode(false);
      stdin.pause();
      process.kill(process.pid, 'SIGTSTP');
    } else pressed(keys);
  });
  process.on('SIGCONT', listen);
  listen();
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens the address of a page in the default browser. A machine without one shows nothing.
 *
 * The address has a secret, and every user of the machine can read the arguments of processes: the browser gets the name of
 * a file that only this user can read, and that leads there.
 */
export function pageOpener(): (url: string) => void {
  let file: string | undefined;
  return (url) => {
    file ??= fileTo(url);
    const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
    spawn(command, [...args, file], { stdio: 'ignore', detached: true })
      .on('error', () => undefined)
      .unref();
  };
}

/** Makes a file that leads to an address, until the end of the process. */
function fileTo(url: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'email-platform-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'open.html');
  const html = `<!doctype html><meta http-equiv="refresh" content="0; url=${escapeHtml(url)}">\n`;
  writeFileSync(file, html, { mode: 0o600, flag: 'wx' });
  return file;
}
