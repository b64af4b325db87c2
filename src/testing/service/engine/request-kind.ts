/** The kinds of logged requests. */
import { arrayOf, mapOf, number, objectOf, oneOf, or, text, time, type Kinds } from '../../declare/kind.ts';
import type { EmulatorHost } from '../wire/hosts.ts';
import type { EmulatorRequest } from './request-log.ts';

const fields: Kinds<Omit<EmulatorRequest, 'callId'>> = {
  method: text,
  host: oneOf(['api', 'send', 'bulk', 'sandbox', 'storage', 'reader'] satisfies EmulatorHost[]),
  path: text,
  query: text,
  at: time,
  status: or(number('a status', Number.isInteger, 'integer'), null),
};

/** Requests, as the methods of an emulator return them. */
export const requests = arrayOf(
  'requests',
  objectOf<EmulatorRequest>({ ...fields, callId: text }, Object.keys(fields) as (keyof typeof fields)[]),
);

/** Requests in a response. */
export const shownRequests = arrayOf(
  'requests',
  objectOf<Record<string, unknown>>({
    ...fields,
    callId: text,
    durationMs: or(
      number('a number of milliseconds', (ms) => ms >= 0),
      null,
    ),
    headers: mapOf(text),
    body: or(text, null),
  }),
);
