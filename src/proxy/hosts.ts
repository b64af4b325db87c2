/** The hosts of a client in a page, each a path on the page's own origin. */
export interface ProxyHosts {
  /** Where requests to `hosts.api` go. */
  readonly api: string;
  /** Where requests to `hosts.send` go. */
  readonly send: string;
  /** Where requests to `hosts.bulk` go. */
  readonly bulk: string;
  /** Where requests to `hosts.sandbox` go. */
  readonly sandbox: string;
}

/** `/email/` and `/email` are the same. */
export const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

/**
 * The hosts of a client whose requests go through the proxy at `basePath`. Such a client has no token, and leaves the
 * rate limits and the retries to the proxy.
 *
 * @param basePath - where the proxy is, such as `/email`; the same as the proxy's own `basePath`
 * @example
 * ```ts
 * const client = new EmailPlatform({ hosts: proxyHosts('/email') });
 * ```
 */
export function proxyHosts(basePath: string): ProxyHosts {
  const base = withoutSlash(basePath);
  return { api: `${base}/api`, send: `${base}/send`, bulk: `${base}/bulk`, sandbox: `${base}/sandbox` };
}
