/** The keys of a terminal, and the browser of the person in front of it. */
import { spawn, spawnSync } from 'node:child_process';

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
  process.once('SIGINT', () => stdin.pause());
  listen();
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the default browser. A machine without one shows nothing. */
export function openBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
