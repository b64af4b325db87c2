import type { Emulator } from 'email-platform/testing';
import { wire, type Answer, type Call } from './wire.ts';

export const logs = '/api/email_logs';
export const accountLogs = '/api/accounts/1001/email_logs';

export interface WireMessage {
  message_id: string;
  status: string;
  to: string;
  sent_at: string;
  opens_count: number;
  clicks_count: number;
  raw_message_url: string;
  events: { event_type: string; created_at: string; details: Record<string, string> }[];
}

export interface WireLogPage {
  messages: WireMessage[];
  total_count: number;
  next_page_cursor: string | null;
}

/** The query of a deep-object filter, percent-encoded. */
export function filter(name: string, operator: string, ...values: (string | number | string[])[]): string {
  const pairs = [[`filters[${name}][operator]`, operator]];
  for (const value of values) {
    if (Array.isArray(value)) for (const one of value) pairs.push([`filters[${name}][value][]`, one]);
    else pairs.push([`filters[${name}][value]`, String(value)]);
  }
  return pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

export async function page(
  emulator: Emulator,
  query = '',
  { path = logs, ...call }: Call & { path?: string } = {},
) {
  const answer = await wire(emulator)('GET', query === '' ? path : `${path}?${query}`, call);
  return answer.value as WireLogPage;
}

/** The recipients of the messages that a query finds, newest first. */
export async function found(
  emulator: Emulator,
  query: string,
  call: Call & { path?: string } = {},
): Promise<string[]> {
  return (await page(emulator, query, call)).messages.map(({ to }) => to);
}

export function get(emulator: Emulator, id: string, call: Call = {}): Promise<Answer> {
  return wire(emulator)('GET', `${logs}/${id}`, call);
}

export async function message(emulator: Emulator, id: string): Promise<WireMessage> {
  return (await get(emulator, id)).value as WireMessage;
}
