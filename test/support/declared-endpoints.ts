import { fillEndpoint, poolOf } from '../../src/core/path.ts';
import { isRepeatable } from '../../src/core/request.ts';
import { endpoints } from '../../src/resources/endpoints.ts';

/** A declared endpoint with its full paths. */
export interface EndpointRow {
  /** The method that calls it, as callers write it. */
  readonly method: string;
  readonly verb: string;
  /** One of the client's hosts. */
  readonly host: string;
  /** The path when no account is set. */
  readonly path: string;
  /** The path when an account is set. */
  readonly accountPath: string;
  /** The rate limit pool besides `token`: for the path, and for the path under an account. */
  readonly pool: string | undefined;
  readonly accountPool: string | undefined;
  readonly isRepeatable: boolean;
  /** Whether people receive email because of it. */
  readonly reachesPeople: boolean;
}

/** A path without the names of its arguments, for comparisons. */
export const unnamed = (path: string) => path.replace(/\{\w+\}/g, '{}');

/** The identity of an endpoint: its HTTP method, host and path. */
export const addressOf = ({ verb, host, path }: Pick<EndpointRow, 'verb' | 'host' | 'path'>) =>
  `${verb} ${host} ${unnamed(path)}`;

/** All declared endpoints. The paths keep the arguments' names in braces, because no argument is given. */
export const declaredEndpoints = (): EndpointRow[] =>
  endpoints().map(({ operation, template, host = 'api', repeatable, reachesPeople = false }) => {
    const { method: verb, path } = fillEndpoint(template, {}, undefined);
    // NaN is not the id of an account, so its name stays in the path.
    const { path: accountPath } = fillEndpoint(template, {}, NaN);
    return {
      method: operation,
      verb,
      host,
      path,
      accountPath,
      pool: poolOf(verb, host, path),
      accountPool: poolOf(verb, host, accountPath),
      isRepeatable: isRepeatable({ method: verb, repeatable: repeatable !== undefined }),
      reachesPeople: reachesPeople !== false,
    };
  });

/** The methods that fetch an address in a response of the service, with their hosts. */
export const FROM_ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['emailLogs.downloadRaw', "the URL's own"],
  ['sandbox.attachments.download', 'api'],
]);
