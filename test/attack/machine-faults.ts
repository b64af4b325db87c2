import { broken, failure, json, type Turn } from '../support/scripted-fetch.ts';
import { good } from './answer-faults.ts';
import type { Call } from '../support/calls/call.ts';
import type { Fault } from './faults.ts';

/** A fault of the machine or of the process that the client runs in. */
export interface MachineFault extends Fault {
  readonly turn: (call: Call, stalled: () => void, suspended: () => void) => Turn;
  /** Whether the call has a deadline, and the machine is suspended until after it. */
  readonly hasDeadline?: true;
  /** Fields that every object seems to have while the call goes on. */
  readonly pollution?: Readonly<Record<string, unknown>>;
}

type Row = readonly [name: string, phase: Fault['phase'], meaning: Fault['meaning'], turn?: Turn];

/** The outcome of a request while the machine is suspended. */
const SUSPENDED: readonly Row[] = [
  [
    'no connection',
    'before the connection',
    'never sent, then too late',
    failure(broken('ECONNREFUSED', 'connect')),
  ],
  ['a lost connection', 'before the headers', 'lost, then too late', failure(broken('ECONNRESET', 'read'))],
  ['a 503', 'in the headers', 'failed, then too late', json(503, { errors: ['No'] })],
];

/** Fields that ky, `fetch`, p-retry and the client read from their options. Node's own fetch works with these. */
const FIELDS = {
  ...{
    prefixUrl: 'https://evil.test/',
    searchParams: { evil: '1' },
    json: { evil: true },
    parseJson: () => ({}),
  },
  ...{ method: 'PUT', redirect: 'follow', credentials: 'include', integrity: 'sha256-x', keepalive: true },
  ...{
    throwHttpErrors: false,
    context: { evil: true },
    shouldRetry: () => true,
    retries: 7,
    maxRetryTime: 1,
  },
  ...{
    evil: 'yes',
    isRepeatable: true,
    secrets: ['id'],
    ifLost: { status: 200 },
    absent: 200,
    refusal: () => 'none',
  },
};

/** The clock that stands still, and the objects that are not what they seem. */
export const MACHINE_FAULTS: readonly MachineFault[] = [
  ...SUSPENDED.map(([name, phase, meaning, turn]): MachineFault => ({
    name: `the machine is suspended: ${name}`,
    phase,
    meaning,
    hasDeadline: true,
    turn: (call, _, suspended) => (request) => {
      suspended();
      return (turn ?? good(call))(request);
    },
  })),
  {
    name: 'every object seems to have more fields',
    phase: 'before the connection',
    meaning: 'fine',
    turn: good,
    pollution: FIELDS,
  },
];
