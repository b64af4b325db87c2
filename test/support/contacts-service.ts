import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { virtualRuntime, WALL_START } from './virtual-client.ts';
import { VirtualTime } from './virtual-time.ts';

/** An emulator and a client in the same virtual time. */
export function emulated(options: Emulator.Options = {}, clientOptions: EmailPlatformOptions = {}) {
  const time = new VirtualTime();
  const emulator: Emulator = createEmulator({
    now: () => WALL_START + time.now(),
    limits: false,
    ...options,
  });
  const client = new EmailPlatform(
    {
      ...emulator.clientOptions(),
      throttle: false,
      retry: false,
      timeoutMs: 2_147_483_647,
      ...clientOptions,
    },
    virtualRuntime(time),
  );
  return { client, emulator, time };
}

/**
 * A source of `count` contacts, read one by one. `seen` has the number of read contacts, and whether the source was
 * closed.
 */
export function numberedContacts(count: number) {
  const seen = { read: 0, closed: false };
  function* generate() {
    try {
      for (; seen.read < count; seen.read += 1) yield { email: `contact${seen.read}@example.org` };
    } finally {
      seen.closed = true;
    }
  }
  return { contacts: generate(), seen };
}

/** All values of an async iterable, and its error at the end. */
export async function drained<T>(run: AsyncIterable<T>): Promise<{ outcomes: T[]; thrown: unknown }> {
  const outcomes: T[] = [];
  try {
    for await (const outcome of run) outcomes.push(outcome);
  } catch (thrown) {
    return { outcomes, thrown };
  }
  return { outcomes, thrown: undefined };
}
