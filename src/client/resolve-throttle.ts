import { epochOf } from '../core/emulator-fetch.ts';
import type { Runtime } from '../core/runtime.ts';
import { createThrottle } from '../throttle/create-throttle.ts';
import { THROTTLE, type Throttle } from '../throttle/throttle.ts';
import type { EmailPlatformOptions } from './options.ts';

const isThrottle = (value: unknown): value is Throttle =>
  (Object(value) as Partial<Throttle>)[Symbol.toStringTag] === THROTTLE;

/** The throttle of the client: its own, a shared one, or none. */
export function resolveThrottle(
  throttle: EmailPlatformOptions['throttle'] = {},
  runtime: Runtime,
  fetch: EmailPlatformOptions['fetch'],
): Throttle | undefined {
  if (throttle === false) return undefined;
  return isThrottle(throttle) ? throttle : createThrottle(throttle, runtime, epochOf(fetch));
}
