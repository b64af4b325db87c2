/** Puts the service together. May import every room of `service`, and no report. */
import { Answers } from './state/account/answers.ts';
import { areas } from './areas/all.ts';
import type { EmulatorSeed } from './routing/area.ts';
import type { DeliverPost } from './state/posts/posts.ts';
import type { Arrival } from './state/emails/outbox.ts';
import type { Arrivals } from '../common/waiters.ts';
import type { AreaState, World } from './state/world.ts';
import { late } from '../../kit/late.ts';
import { VirtualClock } from './state/base/clock.ts';
import { steadyDate } from './state/base/steady-date.ts';
import { areaSettings } from './create-options.ts';
import type { EndpointHandlers } from './engine/endpoint-handlers.ts';
import type { EngineParts } from './engine/engine.ts';
import type { FaultQueue } from './engine/faults.ts';
import { generalOptions } from './general-options.ts';
import { Limiter } from './state/account/limiter.ts';
import { settingsOf } from '../declare/option.ts';
import type { Moment } from './state/snapshot.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import { Random } from './state/base/random.ts';
import { ReaderLinks } from './state/emails/reader-links.ts';
import { ReaderPages } from './engine/reader-pages.ts';
import type { RequestLog } from './engine/request-log.ts';
import { Router } from './engine/router.ts';
import { State } from './state/base/state.ts';
import { SignedStorage } from './state/account/storage.ts';
import { Streams } from './state/base/streams.ts';
import { Tokens } from './state/account/tokens.ts';

const ORGANIZATION_ID = 901;

/** The parts of an emulator that a reset keeps. */
export interface Surroundings {
  readonly faults: FaultQueue;
  readonly handlers: EndpointHandlers;
  readonly log: RequestLog;
  readonly recorder: World['recorder'];
  readonly deliver: DeliverPost;
  readonly arrivals: Arrivals<Arrival>;
  readonly folders: World['folders'];
  /** Returns the origin that links in emails lead to. */
  readonly origin: () => string;
  /** Whether no other emulator makes the same ids. */
  readonly hasFreshIds?: boolean;
}

/** A service, and the engine that passes requests to it. */
export interface Service {
  readonly world: World;
  readonly engine: EngineParts;
}

/** Builds a service with its initial data, or with the state of a snapshot. The same options give the same service. */
export function buildService(
  options: EmulatorOptions,
  { faults, handlers, log, recorder, deliver, arrivals, folders, origin, hasFreshIds }: Surroundings,
  begin: EmulatorSeed | Moment,
): Service {
  const { accountId, window, answers: kind, countSending } = settingsOf(generalOptions, options);
  const restored = typeof begin === 'string' ? undefined : begin;
  const state = new State(restored?.parts);
  const date = steadyDate(() => engine.limiter.forget());
  const clock = new VirtualClock(options.now ?? date.now, state, restored?.now);
  const streams = new Streams(state, hasFreshIds);
  // The default token is the same in every emulator.
  const tokens = new Tokens(options.token ?? new Random(7).hex(32), accountId, state);
  const secret = tokens.first;
  const answers = new Answers(kind);
  const storage = new SignedStorage(`storage ${secret}`, (path) => {
    for (const { file } of areas) {
      const found = file?.(world, path);
      if (found !== undefined) return found;
    }
    return undefined;
  });
  const readerLinks = new ReaderLinks(`reader ${secret}`, origin);
  const world = {
    state,
    clock,
    streams,
    settings: areaSettings(options),
    window,
    answers,
    tokens,
    storage,
    readerLinks,
    deliver,
    arrivals,
    folders,
    recorder,
    accountId,
    organizationId: ORGANIZATION_ID,
    secret,
  } as World;
  for (const { keep } of areas) Object.assign<World, Partial<AreaState>>(world, keep?.(world) ?? {});
  // Throws if `options.now` returns a wrong time.
  clock.now();
  if (typeof begin === 'string') for (const area of areas) area.seed?.(world, begin);
  // Most of an emulator's making: one that gets no request needs none.
  const router = late(() => new Router(areas.flatMap(({ routes }) => routes?.(world) ?? []).flat()));
  const engine: EngineParts = {
    clock,
    faults,
    handlers,
    log,
    tokens,
    limiter: new Limiter(options.limits ?? {}, window, state, recorder),
    get router() {
      return router();
    },
    random: streams.of('requests'),
    countSending,
    answers,
    storage,
    readerPages: new ReaderPages({
      links: readerLinks,
      find: (id) => world.logs.anywhere(id),
      decide: (decision, email, now) => world.readers.decide(decision, email, now),
    }),
  };
  world.posts.start();
  world.lifecycle.watch();
  date.start();
  return { world, engine };
}
