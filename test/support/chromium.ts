import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** A Chromium that runs on this machine. */
export interface Chromium {
  readonly executablePath: string;
  readonly args: string[];
}

/** Quiet, without the sandbox, which containers do not allow, and with web security. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Default arguments of the packaged Chromium that are removed: they would disable CORS, or run everything in one
 * process.
 */
const UNWANTED =
  /^--(disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|single-process|no-zygote|headless|in-process-gpu|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist|disable-features)(=|$)/;

const COMMON_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

async function runs(executablePath: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(executablePath, ['--version', '--no-sandbox']);
    return /\d+\.\d+/.test(stdout);
  } catch {
    return false;
  }
}

/** The Chromium that comes as an npm package: for Linux, and packed, so it is unpacked to the temporary folder once. */
async function packaged(): Promise<Chromium | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const executablePath = await chromium.executablePath();
    const args = [...chromium.args.filter((arg) => !UNWANTED.test(arg)), ...FLAGS];
    return (await runs(executablePath)) ? { executablePath, args: [...new Set(args)] } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Finds a Chromium: the one that CHROMIUM_PATH names, the npm package's, or an installed one. Undefined if none of
 * these runs.
 */
export async function findChromium(): Promise<Chromium | undefined> {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (await runs(named)) return { executablePath: named, args: FLAGS };
    throw new Error(`CHROMIUM_PATH names ${named}, which does not run: name another, or unset it.`);
  }
  const found = await packaged();
  if (found) return found;
  const installed = COMMON_PATHS.find((path) => existsSync(path));
  return installed !== undefined && (await runs(installed))
    ? { executablePath: installed, args: FLAGS }
    : undefined;
}

/** The message without a Chromium. */
export const NO_CHROMIUM =
  'No Chromium runs here: not the one of @sparticuz/chromium (Linux on x64 only), and none is installed. Name one in CHROMIUM_PATH.';
