import type { EmulatorHost } from './hosts.ts';
import { Random } from './random.ts';
import type { Reply } from './route.ts';

/**
 * A kind of failure.
 *
 * - `reset-before`: the connection is reset before the service acts.
 * - `reset-after`: the service acts, then the connection is reset without a response.
 * - `stall`: there is never a response.
 * - `stall-body`: the service acts; the headers and half of the body arrive, then nothing more.
 * - `truncate`: the service acts; the headers and half of the body arrive, then the connection closes.
 * - `slow`: the service acts and responds as usual, but only after `delayMs`.
 * - `status`: a response of your own (`status`, `headers`, `body`) replaces that of the service.
 * - `html`: the HTML page of a gateway replaces the response of the service. Its status is 502 unless you set `status`.
 */
export type EmulatorFaultKind =
  'reset-before' | 'reset-after' | 'stall' | 'stall-body' | 'truncate' | 'slow' | 'status' | 'html';

/** Which requests a fault applies to. A field that is left out matches every request. */
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
  /** Which requests it applies to. By default, every request. */
  match?: EmulatorFaultMatch;
  /**
   * How many requests it applies to. `Infinity` lasts until the faults are cleared.
   * @defaultValue 1
   */
  times?: number;
  /**
   * Whether it applies until the faults are cleared, as with `times: Infinity`, which JSON cannot say.
   * @defaultValue false
   */
  always?: boolean;
  /**
   * How likely it is that a matching request fails: more than 0, at most 1. A request that does not fail is none of
   * `times`.
   * @defaultValue 1
   */
  probability?: number;
  /**
   * For `probability`: determines which of the requests fail. The same seed makes the same ones fail.
   * @defaultValue 1
   */
  seed?: number;
  /** The status of the response, from 200 to 599. Required for `status`; 502 by default for `html`. */
  status?: number;
  /** The headers of the response, for `status` and `html`. */
  headers?: Record<string, string>;
  /** The body of the response, for `status` and `html`. A string is sent as it is, anything else as JSON. */
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
   * @throws `TypeError` for an unknown field, or one that does not apply to the kind; `RangeError` for a
   * wrong value.
   */
  next(fault: EmulatorFault): void;
  /** Returns the faults that have not been used up, in their order. `times` is what is left. */
  list(): EmulatorPendingFault[];
  /**
   * Lets requests pass a fault by. It keeps its place and what is left of it.
   *
   * @param id - its number in the list
   * @throws `RangeError` if no fault that is left has this number.
   */
  pause(id: number): void;
  /**
   * Makes a paused fault apply again.
   *
   * @param id - its number in the list
   * @throws `RangeError` if no fault that is left has this number.
   */
  resume(id: number): void;
  /**
   * Removes one fault.
   *
   * @param id - its number in the list
   * @throws `RangeError` if no fault that is left has this number.
   */
  remove(id: number): void;
  /** Removes every fault that has not been used. */
  clear(): void;
}

/** Whether the service acts before a fault of this kind takes effect. Where it is `optional`, `acts` decides. */
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

/** The queue behind {@link EmulatorFaults}. */
export class FaultQueue implements EmulatorFaults {
  #pending: Pending[] = [];
  #last = 0;

  next(fault: EmulatorFault): void {
    this.#last += 1;
    this.#pending.push({
      id: this.#last,
      fault: { ...fault, ...(fault.match && { match: { ...fault.match } }) },
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

  /** The fault that applies to this request, if any. One of its uses is spent. */
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

/** Whether it is the refusal of a limit, which the service has a body and headers for. */
export const isRefusal = ({ kind, status }: EmulatorFault): boolean => kind === 'status' && status === 429;

/** The response with which `status` and `html` replace that of the service; `usual` is what it has otherwise. */
export function standIn(fault: EmulatorFault, usual?: Pick<Reply, 'json' | 'headers'>): Response {
  const html = fault.kind === 'html';
  const status = fault.status ?? 502;
  const body = fault.body ?? (html ? gatewayPage(status) : usual?.json);
  const headers = new Headers(html ? { 'content-type': 'text/html; charset=UTF-8' } : {});
  if (body !== undefined && typeof body !== 'string')
    headers.set('content-type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(fault.headers ?? usual?.headers ?? {})) headers.set(name, value);
  const bodyless = body === undefined || [204, 205, 304].includes(status);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(bodyless ? null : text, { status, headers });
}

function gatewayPage(status: number): string {
  return `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>\n`;
}

/** Whether a request is one of those that are meant. */
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
  // With the flags g and y a regular expression remembers where it stopped; every request must start afresh.
  return new RegExp(match.path.source, match.path.flags.replace(/[gy]/g, '')).test(path);
}

function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
