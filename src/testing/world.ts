import { createAreas, type Areas } from './areas/areas.ts';
import type { VirtualClock } from './clock.ts';
import type { EngineParts } from './engine.ts';
import type { FaultQueue } from './faults.ts';
import { Limiter } from './limiter.ts';
import type { EmulatorOptions } from './options.ts';
import { Random } from './random.ts';
import type { RequestLog } from './request-log.ts';
import { Router } from './router.ts';
import { Tokens } from './tokens.ts';

export const accountId = 1001;
export const sandboxInboxId = 2001;

/** What a reset makes anew. */
export interface World {
  readonly engine: EngineParts;
  readonly areas: Areas;
  readonly billing: { withinLimits: boolean };
  readonly token: string;
}

/** A world in its first moment. The seeds are fixed: every emulator of the same options is the same. */
export function buildWorld(
  options: EmulatorOptions,
  clock: VirtualClock,
  faults: FaultQueue,
  log: RequestLog,
): World {
  const tokens = new Tokens(new Random(7));
  const token = tokens.create({}, accountId);
  const billing = { withinLimits: true };
  const timing = {
    sendMs: 60_000,
    terminateMs: 5000,
    startedState: 'started' as const,
    ...options.campaigns,
  };
  const kit = { clock, random: new Random(11), accountId, timing, billing };
  const areas = createAreas(kit, options, sandboxInboxId);
  const engine: EngineParts = {
    clock,
    faults,
    log,
    tokens,
    limiter: new Limiter(options.limits ?? {}, options.window ?? 'aligned'),
    router: new Router(areas.routes),
    random: new Random(13),
    countSending: options.countSending ?? true,
    storage: areas.storage,
  };
  return { engine, areas, billing, token };
}
