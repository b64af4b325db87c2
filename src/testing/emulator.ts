import * as kinds from './arguments/controls.ts';
import { checkFault } from './arguments/fault.ts';
import { check } from './arguments/kind.ts';
import { createOptions, listenOptions } from './arguments/options.ts';
import { WEBHOOK_DEFAULTS } from './areas/webhooks/options.ts';
import { VirtualClock } from './clock.ts';
import { createControls } from './controls.ts';
import type { Emulator } from './emulator-types.ts';
import { exchange } from './engine.ts';
import { FaultQueue } from './faults.ts';
import { hostsAt, MEMORY_ORIGIN } from './hosts.ts';
import { createMemoryFetch, present } from './memory.ts';
import { postman } from './postman.ts';
import type { EmulatorOptions } from './options.ts';
import { RequestLog } from './request-log.ts';
import { presentedToken } from './tokens.ts';
import { ACCOUNT_ID, buildWorld, SANDBOX_INBOX_ID } from './world.ts';

/**
 * Creates an emulator of the whole service. It responds to requests as the service is specified to, with its states,
 * its limits and its errors. It listens on no port until `listen` is called.
 *
 * @example
 * ```ts
 * const emulator = createEmulator({ seed: 'demo' });
 * const client = new EmailPlatform(emulator.clientOptions());
 * ```
 *
 * @throws `TypeError` for an unknown option or a wrong type, `RangeError` for a wrong value.
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  check(createOptions, options, 'options');
  const clock = new VirtualClock(options.now ?? (() => Date.now()));
  const faults = new FaultQueue();
  const log = new RequestLog();
  let servers = 0;
  const carry = postman(options.webhooks, () => servers > 0);
  const build = () => buildWorld(options, clock, faults, log, carry);
  let world = build();

  const send = (request: Request, signal?: AbortSignal, isTooLarge?: boolean) =>
    exchange(world.engine, request, signal, isTooLarge);
  const memoryFetch = createMemoryFetch(send);
  const connection = (origin: string) => ({
    token: world.token,
    accountId: ACCOUNT_ID,
    sandboxInboxId: SANDBOX_INBOX_ID,
    hosts: hostsAt(origin),
    ...(options.limits === false && { throttle: false as const }),
  });

  return {
    clock: {
      now: () => clock.now(),
      advance(ms) {
        check(kinds.advance, ms, 'ms');
        clock.advance(ms);
      },
    },
    faults: {
      next(fault) {
        checkFault(fault);
        faults.next(fault);
      },
      clear: () => faults.clear(),
    },
    get requests() {
      return log.entries;
    },
    fetch: memoryFetch,
    async handle(request) {
      check(kinds.request, request, 'request');
      return present(await send(request, request.signal), request.signal);
    },
    clientOptions: () => ({
      ...connection(MEMORY_ORIGIN),
      fetch: memoryFetch,
      dangerouslyAllowBrowser: true,
    }),
    async listen(given = {}) {
      check(listenOptions, given, 'options');
      const { listenOn } = await import('./http/server.ts');
      const { port = 0, allowedHosts = [], cors = { origins: [] } } = given;
      const hasToken = (headers: Headers) =>
        world.engine.tokens.find(presentedToken(headers), clock.now()) !== undefined;
      const server = await listenOn({ port, allowedHosts, cors, send, hasToken });
      const { url } = server;
      servers += 1;
      let isOpen = true;
      const close = () => {
        if (isOpen) servers -= 1;
        isOpen = false;
        return server.close();
      };
      return { url, hosts: hostsAt(url), clientOptions: () => connection(url), close };
    },
    reset() {
      world.areas.posts.stop();
      clock.restart();
      faults.clear();
      log.clear();
      world = build();
    },
    ...createControls(
      () => world,
      clock,
      ACCOUNT_ID,
      options.webhooks?.signatureHeader ?? WEBHOOK_DEFAULTS.signatureHeader,
    ),
  };
}
