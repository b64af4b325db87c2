/** What a browser page may read from the emulator's server. */
export interface EmulatorCors {
  /**
   * The response headers listed in `Access-Control-Expose-Headers`. Whether the service exposes its rate-limit headers
   * to other origins is not published, so a client has to work without them.
   * @defaultValue []
   */
  expose: readonly string[];
}

/** Whether a text can be the name of a header. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/** The headers that let a page of any origin read a response. There are none for a request that no page sent. */
export function corsHeaders(origin: string | undefined, cors: EmulatorCors): Record<string, string> {
  if (origin === undefined) return {};
  const headers: Record<string, string> = { 'access-control-allow-origin': origin, vary: 'Origin' };
  if (cors.expose.length > 0) headers['access-control-expose-headers'] = cors.expose.join(', ');
  return headers;
}

/** The headers of the response to a preflight request. */
export function preflightHeaders(origin: string, asked: string | undefined): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': asked ?? 'Authorization, Api-Token, Content-Type',
    'access-control-max-age': '600',
    vary: 'Origin, Access-Control-Request-Headers',
  };
}
