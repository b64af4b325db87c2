import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import type { Runtime } from '../../src/core/runtime.ts';
import { VirtualTime } from './virtual-time.ts';

/** The wall clock's time when a virtual clock stands at 0. */
export const WALL_START = Date.parse('2026-03-01T12:00:00.000Z');

export interface VirtualClient {
  readonly client: EmailPlatform;
  readonly time: VirtualTime;
}

export function virtualRuntime(time: VirtualTime, random = () => 0.5): Runtime {
  return { now: time.now, wallNow: () => WALL_START + time.now(), setTimer: time.setTimer, random };
}

/** As long as a timer can be: an attempt with this timeout never times out here. */
const NEVER_MS = 2_147_483_647;

/** A client that lives in virtual time, for a scripted `fetch`. Its attempts do not time out unless told to. */
export function virtualClient(options: EmailPlatformOptions, random?: () => number): VirtualClient {
  const time = new VirtualTime();
  const client = new EmailPlatform(
    { token: 'token', hosts: { api: 'https://api.test' }, throttle: false, timeoutMs: NEVER_MS, ...options },
    virtualRuntime(time, random),
  );
  return { client, time };
}

/** Lets what is under way go on until something has come about. */
export async function until(hasComeAbout: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000; turn += 1) {
    if (hasComeAbout()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('It never came about.');
}

/**
 * Moves the clock from wait to wait until a promise settles. An attempt's own timeout is not one of them: what
 * takes real work, such as reading a body, takes no virtual time.
 */
export async function throughItsWaits<T>(time: VirtualTime, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => (isSettled = true));
  settled.catch(() => undefined);
  for (let turn = 0; turn < 10_000; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isSettled as boolean) return settled;
    if (time.nextAt < NEVER_MS) time.fireNext();
  }
  throw new Error('It never settled.');
}
