import { createEmulator, type Emulator } from 'email-platform/testing';
import { expect } from 'vitest';
import { start, wire, type Call } from '../../testing/tools/wire.ts';

/** What the emulator answers, as far as a quotation says it. */
export interface Answered {
  readonly status?: number;
  readonly value: unknown;
}

/** An emulator that a quotation is asked of. */
export interface Asked {
  readonly emulator: Emulator;
  /** Sends a request: `GET /api/domains`, or `POST send /api/send` to another host. */
  readonly call: (
    line: string,
    body?: unknown,
    more?: Call,
  ) => Promise<Answered & { readonly headers: Headers; readonly text: string; readonly id: number }>;
}

/** A request or a response that the specification or the public reference quotes. */
export interface Quote {
  readonly what: string;
  readonly ask: (asked: Asked) => Promise<Answered>;
  readonly status: number | undefined;
  readonly value: unknown;
  readonly options: Emulator.Options;
}

/** Declares a quotation. A line is a request without a body. */
export const quote = (
  what: string,
  ask: string | ((asked: Asked) => Promise<Answered>),
  status: number | undefined,
  value: unknown,
  options: Emulator.Options = {},
): Quote => ({
  what,
  ask: typeof ask === 'string' ? ({ call }) => call(ask) : ask,
  status,
  value,
  options,
});

export const asked = (options: Emulator.Options): Asked => {
  const emulator = createEmulator({ now: () => start, limits: false, ...options });
  const send = wire(emulator);
  return {
    emulator,
    call: async (line, body, more = {}) => {
      const [method = '', ...rest] = line.split(' ');
      const path = rest.pop() ?? '';
      const [host = 'api'] = rest as NonNullable<Call['host']>[];
      const { status, value, headers, text } = await send(method, path, { body, host, ...more });
      const { data = value } = Object(value) as { data?: unknown };
      const { id = 0 } = Object(data) as { id?: number };
      return { status, value: text === '' ? '' : value, headers, text, id };
    },
  };
};

export const ANY = expect.anything() as unknown;
export const NUMBER = expect.any(Number) as unknown;
export const TEXT = expect.any(String) as unknown;
export const LIST = expect.any(Array) as unknown;
/** An object with these fields, and others. */
export const having = (fields: object): unknown => expect.objectContaining(fields) as unknown;
/** A list with this one, and others. */
export const among = (...some: unknown[]): unknown => expect.arrayContaining(some) as unknown;
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern) as unknown;

export const NOT_FOUND = { error: 'Not Found' };
export const FORBIDDEN = { errors: 'Access forbidden' };
export const UUID = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';

export const mail = {
  from: { email: 'hello@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Hi',
  text: 'Hello',
};
