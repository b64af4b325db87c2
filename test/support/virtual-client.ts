import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { createRuntime, type Runtime } from '../../src/core/runtime.ts';
import { VirtualTime } from './virtual-time.ts';

/** The wall clock's time when a virtual clock stands at 0. */
export const WALL_START = Date.parse('2026-03-01T12:00:00.000Z');

export interface VirtualClient {
  readonly client: EmailPlatform;
  readonly time: VirtualTime;
}

export function virtualRuntime(time: VirtualTime, random = () => 0.5): Runtime {
  const wallNow = () => WALL_START + time.now();
  // Nothing holds up virtual time, so there is nothing to read first.
  const afterReading = (callback: () => void) => callback();
  return createRuntime({ now: time.now, wallNow, setTimer: time.setTimer, afterReading, random });
}

/** The longest possible timer: an attempt with this timeout never times out here. */
export const NEVER_MS = 2_147_483_647;

/** A client in virtual time, for a scripted `fetch`. By default, its attempts never time out. */
export function virtualClient(options: EmailPlatformOptions, random?: () => number): VirtualClient {
  const time = new VirtualTime();
  const client = new EmailPlatform(
    { token: 'token', hosts: { api: 'https://api.test' }, throttle: false, timeoutMs: NEVER_MS, ...options },
    virtualRuntime(time, random),
  );
  return { client, time };
}

/** Waits until `holds` returns true, while real work goes on; the virtual clock stands still. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000; turn += 1) {
    if (holds()) return;
    await oneTurn(turn);
  }
  throw new Error('The condition was still false after all turns of the event loop.');
}

/** Real work, such as loading a module, needs real time on a busy machine: after a while a turn lasts a millisecond. */
const oneTurn = (turn: number) =>
  new Promise<void>((resolve) => {
    if (turn < 1_000) setImmediate(resolve);
    else setTimeout(resolve, 1);
  });

/**
 * Moves the clock from wait to wait until a promise settles. An attempt's timeout is not one of these waits: real work,
 * such as reading a body, takes no virtual time.
 */
export async function throughItsWaits<T>(time: VirtualTime, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => (isSettled = true));
  settled.catch(() => undefined);
  for (let turn = 0; turn < 10_000; turn += 1) {
    await oneTurn(turn);
    if (isSettled as boolean) return settled;
    if (time.nextAt < NEVER_MS) time.fireNext();
  }
  throw new Error('The promise never settled.');
}
