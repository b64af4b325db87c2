import type { Call, Reading } from '../support/calls/call.ts';

/** The meaning of a fault, independent of its cause. */
export type Meaning =
  /** The response is good, however oddly it came. */
  | 'fine'
  /** The same, but compressed, although a file was not to be. */
  | 'fine, compressed'
  /** The request provably never left. */
  | 'never sent'
  /** No response, and the request provably never left. */
  | 'never sent, silent'
  /** The certificate was refused: it never left, and would not the next time. */
  | 'untrusted'
  /** The host does not speak TLS, as far as one can tell: nothing would change that. */
  | 'no TLS'
  /** The connection was lost, and nobody knows when. */
  | 'lost'
  /** No response, for as long as one is waited for. */
  | 'silent'
  /** The service refused the request, by a 4xx. */
  | 'refused'
  /** The service refused it for now. */
  | 'over the limit'
  /** The same, for longer than anybody waits. */
  | 'over the limit for hours'
  /** The service does not have the endpoint. */
  | 'not implemented'
  /** The service failed on it, or gave up waiting for it. */
  | 'failed'
  /** The service, or somebody else, names another address. */
  | 'redirected'
  /** The status says that it was done; the rest broke off, cannot be decoded or never ends. */
  | 'done, then lost'
  | 'done, then lost, compressed'
  | 'done, then silent'
  /** The status says that it was done; the body is no JSON, or there is none, or it is the JSON of something else. */
  | 'done, no JSON'
  | 'done, no body'
  | 'done, a 204'
  | 'done, other JSON'
  /** The status says that it was done; of a compressed body only the first half came, as if it were the whole. */
  | 'done, cut, compressed'
  /** It was lost, and the machine then suspended until after the deadline. */
  | 'lost, then too late'
  /** It provably never left, and the machine was then suspended until after the deadline. */
  | 'never sent, then too late'
  /** The service failed on it, and the machine was then suspended until after the deadline. */
  | 'failed, then too late'
  /** The status says that it was done, and the body that it was refused: so far, only mails are answered like this. */
  | 'done, but refused'
  /** The same of a batch, without a word on each mail. */
  | 'done, but refused as a whole';

/** How a call that meets it has to fail. */
export interface Failure {
  /** Names of the error classes that are right. */
  readonly classes: readonly string[];
  /** `'by method'`: a read has no effect. */
  readonly effect: 'none' | 'unknown' | 'by method';
  /** Which calls are sent again; or a read follows, which shows what became of the call. */
  readonly again: 'all' | 'harmless' | 'none' | 'a read follows';
}

/** A call succeeds, or fails. */
type Verdict = 'result' | Failure;

const lost: Failure = { classes: ['ConnectionError'], effect: 'unknown', again: 'harmless' };
const silent: Failure = { classes: ['TimeoutError'], effect: 'unknown', again: 'harmless' };
const unreadable: Failure = { classes: ['ResponseFormatError'], effect: 'by method', again: 'none' };
const readNext: Failure = { ...unreadable, again: 'a read follows' };
/**
 * A mail has been sent if its response says so, and by nothing else. Whether a body that broke off is a lost connection
 * or no answer makes no difference to the caller.
 */
const mailUnclear: Failure = {
  classes: ['ResponseFormatError', 'ConnectionError', 'TimeoutError'],
  effect: 'unknown',
  again: 'none',
};

/** A call without a result succeeds with an empty response, or with JSON without an error. */
const unconfirmed: Failure = { classes: ['ResponseFormatError'], effect: 'unknown', again: 'none' };

/** Fails where the body is read. */
const broken = (failure: Failure): Readonly<Record<Reading, Verdict>> => ({
  json: failure,
  'json or 204': failure,
  'json or state': failure,
  any: failure,
  bytes: failure,
  mail: mailUnclear,
  status: unconfirmed,
});

/** The rules that the fault matrix and the fuzzer hold every call to: by meaning and, where it matters, by what is read. */
export const VERDICTS: Readonly<Record<Meaning, Verdict | Readonly<Record<Reading, Verdict>>>> = {
  fine: 'result',
  'fine, compressed': {
    json: 'result',
    'json or 204': 'result',
    'json or state': 'result',
    any: 'result',
    bytes: unreadable,
    mail: 'result',
    status: 'result',
  },
  'never sent': { classes: ['ConnectionError'], effect: 'none', again: 'all' },
  'never sent, silent': { classes: ['TimeoutError'], effect: 'none', again: 'all' },
  untrusted: { classes: ['ConnectionError'], effect: 'none', again: 'none' },
  'no TLS': { ...lost, again: 'none' },
  lost,
  silent,
  'not implemented': { classes: ['ServerError'], effect: 'none', again: 'none' },
  refused: {
    classes: [
      'ApiError',
      'BadRequestError',
      'AuthenticationError',
      'PermissionDeniedError',
      'NotFoundError',
      'UnprocessableError',
      'ValidationError',
      'LifecycleError',
    ],
    effect: 'none',
    again: 'none',
  },
  'over the limit': { classes: ['RateLimitError'], effect: 'none', again: 'all' },
  'over the limit for hours': { classes: ['RateLimitError'], effect: 'none', again: 'none' },
  failed: { classes: ['ServerError', 'ApiError'], effect: 'unknown', again: 'harmless' },
  redirected: { classes: ['ApiError'], effect: 'unknown', again: 'none' },
  'done, then lost': broken(lost),
  'done, then lost, compressed': { ...broken(lost), bytes: unreadable },
  'done, then silent': broken(silent),
  'done, no JSON': { ...broken(unreadable), 'json or state': readNext, bytes: 'result' },
  'done, no body': {
    ...broken(unreadable),
    'json or 204': 'result',
    'json or state': readNext,
    any: 'result',
    bytes: 'result',
    status: 'result',
  },
  'done, a 204': {
    ...broken(unreadable),
    'json or 204': 'result',
    'json or state': readNext,
    any: 'result',
    bytes: 'result',
    status: 'result',
  },
  'done, other JSON': {
    ...broken(unreadable),
    'json or state': readNext,
    any: 'result',
    bytes: 'result',
    status: 'result',
  },
  'done, cut, compressed': { ...broken(unreadable), 'json or state': readNext },
  // A call that is not repeated ends with the failure itself.
  'lost, then too late': { ...lost, classes: ['TimeoutError', 'ConnectionError'], again: 'none' },
  'never sent, then too late': {
    classes: ['TimeoutError', 'ConnectionError'],
    effect: 'none',
    again: 'none',
  },
  'failed, then too late': {
    classes: ['TimeoutError', 'ServerError', 'ApiError'],
    effect: 'unknown',
    again: 'none',
  },
  'done, but refused': { classes: ['ApiError'], effect: 'none', again: 'none' },
  'done, but refused as a whole': { classes: ['ApiError'], effect: 'unknown', again: 'none' },
};

/** The required outcome of a call after one fault of this meaning, before any repetition. */
export function verdictOn(meaning: Meaning, { reading }: Pick<Call, 'reading'>): Verdict {
  const verdict = VERDICTS[meaning];
  return verdict === 'result' || 'classes' in verdict ? verdict : verdict[reading];
}

/** Whether the call is sent again after that. */
export const isSentAgain = (verdict: Verdict, { repeated }: Pick<Call, 'repeated'>): boolean =>
  verdict !== 'result' &&
  (verdict.again === 'all' || (verdict.again === 'harmless' && repeated !== 'does it twice'));

/** The effect that the error has to state. */
export const effectOf = ({ effect }: Failure, { repeated }: Pick<Call, 'repeated'>): 'none' | 'unknown' =>
  effect === 'by method' ? (repeated === 'reads' ? 'none' : 'unknown') : effect;

/** Whether the service may have done what was asked for. */
export const mayHaveActed = (meaning: Meaning, call: Pick<Call, 'reading' | 'repeated'>): boolean => {
  const verdict = verdictOn(meaning, call);
  return verdict === 'result' || effectOf(verdict, call) === 'unknown';
};
