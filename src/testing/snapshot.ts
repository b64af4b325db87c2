import { check } from './checks/argument.ts';
import { anything, arrayOf, mapOf, objectOf, oneOf, text, textLike, time, type Kind } from './checks/kind.ts';
import { TOKEN } from './arguments/rules.ts';
import { areas } from './areas/all.ts';
import type { SavedTask } from './clock.ts';
import { ReadValues, SharedValues } from './shared.ts';
import type { EmulatorSnapshot } from './snapshot-types.ts';
import { isToken } from './tokens.ts';
import type { Service } from './world.ts';

const FORMAT = 'email-platform emulator';
const VERSION = 1;

/** The state of a service. */
export function snapshotOf({ world, engine }: Service): EmulatorSnapshot {
  world.clock.settle();
  const shared = new SharedValues();
  const saved = areas.flatMap(({ name, saved: parts }) => {
    if (parts === undefined) return [];
    const own = Object.entries(parts(world)).map(([part, state]) => [part, state.save(shared)]);
    return [[name, Object.fromEntries(own)]];
  });
  const whole: EmulatorSnapshot = {
    format: FORMAT,
    version: VERSION,
    token: world.secret,
    clock: world.clock.save(),
    random: world.streams.save(),
    limits: engine.limiter.save(),
    shared: shared.values,
    areas: Object.fromEntries(saved) as Record<string, unknown>,
  };
  // Its own copy: what happens in the emulator later does not change it.
  return JSON.parse(JSON.stringify(whole)) as EmulatorSnapshot;
}

const version: Kind = {
  what: `${VERSION}, the version of snapshots that this emulator takes`,
  hasType: (value) => typeof value === 'number',
  isAllowed: (value) => value === VERSION,
  json: { type: 'integer' },
};

/** What a snapshot is, as far as one can see from outside. */
export const snapshotKind = objectOf<EmulatorSnapshot>(
  {
    format: oneOf([FORMAT]),
    version,
    token: { ...textLike(TOKEN, isToken), isSecret: true },
    clock: objectOf<{ now: number; planned: readonly SavedTask[] }>(
      {
        now: time,
        planned: arrayOf(
          'tasks',
          objectOf<SavedTask>({ at: time, kind: text, data: anything }, ['at', 'kind']),
        ),
      },
      ['now', 'planned'],
    ),
    random: mapOf(anything),
    limits: mapOf(anything),
    shared: arrayOf('values', anything),
    areas: mapOf(anything),
  },
  ['format', 'version', 'token', 'clock', 'random', 'limits', 'shared', 'areas'],
);

/** Throws unless it is a snapshot as far as one can see from outside. */
export function checkSnapshot(given: unknown): asserts given is EmulatorSnapshot {
  check(snapshotKind, given, 'snapshot');
}

/** Gives a service without any data the state of a snapshot. Throws if a part of it is not valid. */
export function load({ world, engine }: Service, given: EmulatorSnapshot): void {
  const snapshot = structuredClone(given);
  const shared = new ReadValues(snapshot.shared);
  const { now, planned } = snapshot.clock;
  world.clock.load({ now, planned: planned as readonly SavedTask[] }, 'snapshot.clock');
  world.streams.load(snapshot.random, 'snapshot.random');
  engine.limiter.load(snapshot.limits, 'snapshot.limits');
  for (const { name, saved: parts } of areas) {
    if (parts === undefined) continue;
    const own = parts(world);
    const at = `snapshot.areas.${name}`;
    check(
      objectOf(Object.fromEntries(Object.keys(own).map((part) => [part, anything]))),
      snapshot.areas[name],
      at,
    );
    const values = snapshot.areas[name] as Readonly<Record<string, unknown>>;
    for (const [part, state] of Object.entries(own)) state.load(values[part], `${at}.${part}`, shared);
  }
}
