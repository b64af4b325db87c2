import type { EmulatorHost } from './hosts.ts';

/**
 * What goes wrong.
 *
 * - `reset-before`: the connection dies before the service acts.
 * - `reset-after`: the service acts, then the connection dies without an answer.
 * - `stall`: nothing is ever answered.
 * - `stall-body`: the service acts, the headers and half of the body arrive, then nothing more.
 * - `truncate`: the service acts, the headers and half of the body arrive, then the connection dies.
 * - `slow`: the service acts and answers properly, but only after `delayMs`.
 * - `status`: an answer of your own (`status`, `headers`, `body`) in place of the service's.
 * - `html`: a gateway's HTML page in place of the service's answer; status 502 unless `status` says otherwise.
 */
export type EmulatorFaultKind =
  'reset-before' | 'reset-after' | 'stall' | 'stall-body' | 'truncate' | 'slow' | 'status' | 'html';

/** Which requests a fault meets. What is left out matches everything. */
export interface EmulatorFaultMatch {
  /** The HTTP method, in any case. */
  method?: string;
  /** One of the four hosts, or `storage`. */
  host?: EmulatorHost;
  /**
   * The path as the service publishes it (`/api/email_campaigns/7`, without host or query): exact, with `*` for any
   * run of characters, or a regular expression.
   */
  path?: string | RegExp;
}

/** A failure to come. */
export interface EmulatorFault {
  /** What goes wrong. */
  kind: EmulatorFaultKind;
  /** Which requests it meets; every one when left out. */
  match?: EmulatorFaultMatch;
  /** How many requests it meets before it is over. Default 1; `Infinity` until cleared. */
  times?: number;
  /** Status of the answer for `status` (default 500) and `html` (default 502). */
  status?: number;
  /** Headers of the answer for `status` and `html`. */
  headers?: Record<string, string>;
  /** Body of the answer for `status` and `html`: text as it is, anything else as JSON. */
  body?: unknown;
  /** For `slow`: how long the answer takes, in milliseconds of real time or of `clock.advance`. Default 1000. */
  delayMs?: number;
  /** For `stall`, `status` and `html`: whether the service acts on the request all the same. Default `false`. */
  acts?: boolean;
}

/** The failures to come. */
export interface EmulatorFaults {
  /** Has the next matching requests fail. Faults are used in the order they were added. */
  next(fault: EmulatorFault): void;
  /** Forgets every fault not used yet. */
  clear(): void;
}

interface Pending {
  readonly fault: EmulatorFault;
  left: number;
}

/** The queue behind {@link EmulatorFaults}. */
export class FaultQueue implements EmulatorFaults {
  #pending: Pending[] = [];

  next(fault: EmulatorFault): void {
    const { times = 1 } = fault;
    if (!(times > 0)) throw new RangeError('`times` must be 1 or more');
    this.#pending.push({ fault: { ...fault }, left: times });
  }

  clear(): void {
    this.#pending = [];
  }

  /** The fault this request meets, if any, used up by one. */
  take(method: string, host: EmulatorHost, path: string): EmulatorFault | undefined {
    const hit = this.#pending.find(({ fault }) => meets(fault.match ?? {}, method, host, path));
    if (hit === undefined) return undefined;
    hit.left -= 1;
    if (hit.left <= 0) this.#pending = this.#pending.filter((other) => other !== hit);
    return hit.fault;
  }
}

/** Whether the service does what was asked before the fault shows. */
export function actsFirst(fault: EmulatorFault): boolean {
  switch (fault.kind) {
    case 'reset-before':
      return false;
    case 'stall':
    case 'status':
    case 'html':
      return fault.acts ?? false;
    case 'reset-after':
    case 'stall-body':
    case 'truncate':
    case 'slow':
      return true;
  }
}

/** The answer that `status` and `html` put in place of the service's own. */
export function standIn(fault: EmulatorFault): Response {
  const html = fault.kind === 'html';
  const status = fault.status ?? (html ? 502 : 500);
  const body = fault.body ?? (html ? gatewayPage(status) : undefined);
  const headers = new Headers(html ? { 'content-type': 'text/html; charset=UTF-8' } : {});
  if (body !== undefined && typeof body !== 'string')
    headers.set('content-type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers.set(name, value);
  const bodyless = body === undefined || [204, 205, 304].includes(status);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(bodyless ? null : text, { status, headers });
}

function gatewayPage(status: number): string {
  return `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>\n`;
}

function meets(match: EmulatorFaultMatch, method: string, host: EmulatorHost, path: string): boolean {
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
  if (match.host !== undefined && match.host !== host) return false;
  if (match.path === undefined) return true;
  if (typeof match.path === 'string') return wildcard(match.path).test(path);
  // A regular expression with the g or y flag remembers where it stopped; here every request starts afresh.
  return new RegExp(match.path.source, match.path.flags.replace(/[gy]/g, '')).test(path);
}

function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
