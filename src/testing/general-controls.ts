/** What a test can do to the emulator as a whole: the controls that belong to no area. */
import { checkFault, faultFields } from './arguments/fault.ts';
import {
  arrayOf,
  flag,
  number,
  objectOf,
  oneOf,
  or,
  text,
  textLike,
  time,
  type Kind,
} from './checks/kind.ts';
import { LAST_MOMENT, type VirtualClock } from './clock.ts';
import { control, needed, reading, type Control } from './control.ts';
import type { Emulator, EmulatorRequestFilter } from './emulator-types.ts';
import { matches, type FaultQueue } from './faults.ts';
import type { EmulatorHost } from './hosts.ts';
import type { EmulatorRequest, RequestLog } from './request-log.ts';
import { snapshotKind } from './snapshot.ts';
import type { EmulatorSnapshot } from './snapshot-types.ts';
import { waitMs } from './waiters.ts';

/** What these controls apply to. */
export interface Steering {
  readonly clock: VirtualClock;
  readonly faults: FaultQueue;
  readonly log: RequestLog;
  reset(): void;
  snapshot(): EmulatorSnapshot;
  restore(snapshot: EmulatorSnapshot): void;
}

/** The part of {@link Emulator} that these controls are. */
export type GeneralControls = Pick<
  Emulator,
  'clock' | 'faults' | 'requests' | 'waitForRequests' | 'reset' | 'snapshot' | 'restore'
>;

const advanceKind = number('a number of milliseconds, 0 or more', (ms) => ms >= 0 && ms <= LAST_MOMENT);
const setKind = number(
  'a time in milliseconds since the Unix epoch, up to the year 9999',
  (now) => now >= 0 && now <= LAST_MOMENT,
);

const clockState = objectOf<{ now: number; paused: boolean }>({ now: time, paused: flag }, ['now', 'paused']);

const host = oneOf(['api', 'send', 'bulk', 'sandbox', 'storage'] satisfies EmulatorHost[]);

/** A request, as {@link Emulator.requests} has it. */
export const requestKind: Kind = objectOf<EmulatorRequest>(
  {
    method: text,
    host,
    path: text,
    query: text,
    at: time,
    status: or(number('a status', Number.isInteger, 'integer'), null),
    callId: text,
  },
  ['method', 'host', 'path', 'query', 'at', 'status'],
);
const requests = arrayOf('requests', requestKind);

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

const CLOCK = { shows: clockState };

type Clock = Emulator['clock'];
type Faults = Emulator['faults'];

/** The controls of no area, by the name that they have in the emulator. */
export const generalControls: Readonly<Record<string, Control<Steering>>> = {
  'clock.now': control<Clock['now'], Steering>(
    { line: 'GET /clock', as: 'now', ...CLOCK },
    'Returns the time of the emulator, in milliseconds since the Unix epoch.',
    {},
    time,
    ({ clock }) => clock.now(),
  ),
  'clock.isPaused': reading<Steering>(
    { line: 'GET /clock', as: 'paused', ...CLOCK },
    'Whether the clock stands still.',
    flag,
    ({ clock }) => clock.isPaused,
  ),
  'clock.advance': control<Clock['advance'], Steering>(
    { line: 'POST /clock/advance', ...CLOCK },
    'Advances the clock. What becomes due on the way happens before the response.',
    { ms: needed(advanceKind) },
    undefined,
    ({ clock }, ms) => clock.advance(ms),
  ),
  'clock.set': control<Clock['set'], Steering>(
    { line: 'POST /clock/set', ...CLOCK },
    'Advances the clock to a time, which must not be earlier than its own.',
    { now: needed(setKind) },
    undefined,
    ({ clock }, now) => clock.set(now),
  ),
  'clock.pause': control<Clock['pause'], Steering>(
    { line: 'POST /clock/pause', ...CLOCK },
    'Lets the clock stand still, until it is advanced, set or resumed.',
    {},
    undefined,
    ({ clock }) => clock.pause(),
  ),
  'clock.resume': control<Clock['resume'], Steering>(
    { line: 'POST /clock/resume', ...CLOCK },
    'Lets the clock go on from the time that it shows.',
    {},
    undefined,
    ({ clock }) => clock.resume(),
  ),
  'faults.next': control<Faults['next'], Steering>(
    { line: 'POST /faults', spread: 'fault' },
    'Makes the next matching requests fail.',
    { fault: needed(faultFields) },
    undefined,
    ({ faults }, fault) => {
      checkFault(fault);
      faults.next(fault);
    },
  ),
  'faults.list': control<Faults['list'], Steering>(
    { line: 'GET /faults', as: 'faults' },
    'Returns the faults that have not been used up, in their order.',
    {},
    arrayOf('faults', faultFields),
    ({ faults }) => faults.list(),
  ),
  'faults.clear': control<Faults['clear'], Steering>(
    { line: 'DELETE /faults' },
    'Removes every fault that has not been used.',
    {},
    undefined,
    ({ faults }) => faults.clear(),
  ),
  requests: reading<Steering>(
    { line: 'GET /requests', as: 'requests' },
    'The most recent requests, oldest first.',
    requests,
    ({ log }) => log.entries,
  ),
  waitForRequests: {
    ...control<Emulator['waitForRequests'], Steering>(
      { line: 'GET /requests', spread: 'filter', as: 'requests' },
      'Returns the requests that fit as soon as one has its response, and none if there is none in time.',
      { filter: needed(requestFilter) },
      requests,
      ({ log }, { waitMs: most, ...filter }, signal?: AbortSignal) => log.wait(fitting(filter), most, signal),
    ),
    waiting: {},
  },
  reset: control<Emulator['reset'], Steering>(
    { line: 'POST /reset' },
    'Restores the initial state: the seed and the clock, with no faults, no requests and unused limits.',
    {},
    undefined,
    (steering) => steering.reset(),
  ),
  snapshot: control<Emulator['snapshot'], Steering>(
    { line: 'GET /snapshot' },
    "Returns the whole state. It contains the emulator's tokens and all emails.",
    {},
    snapshotKind,
    (steering) => steering.snapshot(),
  ),
  restore: control<Emulator['restore'], Steering>(
    { line: 'PUT /snapshot', spread: 'snapshot' },
    'Gives the emulator the state of a snapshot.',
    { snapshot: needed(snapshotKind) },
    undefined,
    (steering, snapshot) => steering.restore(snapshot),
  ),
};
