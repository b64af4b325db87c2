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

/** The emulator's `fetch` counts the restarts of its service. */
function epochOf(fetch: unknown): (() => unknown) | undefined {
  const epoch = (Object(fetch) as { readonly [EPOCH]?: unknown })[EPOCH];
  return typeof epoch === 'function' ? (epoch as () => unknown) : undefined;
}

const EPOCH = Symbol.for('email-platform.epoch');
