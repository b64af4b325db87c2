import { createEmulator, type Emulator, type EmulatorOptions } from 'email-platform/testing';

/** A moment in a month that the next one is shorter than. */
export const start = Date.parse('2026-01-31T12:00:00.000Z');

/** An emulator whose clock stands still until it is advanced. */
export function still(options: EmulatorOptions = {}): Emulator {
  return createEmulator({ now: () => start, ...options });
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // The wire is what is under test: no type of ours describes it here.
  json: Json;
}

export type Json = ReturnType<typeof JSON.parse>;

export interface Call {
  token?: string | null;
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
  host?: 'api' | 'send' | 'bulk' | 'sandbox';
}

export type Wire = (method: string, path: string, call?: Call) => Promise<Answer>;

/** Plain requests to the emulator's account host, in memory or over the network. */
export function wire(emulator: Emulator, over: { fetch?: typeof fetch; origin?: string } = {}): Wire {
  const { token: own, hosts, fetch } = emulator.clientOptions();
  return async (method, path, { token = own, body, raw, headers, host = 'api' } = {}) => {
    const base = over.origin === undefined ? hosts[host] : over.origin + new URL(hosts[host]).pathname;
    const payload = raw ?? (body === undefined ? null : JSON.stringify(body));
    const response = await (over.fetch ?? fetch)(base + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: payload,
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };
}

export const campaigns = '/api/email_campaigns';

/** The least a campaign can be created with. */
export function minimal(emulator: Emulator): Record<string, unknown> {
  return {
    name: 'Spring',
    domain_id: verifiedDomain(emulator),
    from_local_part: 'news',
    template_attributes: { subject: 'Hello' },
  };
}

/** A campaign that passes the sending validation. */
export function sendable(emulator: Emulator): Record<string, unknown> {
  return {
    ...minimal(emulator),
    template_attributes: { subject: 'Hello', body_html: '<p>Hello</p>' },
    contact_list_ids: [7],
  };
}

export function verifiedDomain(emulator: Emulator): number {
  return domain(emulator, true);
}

export function unverifiedDomain(emulator: Emulator): number {
  return domain(emulator, false);
}

function domain(emulator: Emulator, verified: boolean): number {
  const found = emulator.domains.list().find((one) => one.verified === verified);
  if (found === undefined) throw new Error('The seed has no such domain');
  return found.id;
}
