/** The hosts of a client in a page. Each is a path on the page's own origin. */
export interface ProxyHosts {
  /** The path for requests to `hosts.api`. */
  readonly api: string;
  /** The path for requests to `hosts.send`. */
  readonly send: string;
  /** The path for requests to `hosts.bulk`. */
  readonly bulk: string;
  /** The path for requests to `hosts.sandbox`. */
  readonly sandbox: string;
}

/** `/email/` and `/email` are the same. */
export const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

/**
 * The hosts of a client whose requests go through the proxy at `basePath`. Such a client has no token. The proxy
 * applies the rate limits and the retries.
 *
 * @param basePath - path of the proxy, such as `/email`; the same as the option `basePath` of the proxy
 * @example
 * ```ts
 * const client = new EmailPlatform({ hosts: proxyHosts('/email') });
 * ```
 */
export function proxyHosts(basePath: string): ProxyHosts {
  const base = withoutSlash(basePath);
  return { api: `${base}/api`, send: `${base}/send`, bulk: `${base}/bulk`, sandbox: `${base}/sandbox` };
}
