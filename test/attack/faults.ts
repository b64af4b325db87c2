import type { Cover } from '../support/covering.ts';
import type { Call } from '../support/calls/call.ts';
import type { Meaning } from './verdicts.ts';

/** How far a request has come when something goes wrong. */
export const PHASES = [
  'before the connection',
  'while the request is written',
  'before the headers',
  'in the headers',
  'in the body',
] as const;

/** Something that goes wrong between client and service, and what it comes to. */
export interface Fault {
  readonly name: string;
  readonly phase: (typeof PHASES)[number];
  readonly meaning: Meaning;
  /** Set if the fault can only happen to some calls. */
  readonly only?: (call: Call) => boolean;
}

/** Until the headers, every fault says the same of a call: no response. */
const SILENT: readonly Fault['phase'][] = [
  'before the connection',
  'while the request is written',
  'before the headers',
];

/** The kind of a call, as long as no response has to be decoded. */
const kindUndecoded = ({ repeated, isSigned }: Call) => `${repeated}, ${String(isSigned)}`;

/** The kind of a call: the verdict on its outcome depends on it. */
export const kindOfCall = (call: Call): string => `${call.reading}, ${kindUndecoded(call)}`;

/**
 * The verdict on a call depends on its kind, so every fault meets each kind. Every call meets a fault without a response,
 * one in the headers and one in the body.
 */
export const COVER: Cover<Call, Fault> = {
  kind: (call, { phase }) => (SILENT.includes(phase) ? kindUndecoded(call) : kindOfCall(call)),
  group: ({ phase }) => (SILENT.includes(phase) ? 'no response' : phase),
  isPossible: (call, { only }) => only?.(call) !== false,
};

/** Over sockets every fault meets each way to be repeated, and every call one fault: what they decode has no part in it. */
export const SOCKET_COVER: Cover<Call, Fault> = {
  ...COVER,
  kind: kindUndecoded,
  group: () => 'any',
};

/** Secrets that must not appear in an error, event or log. */
export const SECRETS = { token: 'tok3n-s3cr3t', header: 'h3ader-s3cr3t', body: 'b0dy-s3cr3t' } as const;

/** The message of a careless gateway that refuses a request. */
export const ECHO = `Bad header: Authorization: Bearer ${SECRETS.token}`;
