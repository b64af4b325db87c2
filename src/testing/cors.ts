/** What a browser page is let to see of the emulator's server. */
export interface EmulatorCors {
  /**
   * Response headers named in `Access-Control-Expose-Headers`. None by default: whether the service exposes its
   * rate-limit headers to other origins is not published, and a client has to work without them.
   */
  expose: readonly string[];
}

/** The headers that let a page of any origin read an answer; none for a request that no page sent. */
export function corsHeaders(origin: string | undefined, cors: EmulatorCors): Record<string, string> {
  if (origin === undefined) return {};
  const headers: Record<string, string> = { 'access-control-allow-origin': origin, vary: 'Origin' };
  if (cors.expose.length > 0) headers['access-control-expose-headers'] = cors.expose.join(', ');
  return headers;
}

/** The headers that answer a preflight. */
export function preflightHeaders(origin: string, asked: string | undefined): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': asked ?? 'Authorization, Api-Token, Content-Type',
    'access-control-max-age': '600',
    vary: 'Origin, Access-Control-Request-Headers',
  };
}
