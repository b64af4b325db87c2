/** The controls of the whole emulator, which belong to no area. */
import { checkFault, faultFields, pendingFaults } from '../../service/engine/fault-kind.ts';
import { flag, notBlank, number, objectOf, or, positive, text, textLike, time } from '../../declare/kind.ts';
import { LAST_MOMENT, type VirtualClock } from '../../service/state/base/clock.ts';
import { WAIT_MS } from '../../service/areas/sending/area.ts';
import { control, needed, reading, type Control } from '../../service/routing/control.ts';
import type { Emulator, EmulatorRequestFilter } from './emulator-types.ts';
import { requests, shownRequests } from '../../service/engine/request-kind.ts';
import { matches, type FaultQueue } from '../../service/engine/faults.ts';
import type { EmulatorRequest, RequestLog } from '../../service/engine/request-log.ts';
import { snapshotKind, type EmulatorSnapshot } from '../../service/state/snapshot.ts';
import { waitMs } from '../../common/waiters.ts';
import { defined } from '../../../kit/defined.ts';

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

const requestFilter = objectOf<EmulatorRequestFilter>({
  method: text,
  path: textLike('a path that begins with / or * and has no query', (path) => /^[/*][^?#]*$/.test(path)),
  since: time,
  waitMs,
});

const fitting =
  ({ since = -Infinity, ...match }: Omit<EmulatorRequestFilter, 'waitMs'>) =>
  ({ method, host: at, path, at: time }: EmulatorRequest) =>
    time >= since && matches(match, method, at, path);

type Clock = Emulator['clock'];
type Faults = Emulator['faults'];

const clockState = objectOf<{ now: number; paused: boolean }>({ now: time, paused: flag }, 'all');
const CLOCK = { state: clockState };
const ONE_FAULT = { takes: { id: needed(positive) } };

/** The controls of the whole emulator, by their names. */
export const generalControls: Readonly<Record<string, Control<Internals>>> = {
  'clock.now': control<Clock['now'], Internals>(
    'GET /clock',
    { returns: time, as: 'now', ...CLOCK },
    ({ clock }) => clock.now(),
  ),
  'clock.isPaused': reading<Internals>(
    'GET /clock',
    { returns: flag, as: 'paused', ...CLOCK },
    ({ clock }) => clock.isPaused,
  ),
  'clock.advance': control<Clock['advance'], Internals>(
    'POST /clock/advance',
    { takes: { ms: needed(advanceKind) }, ...CLOCK },
    ({ clock }, ms) => clock.advance(ms),
  ),
  'clock.set': control<Clock['set'], Internals>(
    'POST /clock/set',
    { takes: { now: needed(setKind) }, ...CLOCK },
    ({ clock }, now) => clock.set(now),
  ),
  'clock.pause': control<Clock['pause'], Internals>('POST /clock/pause', CLOCK, ({ clock }) => clock.pause()),
  'clock.resume': control<Clock['resume'], Internals>('POST /clock/resume', CLOCK, ({ clock }) =>
    clock.resume(),
  ),
  'faults.next': control<Faults['next'], Internals>(
    'POST /faults',
    { takes: { fault: needed(faultFields) }, body: 'fault' },
    ({ faults }, fault) => {
      checkFault(fault);
      faults.next(fault);
    },
  ),
  'faults.list': control<Faults['list'], Internals>(
    'GET /faults',
    { returns: pendingFaults, as: 'faults' },
    ({ faults }) => faults.list(),
  ),
  'faults.pause': control<Faults['pause'], Internals>(
    'POST /faults/{id}/pause',
    ONE_FAULT,
    ({ faults }, id) => faults.pause(id),
  ),
  'faults.resume': control<Faults['resume'], Internals>(
    'POST /faults/{id}/resume',
    ONE_FAULT,
    ({ faults }, id) => faults.resume(id),
  ),
  'faults.remove': control<Faults['remove'], Internals>('DELETE /faults/{id}', ONE_FAULT, ({ faults }, id) =>
    faults.remove(id),
  ),
  'faults.clear': control<Faults['clear'], Internals>('DELETE /faults', {}, ({ faults }) => faults.clear()),
  requests: reading<Internals>(
    'GET /requests',
    { returns: requests, as: 'requests' },
    ({ log }) => log.entries,
  ),
  waitForRequests: control<Emulator['waitForRequests'], Internals>(
    'GET /requests',
    {
      takes: { filter: needed(requestFilter) },
      body: 'filter',
      returns: requests,
      as: 'requests',
      extended: shownRequests,
      defaults: { waitMs: 0 },
      waiting: { filled: ([filter]) => [{ waitMs: WAIT_MS, ...defined(filter as EmulatorRequestFilter) }] },
    },
    ({ log }, { waitMs: most = 0, ...filter }, signal?: AbortSignal) =>
      log.wait(fitting(filter), most, signal),
  ),
  mark: control<Emulator['mark'], Internals>(
    'PUT /mark',
    { takes: { name: needed(or(notBlank, null)) } },
    (emulator, name) => emulator.mark(name),
  ),
  reset: control<Emulator['reset'], Internals>('POST /reset', {}, (emulator) => emulator.reset()),
  snapshot: control<Emulator['snapshot'], Internals>('GET /snapshot', { returns: snapshotKind }, (emulator) =>
    emulator.snapshot(),
  ),
  restore: control<Emulator['restore'], Internals>(
    'PUT /snapshot',
    { takes: { snapshot: needed(snapshotKind) }, body: 'snapshot' },
    (emulator, snapshot) => emulator.restore(snapshot),
  ),
};
