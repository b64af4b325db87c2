import { Answers } from './answers.ts';
import { createAreas, type Areas } from './areas/areas.ts';
import type { CampaignTiming } from './areas/campaigns/timing.ts';
import type { VirtualClock } from './clock.ts';
import { withDefaults } from './defaults.ts';
import type { EngineParts } from './engine.ts';
import type { FaultQueue } from './faults.ts';
import { Limiter } from './limiter.ts';
import type { EmulatorOptions } from './options.ts';
import { Random } from './random.ts';
import type { RequestLog } from './request-log.ts';
import { Router } from './router.ts';
import { Tokens } from './tokens.ts';

export const ACCOUNT_ID = 1001;
export const SANDBOX_INBOX_ID = 2001;
export const ORGANIZATION_ID = 901;

/** Everything that a reset replaces. */
export interface World {
  readonly engine: EngineParts;
  readonly areas: Areas;
  readonly billing: { withinLimits: boolean };
  readonly token: string;
}

/** Builds a world in its initial state. The seeds are fixed: emulators with the same options are the same. */
export function buildWorld(
  options: EmulatorOptions,
  clock: VirtualClock,
  faults: FaultQueue,
  log: RequestLog,
): World {
  const token = options.token ?? new Random(7).hex(32);
  const tokens = new Tokens(token, ACCOUNT_ID);
  const billing = { withinLimits: true };
  const timing = withDefaults<CampaignTiming>(
    { sendMs: 60_000, terminateMs: 5000, startedState: 'started' },
    options.campaigns,
  );
  const answers = new Answers(options.answers ?? 'specified');
  const kit = {
    clock,
    random: new Random(11),
    accountId: ACCOUNT_ID,
    organizationId: ORGANIZATION_ID,
    secret: token,
    tokens,
    timing,
    billing,
    answers,
  };
  const areas = createAreas(kit, options, SANDBOX_INBOX_ID);
  const engine: EngineParts = {
    clock,
    faults,
    log,
    tokens,
    limiter: new Limiter(options.limits ?? {}, options.window ?? 'aligned'),
    router: new Router(areas.routes),
    random: new Random(13),
    countSending: options.countSending ?? true,
    answers,
    storage: areas.storage,
  };
  return { engine, areas, billing, token };
}
