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
  const fields = fieldsOf(value);
  if (fields) {
    return Object.entries(fields).flatMap(([field, messages]) =>
      messages.map((text) => (field === 'base' ? text : `${field} ${text}`)),
    );
  }
  const messages = messagesOf([value.error, value.errors]);
  return messages.length > 0 ? messages : messagesOf(value.message);
}

/** Whether an object maps fields to lists of messages. An `error` may also be an object that holds one message. */
const hasLists = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every(Array.isArray);

/** The messages by field, if a body has them: under `errors`, or as lists under `error`. */
function fieldsOf({ error, errors }: Record<string, unknown>): Record<string, string[]> | undefined {
  const maps = [hasLists(error) && error, isRecord(errors) && errors].filter((map) => map !== false);
  if (maps.length === 0) return undefined;
  // Not an object, in which a field may not be called `__proto__`.
  const fields = new Map<string, string[]>();
  for (const [field, value] of maps.flatMap((map) => Object.entries(map)))
    fields.set(field, [...(fields.get(field) ?? []), ...messagesOf(value)]);
  return Object.fromEntries(fields);
}

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
  const fieldErrors = fieldsOf(body);
  return { body, messages: messagesOf(body), ...(fieldErrors && { fieldErrors }) };
}
