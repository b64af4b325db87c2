import { ofWebResponse, type EngineResponse } from '../wire/engine-response.ts';
import type { EmulatorHost } from '../wire/hosts.ts';
import { Random } from '../state/base/random.ts';
import type { Reply } from '../wire/reply.ts';

/**
 * A kind of failure.
 *
 * - `reset-before`: the connection is reset before the service acts.
 * - `reset-after`: the service acts, then the connection is reset without a response.
 * - `stall`: no response ever arrives.
 * - `stall-body`: the service acts; the headers and half of the body arrive, then nothing more.
 * - `truncate`: the service acts; the headers and half of the body arrive, then the connection closes.
 * - `slow`: the service acts and responds as usual, but only after `delayMs`.
 * - `status`: your own response (`status`, `headers`, `body`) replaces the service's response.
 * - `html`: the HTML page of a gateway replaces the response of the service. Its status is 502 unless you set `status`.
 */
export type EmulatorFaultKind =
  | 'reset-before'
  | 'reset-after'
  | 'stall'
  | 'stall-body'
  | 'truncate'
  | 'slow'
  | 'status'
  | 'html';

/** The requests that a fault applies to. A field that is left out matches every request. */
export interface EmulatorFaultMatch {
  /** The HTTP method, in upper or lower case. */
  method?: string;
  /** One of the four hosts, or `storage`. */
  host?: EmulatorHost;
  /**
   * The path as the service publishes it (`/api/email_campaigns/7`, without host or query): an exact path, a path in
   * which `*` stands for any characters, or a regular expression.
   */
  path?: string | RegExp;
}

/** A failure of the next requests. */
export interface EmulatorFault {
  /** The kind of failure. */
  kind: EmulatorFaultKind;
  /** The requests that the fault applies to. By default, every request. */
  match?: EmulatorFaultMatch;
  /**
   * How many requests it applies to. `Infinity` lasts until the faults are cleared.
   * @defaultValue 1
   */
  times?: number;
  /**
   * Whether the fault lasts until the faults are cleared. The same as `times: Infinity`, which JSON cannot express.
   * @defaultValue false
   */
  always?: boolean;
  /**
   * The probability that a matching request fails: more than 0, at most 1. Only failed requests count for `times`.
   * @defaultValue 1
   */
  probability?: number;
  /**
   * For `probability`: the seed of the random numbers. With the same seed, the same requests fail.
   * @defaultValue 1
   */
  seed?: number;
  /** The status of the response, from 200 to 599. Required for `status`; 502 by default for `html`. */
  status?: number;
  /** The headers of the response, for `status` and `html`. */
  headers?: Record<string, string>;
  /** The body of the response, for `status` and `html`: a string as it is, any other value as JSON. */
  body?: unknown;
  /**
   * For `slow`: how long the response takes, in milliseconds of real time or of `clock.advance`.
   * @defaultValue 1000
   */
  delayMs?: number;
  /**
   * For `stall`, `status` and `html`: whether the service still acts on the request.
   * @defaultValue false
   */
  acts?: boolean;
}

/** A fault that waits for its requests. */
export interface EmulatorPendingFault extends EmulatorFault {
  /** Its number. Two faults of an emulator never have the same one. */
  id: number;
  /** Whether requests pass it by until it is resumed. */
  paused: boolean;
}

/** The failures of the next requests. */
export interface EmulatorFaults {
  /**
   * Makes the next matching requests fail. Faults are used in the order in which they were added.
   *
   * @example
   * ```ts
   * emulator.faults.next({ kind: 'reset-after', match: { method: 'POST', path: '/api/send' } });
   * ```
   *
   * @throws `TypeError` for an unknown field, or a field that does not apply to the kind; `RangeError` for a wrong value.
   */
  next(fault: EmulatorFault): void;
  /** Returns the faults that have not been used up, in their order. `times` is the number of uses left. */
  list(): EmulatorPendingFault[];
  /**
   * Pauses a fault: requests pass it. It keeps its place and the number of uses left.
   *
   * @param id - its number in the list
   * @throws `RangeError` if no fault in the list has this number.
   */
  pause(id: number): void;
  /**
   * Makes a paused fault apply again.
   *
   * @param id - its number in the list
   * @throws `RangeError` if no fault in the list has this number.
   */
  resume(id: number): void;
  /**
   * Removes one fault.
   *
   * @param id - its number in the list
   * @throws `RangeError` if no fault in the list has this number.
   */
  remove(id: number): void;
  /** Removes every fault that has not been used. */
  clear(): void;
}

/** Whether the service acts before a fault of this kind takes effect. For `optional`, the field `acts` decides. */
export const ACTS: Readonly<Record<EmulatorFaultKind, boolean | 'optional'>> = {
  'reset-before': false,
  'reset-after': true,
  stall: 'optional',
  'stall-body': true,
  truncate: true,
  slow: true,
  status: 'optional',
  html: 'optional',
};

interface Pending {
  readonly id: number;
  readonly fault: EmulatorFault;
  readonly random: Random;
  left: number;
  isPaused: boolean;
}

/** The queue behind {@link Emulator.Faults}. */
export class FaultQueue implements EmulatorFaults {
  #pending: Pending[] = [];
  #last = 0;

  next(fault: EmulatorFault): void {
    this.#last += 1;
    this.#pending.push({
      id: this.#last,
      fault,
      random: new Random(fault.seed ?? 1),
      left: fault.always === true ? Infinity : (fault.times ?? 1),
      isPaused: false,
    });
  }

  list(): EmulatorPendingFault[] {
    return this.#pending.map(({ id, fault, left, isPaused }) => ({
      id,
      paused: isPaused,
      ...fault,
      ...(fault.always !== true && { times: left }),
    }));
  }

  pause(id: number): void {
    this.#find(id).isPaused = true;
  }

  resume(id: number): void {
    this.#find(id).isPaused = false;
  }

  remove(id: number): void {
    const found = this.#find(id);
    this.#pending = this.#pending.filter((other) => other !== found);
  }

  clear(): void {
    this.#pending = [];
  }

  /** Takes one use of the fault that applies to this request; `undefined` if none applies. */
  take(method: string, host: EmulatorHost, path: string): EmulatorFault | undefined {
    const hit = this.#pending.find(
      ({ fault: { match, probability = 1 }, random, isPaused }) =>
        !isPaused &&
        matches(match ?? {}, method, host, path) &&
        (probability === 1 || random.next() < probability),
    );
    if (hit === undefined) return undefined;
    hit.left -= 1;
    if (hit.left <= 0) this.#pending = this.#pending.filter((other) => other !== hit);
    return hit.fault;
  }

  #find(id: number): Pending {
    const found = this.#pending.find((one) => one.id === id);
    if (found === undefined) throw new RangeError(`There is no fault ${id}: it was used up or removed`);
    return found;
  }
}

/** Whether the service handles the request before the fault takes effect. */
export function actsFirst({ kind, acts = false }: EmulatorFault): boolean {
  const always = ACTS[kind];
  return always === 'optional' ? acts : always;
}

/** Whether the fault is a 429, which gets the service's body and headers by default. */
export const isRefusal = ({ kind, status }: EmulatorFault): boolean => kind === 'status' && status === 429;

/** The response of a `status` or `html` fault. `usual` has the default body and headers. */
export function standIn(fault: EmulatorFault, usual?: Pick<Reply, 'json' | 'headers'>): EngineResponse {
  const html = fault.kind === 'html';
  const status = fault.status ?? 502;
  const body = fault.body ?? (html ? gatewayPage(status) : usual?.json);
  const bodyless = body === undefined || [204, 205, 304].includes(status);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = new Response(bodyless ? null : text, { status });
  if (html) response.headers.set('content-type', 'text/html; charset=UTF-8');
  if (body !== undefined && typeof body !== 'string')
    response.headers.set('content-type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(fault.headers ?? usual?.headers ?? {}))
    response.headers.set(name, value);
  return { ...ofWebResponse(response), body: bodyless ? null : text };
}

function gatewayPage(status: number): string {
  return `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>\n`;
}

/** Whether a request fits a filter. */
export function matches(
  match: EmulatorFaultMatch,
  method: string,
  host: EmulatorHost,
  path: string,
): boolean {
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
  if (match.host !== undefined && match.host !== host) return false;
  if (match.path === undefined) return true;
  if (typeof match.path === 'string') return wildcard(match.path).test(path);
  // Without the flags g and y, with which a regular expression continues at its last match.
  return new RegExp(match.path.source, match.path.flags.replace(/[gy]/g, '')).test(path);
}

function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
