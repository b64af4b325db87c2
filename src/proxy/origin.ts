/**
 * Whether a request comes from a page of the same origin, as far as the browser says so: by `Sec-Fetch-Site`, or where
 * it sends none, by `Origin`. A request that says neither is refused, because nothing tells where it comes from.
 *
 * @param origin - the origin of the pages, if it is known. Then the request has to be for its host, too: a page of another
 * name that leads to this server would be of the same origin as its own requests.
 */
export function isSameOrigin({ headers, url }: Request, origin: string | undefined): boolean {
  const site = headers.get('sec-fetch-site');
  const from = headers.get('origin');
  if (site !== null && site !== 'same-origin') return false;
  // Not the scheme: a gateway may end TLS.
  if (origin !== undefined && new URL(url).host !== new URL(origin).host) return false;
  if (from === null) return site !== null;
  // Without the option, a server behind a gateway that ends TLS would take its own pages for another origin.
  return from === (origin ?? (site === null ? new URL(url).origin : from));
}
