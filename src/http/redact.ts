/** The fields that distinguish system and TLS errors; none of them contains what was sent. */
const SAFE_FIELDS = ['code', 'errno', 'syscall', 'hostname', 'address', 'port', 'reason', 'library'] as const;

/** Shorter secrets are not redacted, because ordinary words might match. The service's tokens are all longer. */
const MIN_SECRET_LENGTH = 8;

/** A text with the secret replaced. */
export const scrub = (text: string, secret: string | undefined): string =>
  secret === undefined || secret.length < MIN_SECRET_LENGTH ? text : text.replaceAll(secret, '[redacted]');

/** Headers with the secret replaced, which a gateway may have echoed. */
export function scrubHeaders(headers: Headers, secret: string | undefined): Headers {
  const entries = [...headers];
  if (entries.every(([, value]) => scrub(value, secret) === value)) return headers;
  return new Headers(entries.map(([name, value]): [string, string] => [name, scrub(value, secret)]));
}

/**
 * A copy of an error with its name, message, stack, system fields and causes, and nothing else: what the caller's
 * `fetch` attaches to its errors (a request with its headers, a configuration) must not end up in logs.
 */
export function redactedCopy(cause: unknown, secret: string | undefined): Error {
  try {
    return copyOf(cause, secret, 0);
  } catch {
    // It cannot be converted to a string, or has a getter that throws.
    return new Error('A failure that cannot be described.');
  }
}

function copyOf(cause: unknown, secret: string | undefined, depth: number): Error {
  if (!(cause instanceof Error)) return new Error(scrub(String(cause), secret));
  const copy = new Error(scrub(cause.message, secret));
  const fields: Record<string, unknown> = { name: cause.name };
  for (const field of SAFE_FIELDS) {
    const value = (cause as Error & Record<string, unknown>)[field];
    if (typeof value === 'string') fields[field] = scrub(value, secret);
    else if (typeof value === 'number') fields[field] = value;
  }
  if (cause.stack !== undefined) fields.stack = scrub(cause.stack, secret);
  if (depth < 4) {
    if (cause.cause !== undefined) fields.cause = copyOf(cause.cause, secret, depth + 1);
    if (cause instanceof AggregateError) {
      fields.errors = cause.errors.map((error) => copyOf(error, secret, depth + 1));
    }
  }
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(copy, name, {
      value,
      writable: true,
      configurable: true,
      enumerable: name === 'code',
    });
  }
  return copy;
}
