import type { RequestHeaders } from '../wire/engine-request.ts';
import type { EmulatorHost } from '../wire/hosts.ts';
import { refusal } from '../wire/reply.ts';

const MAX_BODY_MEBIBYTES = 60;

/** The largest body of a request, in bytes. */
export const MAX_BODY_BYTES = MAX_BODY_MEBIBYTES * 1024 ** 2;

/** The most levels of nesting in a body: deeper bodies would exceed the call stack of the functions that read them. */
const MAX_DEPTH = 1000;

/** The refusal of a body that is too large. */
export const bodyTooLarge = (host: EmulatorHost) =>
  refusal(host, 413, `The request body is larger than ${MAX_BODY_MEBIBYTES} MiB`);

/** Reads the body of a request as a JSON object. Refuses with 400 if it is not one. */
export function parseBody(
  host: EmulatorHost,
  headers: RequestHeaders,
  body: Uint8Array,
): Record<string, unknown> {
  const malformed = (message: string) => refusal(host, 400, message);
  // A body that is not declared as JSON is not parsed: its fields count as missing.
  if (body.length === 0 || !/json/i.test(headers.get('content-type') ?? '')) return {};
  // Before JSON.parse, which turns a few megabytes of brackets into gigabytes of arrays.
  if (isNestedTooDeep(body)) {
    throw malformed(`The request body is nested more than ${MAX_DEPTH} levels deep`);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw malformed('The request body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('The request body is not a JSON object');
  }
  return value as Record<string, unknown>;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts brackets outside strings. In UTF-8, no byte of a longer character equals a bracket. */
function isNestedTooDeep(json: Uint8Array): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
