import { createEmulator, type Emulator } from 'email-platform/testing';

/** A time in a month that is longer than the next one. */
export const start = Date.parse('2026-01-31T12:00:00.000Z');

/** An emulator whose clock stands still until it is advanced. */
export function still(options: Emulator.Options = {}): Emulator {
  return createEmulator({ now: () => start, ...options });
}

/** A campaign, or its figures, as far as tests read them. */
export interface WireCampaign {
  id: number;
  name: string;
  domain_name: string;
  current_state: string;
  current_state_metadata: { scheduled_at?: string };
  created_at: string;
  updated_at: string;
  last_started_at: string | null;
  /** May be `null`; each test knows what to expect. */
  recipient_total_count: number;
  sent_count: number;
  delivery_count: number;
  delivery_rate: number;
  bounce_count: number;
  open_count: number;
  open_rate: number;
  delivery_options: unknown;
  template: Record<string, unknown>;
}

/** The fields of all JSON bodies. */
export interface WireBody {
  data: WireCampaign;
  pagination: { token: number; next_token: number | null; first_url: string; next_url: string | null };
  error: unknown;
  errors: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: WireBody;
  /** The same body, of unknown type. */
  value: unknown;
  /** `data` of a list. */
  list: WireCampaign[];
}

export interface Call {
  token?: string | null;
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
  host?: 'api' | 'send' | 'bulk' | 'sandbox';
}

export type Wire = (method: string, path: string, call?: Call) => Promise<Answer>;

/** Sends plain requests to the emulator, in memory or over the network. */
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
    const isJson = method !== 'HEAD' && (response.headers.get('content-type') ?? '').includes('json');
    const json = (isJson ? JSON.parse(text) : {}) as WireBody;
    const list = Array.isArray(json.data) ? (json.data as WireCampaign[]) : [];
    return { status: response.status, headers: response.headers, text, json, value: json, list };
  };
}

export const campaigns = '/api/email_campaigns';

/** The required fields of a campaign. */
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
