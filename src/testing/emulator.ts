import { VirtualClock } from './clock.ts';
import { createControls } from './controls.ts';
import type { Emulator } from './emulator-types.ts';
import { exchange } from './engine.ts';
import { FaultQueue } from './faults.ts';
import { hostsAt, memoryOrigin } from './hosts.ts';
import { createMemoryFetch, present } from './memory.ts';
import type { EmulatorOptions } from './options.ts';
import { RequestLog } from './request-log.ts';
import { accountId, buildWorld, sandboxInboxId } from './world.ts';

/**
 * Makes an emulator of the whole service: one engine that turns a `Request` into a `Response` and answers as the
 * service is specified to, with its states, its limits and its errors. It opens nothing until `listen` is called.
 *
 * @example
 * ```ts
 * const emulator = createEmulator({ seed: 'demo' });
 * const client = new EmailPlatform(emulator.clientOptions());
 * ```
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const clock = new VirtualClock(options.now ?? (() => Date.now()));
  const faults = new FaultQueue();
  const log = new RequestLog();
  const build = () => buildWorld(options, clock, faults, log);
  let world = build();

  const send = (request: Request, signal?: AbortSignal) => exchange(world.engine, request, signal);
  const memoryFetch = createMemoryFetch(send);
  const connection = (origin: string) => ({
    token: world.token,
    accountId,
    sandboxInboxId,
    hosts: hostsAt(origin),
  });

  return {
    clock,
    faults,
    get requests() {
      return log.entries;
    },
    fetch: memoryFetch,
    handle: async (request) => present(await send(request, request.signal), request.signal),
    clientOptions: () => ({ ...connection(memoryOrigin), fetch: memoryFetch }),
    async listen({ port = 0 } = {}) {
      const { listenOn } = await import('./server.ts');
      const server = await listenOn(port, options.cors ?? { expose: [] }, send);
      const { url } = server;
      return { url, hosts: hostsAt(url), clientOptions: () => connection(url), close: () => server.close() };
    },
    reset() {
      clock.restart();
      faults.clear();
      log.clear();
      world = build();
    },
    ...createControls(() => world, clock, accountId),
  };
}
