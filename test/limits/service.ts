import { createEmulator, type Emulator } from 'email-platform/testing';
import type { TestContext } from 'vitest';

/** An emulator on a real port, and how a client reaches it. */
export interface Service {
  readonly emulator: Emulator;
  readonly connection: Emulator.Connection;
  /** Stops listening on the port. */
  readonly stop: () => Promise<void>;
  /** Listens again on the same port. */
  readonly start: () => Promise<void>;
}

/**
 * The monotonic clock that clients use, in milliseconds since 1970: the emulator uses it too, so that the times of both
 * sides can be compared.
 */
export const now = () => performance.timeOrigin + performance.now();

/** Serves an emulator over a socket until the test is over. Takes the test, because tests may run concurrently. */
export async function serve(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  options: Emulator.Options = {},
): Promise<Service> {
  const emulator = createEmulator({ now, ...options });
  let server = await emulator.listen();
  const port = Number(new URL(server.url).port);
  const stop = () => server.close();
  onTestFinished(stop);
  return {
    emulator,
    connection: server.clientOptions(),
    stop,
    start: async () => {
      server = await emulator.listen({ port });
    },
  };
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
