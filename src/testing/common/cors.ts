/** The browser pages that may call the emulator's server, and the response headers that they may read. */
export interface EmulatorCors {
  /**
   * The origins of the pages, exactly as a browser sends them: `http://localhost:5173`. Pages of any other origin cannot
   * read a response or send a token.
   */
  origins: readonly string[];
  /**
   * The response headers listed in `Access-Control-Expose-Headers`. Whether the service exposes its rate-limit headers
   * to other origins is not published, so a client has to work without them.
   * @defaultValue []
   */
  expose?: readonly string[];
}

/** Whether a text can be the name of a header. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/** Whether a text is an origin as a browser sends it. `*` and `null` are not: any page can have the origin `null`. */
export function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+$/.test(text)) return false;
  // Pages of applications have their own schemes, such as capacitor:, for which a URL has no origin.
  return !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text);
}

/** The headers that let a page of one of the origins read a response. */
export function corsHeaders(origin: string | undefined, cors: EmulatorCors): Record<string, string> {
  const { origins, expose = [] } = cors;
  if (origins.length === 0) return {};
  // `vary` also without the other headers: a cache must not give this response to a page of an allowed origin.
  if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' };
  return {
    'access-control-allow-origin': origin,
    ...(expose.length === 0 ? {} : { 'access-control-expose-headers': expose.join(', ') }),
    vary: 'Origin',
  };
}

/** The headers of the response to a preflight request from one of the origins. */
export function preflightHeaders(origin: string, asked: string | undefined): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': asked ?? 'Authorization, Api-Token, Content-Type',
    'access-control-max-age': '600',
    vary: 'Origin, Access-Control-Request-Headers',
  };
}
