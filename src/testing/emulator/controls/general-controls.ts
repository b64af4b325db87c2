/** The controls of the whole emulator, which belong to no area. */
import { checkFault, faultFields } from '../../service/engine/fault-kind.ts';
import { notBlank, number, objectOf, or, positive, text, textLike, time } from '../../declare/kind.ts';
import { LAST_MOMENT, type VirtualClock } from '../../service/state/base/clock.ts';
import { control, needed, reading, type Control } from '../../service/routing/control.ts';
import type { Emulator, EmulatorRequestFilter } from './emulator-types.ts';
import { matches, type FaultQueue } from '../../service/engine/faults.ts';
import type { EmulatorRequest, RequestLog } from '../../service/engine/request-log.ts';
import { snapshotKind, type EmulatorSnapshot } from '../../service/state/snapshot.ts';
import { waitMs } from '../../common/waiters.ts';

/** The parts of an emulator that these controls use. A reset replaces some of them. */
export interface Internals {
  readonly clock: VirtualClock;
  readonly faults: FaultQueue;
  readonly log: RequestLog;
  mark(name: string | null): void;
  reset(): void;
  snapshot(): EmulatorSnapshot;
  restore(snapshot: EmulatorSnapshot): void;
}

const advanceKind = number('a number of milliseconds, 0 or more', (ms) => ms >= 0 && ms <= LAST_MOMENT);
const setKind = number(
  'a time in milliseconds since the Unix epoch, up to the year 9999',
  (now) => now >= 0 && now <= LAST_MOMENT,
);

const requestFilter = objectOf<EmulatorRequestFilter>(
  {
    method: text,
    path: textLike('a path that begins with / or * and has no query', (path) => /^[/*][^?#]*$/.test(path)),
    since: time,
    waitMs,
  },
  ['waitMs'],
);

const fitting =
  ({ since = -Infinity, ...match }: Omit<EmulatorRequestFilter, 'waitMs'>) =>
  ({ method, host: at, path, at: time }: EmulatorRequest) =>
    time >= since && matches(match, method, at, path);

type Clock = Emulator['clock'];
type Faults = Emulator['faults'];

/** The controls of the whole emulator, by their names. */
export const generalControls: Readonly<Record<string, Control<Internals>>> = {
  'clock.now': control<Clock['now'], Internals>({}, ({ clock }) => clock.now()),
  'clock.isPaused': reading<Internals>(({ clock }) => clock.isPaused),
  'clock.advance': control<Clock['advance'], Internals>({ ms: needed(advanceKind) }, ({ clock }, ms) =>
    clock.advance(ms),
  ),
  'clock.set': control<Clock['set'], Internals>({ now: needed(setKind) }, ({ clock }, now) => clock.set(now)),
  'clock.pause': control<Clock['pause'], Internals>({}, ({ clock }) => clock.pause()),
  'clock.resume': control<Clock['resume'], Internals>({}, ({ clock }) => clock.resume()),
  'faults.next': control<Faults['next'], Internals>({ fault: needed(faultFields) }, ({ faults }, fault) => {
    checkFault(fault);
    faults.next(fault);
  }),
  'faults.list': control<Faults['list'], Internals>({}, ({ faults }) => faults.list()),
  'faults.pause': control<Faults['pause'], Internals>({ id: needed(positive) }, ({ faults }, id) =>
    faults.pause(id),
  ),
  'faults.resume': control<Faults['resume'], Internals>({ id: needed(positive) }, ({ faults }, id) =>
    faults.resume(id),
  ),
  'faults.remove': control<Faults['remove'], Internals>({ id: needed(positive) }, ({ faults }, id) =>
    faults.remove(id),
  ),
  'faults.clear': control<Faults['clear'], Internals>({}, ({ faults }) => faults.clear()),
  requests: reading<Internals>(({ log }) => log.entries),
  waitForRequests: {
    ...control<Emulator['waitForRequests'], Internals>(
      { filter: needed(requestFilter) },
      ({ log }, { waitMs: most, ...filter }, signal?: AbortSignal) => log.wait(fitting(filter), most, signal),
    ),
    waiting: {},
  },
  mark: control<Emulator['mark'], Internals>({ name: needed(or(notBlank, null)) }, (emulator, name) =>
    emulator.mark(name),
  ),
  reset: control<Emulator['reset'], Internals>({}, (emulator) => emulator.reset()),
  snapshot: control<Emulator['snapshot'], Internals>({}, (emulator) => emulator.snapshot()),
  restore: control<Emulator['restore'], Internals>({ snapshot: needed(snapshotKind) }, (emulator, snapshot) =>
    emulator.restore(snapshot),
  ),
};
