const SECRET_HEADERS = ['authorization', 'api-token', 'proxy-authorization', 'cookie', 'set-cookie'];
const REDACTED = '[redacted]';

/**
 * JSON fields with secrets: tokens of the service, passwords of inboxes, secrets of webhooks. `page_token` is not a
 * secret and stays.
 */
const SECRET_FIELD =
  /("(?!(?:\w+_)?page_token")(?:\w*_)?(?:token|secret|password|api_key|signing_key)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;
const SIGNATURE = /\b((?:[\w-]*)signature=)[\w%.~-]+/gi;

/** Headers by name and value, without secrets. */
export const shownHeaders = (headers: Iterable<readonly [string, string]>): [string, string][] =>
  [...headers].map(([name, value]) => [name, SECRET_HEADERS.includes(name) ? REDACTED : value]);

/** A text without secrets: the signatures of links, and the secret fields of JSON. */
export const redacted = (text: string): string =>
  text.replace(SECRET_FIELD, `$1"${REDACTED}"`).replace(SIGNATURE, `$1${REDACTED}`);
