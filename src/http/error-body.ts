import { isRecord } from '../core/record.ts';
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

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** A field's messages: the service sends a list, or a single one. */
function messageList(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter(isText);
}

function fieldMap(errors: Record<string, unknown>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(errors).map(([field, value]) => [field, messageList(value)]));
}

const namedMessages = (fields: Record<string, string[]>): string[] =>
  Object.entries(fields).flatMap(([field, messages]) =>
    messages.map((message) => (field === 'base' ? message : `${field} ${message}`)),
  );

/** One entry of a list of errors: a sentence, or an object whose own `errors` is a map (contact imports). */
function entryMessages(entry: unknown): string[] {
  if (isText(entry)) return [entry];
  if (!isRecord(entry)) return [];
  if (isRecord(entry.errors)) return namedMessages(fieldMap(entry.errors));
  return [entry.message, entry.error].filter(isText);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Whether the text is an HTML page, of a proxy or a web framework, rather than a message. */
const isPage = (text: string) => /^\s*</.test(text);

/**
 * Reads every shape of error body that the service is known to send, including empty ones and HTML. Redacted once it is
 * parsed: until then, an escape may hide a token.
 */
export function readErrorBody(text: string, redaction: Redaction): ErrorBody {
  const body = redaction.value(parse(text));
  if (typeof body === 'string')
    return { body, messages: isPage(body) || body === '' ? [] : [body.trim().slice(0, 500)] };
  if (!isRecord(body)) return { body, messages: [] };
  const { errors } = body;
  if (isRecord(errors)) {
    const fieldErrors = fieldMap(errors);
    return { body, messages: namedMessages(fieldErrors), fieldErrors };
  }
  const messages = [
    ...(isText(body.error) ? [body.error] : []),
    ...(Array.isArray(errors) ? errors.flatMap(entryMessages) : messageList(errors)),
  ];
  return { body, messages: messages.length > 0 ? messages : messageList(body.message) };
}
