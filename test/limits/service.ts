import {
  createEmulator,
  type Emulator,
  type EmulatorConnection,
  type EmulatorOptions,
} from 'email-platform/testing';
import type { TestContext } from 'vitest';

/** An emulator on a real port, and how a client reaches it. */
export interface Service {
  readonly emulator: Emulator;
  readonly connection: EmulatorConnection;
  /** Nobody listens on the port any longer. */
  readonly stop: () => Promise<void>;
  /** Listens again on the same port. */
  readonly start: () => Promise<void>;
}

/**
 * The clock that clients live by, begun where the wall clock stood: what one side has measured can be compared with what
 * the other has.
 */
export const now = () => performance.timeOrigin + performance.now();

/** Serves an emulator over a socket until the test is over; which test is told, for several may run at once. */
export async function serve(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  options: EmulatorOptions = {},
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
