import { isRecord } from '../core/record.ts';
import { tried } from '../core/rules.ts';
import type { Redaction } from './redact.ts';

/** What could be read from the body of an error response. */
export interface ErrorBody {
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: unknown;
  /** All messages in the body, in their order. */
  readonly messages: readonly string[];
  /** Messages by field, if the body has such a map. */
  readonly fieldErrors?: Record<string, string[]>;
}

/** The messages in a text, in a list of whatever has messages, or in an object under one of the names in use. */
function messagesOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(messagesOf);
  if (!isRecord(value)) return [];
  const { error, errors, message } = value;
  if (isRecord(errors)) {
    return Object.entries(byField(errors)).flatMap(([field, messages]) =>
      messages.map((text) => (field === 'base' ? text : `${field} ${text}`)),
    );
  }
  const messages = messagesOf([error, errors]);
  return messages.length > 0 ? messages : messagesOf(message);
}

const byField = (errors: Record<string, unknown>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(errors).map(([field, value]) => [field, messagesOf(value)]));

/**
 * Reads every shape of error body that the service is known to send, including empty ones and HTML. Redacted once it is
 * parsed: until then, an escape may hide a token.
 */
export function readErrorBody(text: string, redaction: Redaction): ErrorBody {
  const body = redaction.value(tried<unknown>(() => JSON.parse(text), text));
  // A page is that of a proxy or a web framework, rather than a message.
  if (typeof body === 'string')
    return { body, messages: /^\s*</.test(body) ? [] : messagesOf(body.trim().slice(0, 500)) };
  if (!isRecord(body)) return { body, messages: [] };
  return {
    body,
    messages: messagesOf(body),
    ...(isRecord(body.errors) && { fieldErrors: byField(body.errors) }),
  };
}
