import type { EmailPlatform } from 'email-platform';
import { surface, type SurfaceRow } from '../spec/surface.ts';

/** A path of an endpoint: the one without an account, or the only one; or the one under an account. */
export type Family = 'token' | 'account';

/** A request and its response. */
export interface RecordedExchange {
  readonly verb: string;
  /** One of the service's hosts; undefined for a signed URL. */
  readonly host: string | undefined;
  readonly path: string;
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** A `fetch` that records requests and responses. */
export function recordingFetch(
  fetch: typeof globalThis.fetch,
  bases: Readonly<Record<Exclude<keyof EmailPlatform.Hosts, 'domain'>, string>>,
) {
  const exchanges: RecordedExchange[] = [];
  const recording: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method: verb, url } = request;
    const response = await fetch(request);
    const [host, base = ''] =
      Object.entries(bases).find(([, each]) => url.startsWith(`${each}/`)) ?? ([] as string[]);
    const { pathname } = new URL(url);
    exchanges.push({
      verb,
      host,
      path: host === undefined ? pathname : pathname.slice(new URL(base).pathname.length),
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      body: await response.clone().text(),
    });
    return response;
  };
  return { fetch: recording, exchanges };
}

/** The paths of an endpoint, with their row and family. */
function pathsOf(row: SurfaceRow): { row: SurfaceRow; family: Family; path: string }[] {
  const { path, accountPath } = row;
  const first = { row, family: 'token' as const, path };
  return accountPath === undefined ? [first] : [first, { row, family: 'account', path: accountPath }];
}

/**
 * Every path in the table, sorted by the number of arguments, so that `/contacts/lists` does not match as a contact.
 */
const PATHS = surface
  .flatMap(pathsOf)
  .map((each) => {
    const pattern = each.path
      .replace('{account_id}', '\\d+')
      .replaceAll('.', '\\.')
      .replace(/\{\w+\}/g, '[^/]+');
    return { ...each, count: each.path.split('{').length, pattern: new RegExp(`^${pattern}$`) };
  })
  .sort((one, other) => one.count - other.count);

/** The endpoint of an exchange, and the matching path; undefined if there is none. */
export function endpointOf({
  verb,
  host,
  path,
}: RecordedExchange): { readonly row: SurfaceRow; readonly family: Family } | undefined {
  return PATHS.find(({ row, pattern }) => row.verb === verb && row.host === host && pattern.test(path));
}
