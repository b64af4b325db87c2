import { NotFoundError, type EmailPlatform } from 'email-platform';
import {
  isRepeatable,
  STREAMS,
  type Execute,
  type RequestSpec,
  type Stream,
} from '../../src/core/request.ts';
import type { Resource } from '../../src/resources/base/resource.ts';
import { poolOf } from '../../src/core/path.ts';
import { apiPromise } from './api-promise.ts';
import { resourceMethods, type ResourceMethod } from './resource-methods.ts';

/** An endpoint that a method calls. */
export interface RecordedEndpoint {
  /** The method, as callers write it. */
  readonly method: string;
  /** The operation's name in errors and hooks. */
  readonly operation: string;
  readonly verb: string;
  /** One of the client's hosts; undefined where the request has a URL of its own. */
  readonly host: string | undefined;
  /** The path when no account is set. */
  readonly path: string;
  /** The path when an account is set. */
  readonly accountPath: string;
  /** The rate limit pool besides `token`: for the path, and for the path under an account. */
  readonly pool: string | undefined;
  readonly accountPool: string | undefined;
  readonly isRepeatable: boolean;
}

/**
 * The requests of a method, which are not sent. Every argument is the same object: it is invalid as an id, so the
 * path keeps the id's name in braces; as options it names the account. Each request fails with a 404, so that a
 * method with a second path tries that too.
 */
export async function requestsOf(
  { resource, run }: ResourceMethod,
  accountId: number | undefined,
  stream: Stream,
  {
    argument = accountId === undefined ? {} : { accountId },
    onMade = () => undefined,
  }: { argument?: object; onMade?: (request: RequestSpec<unknown>) => void } = {},
): Promise<RequestSpec<unknown>[]> {
  const requests: RequestSpec<unknown>[] = [];
  const notFound = new NotFoundError('none', { status: 404, headers: new Headers(), body: '', messages: [] });
  const execute: Execute = (request) => {
    const context = { options: {}, accountId, accountIdOfCall: accountId, stream, sandboxInboxId: undefined };
    const made = typeof request === 'function' ? request(context) : request;
    onMade(made);
    requests.push(made);
    return apiPromise(Promise.reject(notFound));
  };
  const recorded = Reflect.construct(resource.constructor, [execute]) as Resource;
  try {
    await run.apply(recorded, Array(5).fill(argument));
  } catch {
    // Ignores the 404, and an argument that is refused before a request.
  }
  return requests;
}

async function endpointsOf(method: ResourceMethod, stream: Stream): Promise<RecordedEndpoint[]> {
  // NaN is not the id of an account, so its name stays in the path.
  const underAccount = await requestsOf(method, NaN, stream);
  return (await requestsOf(method, undefined, stream)).map((request, index) => {
    const { operation, method: verb, host, path, signed } = request;
    const accountPath = underAccount[index]?.path ?? '';
    return {
      method: method.name,
      operation,
      verb,
      host: signed === undefined ? host : undefined,
      path,
      accountPath,
      pool: poolOf(verb, host, path),
      accountPool: poolOf(verb, host, accountPath),
      isRepeatable: isRepeatable(request),
    };
  });
}

/** Every endpoint that a method of a client's resources calls, each once. */
export async function recordedEndpoints(client: EmailPlatform): Promise<RecordedEndpoint[]> {
  const all = new Map<string, RecordedEndpoint>();
  for (const method of resourceMethods(client)) {
    for (const stream of STREAMS) {
      for (const endpoint of await endpointsOf(method, stream)) all.set(JSON.stringify(endpoint), endpoint);
    }
  }
  return [...all.values()];
}
