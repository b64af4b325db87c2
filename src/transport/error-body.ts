import { isRecord } from '../core/record.ts';

/** An error body, understood as far as it can be. */
export interface ErrorBody {
  /** The parsed JSON, or the text when it is none. */
  readonly body: unknown;
  /** Everything readable the service says, in its order. */
  readonly messages: readonly string[];
  /** Messages by field, when the body is a map of them. */
  readonly fieldErrors?: Record<string, string[]>;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** A field's messages: a list of them, or a single one. */
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

/** A page for people, not a sentence for programs: a proxy's, or the framework's own. */
const isPage = (text: string) => /^\s*</.test(text);

/** Reads every shape of error body the service is known to send, an empty and an HTML one included. */
export function readErrorBody(text: string): ErrorBody {
  const body = parse(text);
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
