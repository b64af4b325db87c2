/**
 * True if the browser says that a request comes from a page of the same origin: in `Sec-Fetch-Site`, or without it in
 * `Origin`. False without both headers.
 *
 * @param origin - the origin of the pages, if it is known. The host of the request must then be its host: a page under another
 * name that leads to this server would have the same origin as its own requests.
 */
export function isSameOrigin({ headers, url }: Request, origin: string | undefined): boolean {
  const site = headers.get('sec-fetch-site');
  const from = headers.get('origin');
  if (site !== null && site !== 'same-origin') return false;
  // Compares hosts without the scheme, because a gateway may end TLS.
  if (origin !== undefined && new URL(url).host !== new URL(origin).host) return false;
  if (from === null) return site !== null;
  // Without the option, a server behind a gateway that ends TLS would refuse its own pages, so `Sec-Fetch-Site`
  // decides.
  return from === (origin ?? (site === null ? new URL(url).origin : from));
}
