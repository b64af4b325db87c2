import type { ApiPromise } from '../core/api-promise.ts';
import type { CallSite } from '../core/call-site.ts';
import { deepCopy } from '../core/copy.ts';
import { Pager, type Page, type PageBody, type PageQuery } from '../core/pager.ts';
import { fillEndpoint, type Endpoint, type Fillable, type PathParams } from '../core/path.ts';
import type { Execute, RequestContext, RequestOptions, RequestSpec } from '../core/request.ts';
import { queryLengthIssues } from './query-length.ts';
import type { PageReader, Reader } from './readers.ts';

/** What a method sends besides its path, and whether it may send it twice. */
export type Sent = Pick<RequestSpec<unknown>, 'query' | 'body' | 'prepareBody' | 'check' | 'repeatable'>;

/** A request to an endpoint as data, for {@link Resource.call} and for what settles a call. */
export const requestTo =
  <T, const E extends Endpoint>(
    operation: string,
    endpoint: Fillable<E>,
    params: PathParams<E>,
    reader: Reader<T>,
    sent: Sent | ((context: RequestContext) => Sent) = {},
  ) =>
  (context: RequestContext): RequestSpec<T> => {
    const { issues, ...filled } = fillEndpoint(endpoint, params, context.accountId);
    const { check = () => [], ...rest } = typeof sent === 'function' ? sent(context) : sent;
    return { operation, host: 'api', ...filled, ...reader, ...rest, check: () => [...issues, ...check()] };
  };

/** The wrapper of a body, which has one name without an account, and another under one. */
export const wrappedIn =
  (name: string, nameUnderAccount: string) =>
  ({ accountId }: RequestContext, params: unknown) => ({
    [accountId === undefined ? name : nameUnderAccount]: params,
  });

/** What all resources have in common: a method says what it calls, and the rest is done here. */
export abstract class Resource {
  /**
   * What callers write before the methods, such as `contacts.lists`.
   *
   * @internal
   */
  declare protected readonly group: string;
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /**
   * What runs a request: for requests to another host or to a signed URL, and for groups of methods.
   *
   * @internal
   */
  protected get execute(): Execute {
    return this.#execute;
  }

  /**
   * Calls an endpoint.
   *
   * @param method - the method's name; with the group's before it, it is the name of the operation
   * @param endpoint - its HTTP method and path; see {@link Endpoint}
   * @param params - the arguments in the path
   * @param reader - how the response becomes the result
   * @param options - the options of this call
   * @param sent - query, body, and the check of both; made from the client's settings where it depends on them
   * @internal
   */
  protected call<T, const E extends Endpoint>(
    method: string,
    endpoint: Fillable<E>,
    params: PathParams<E>,
    reader: Reader<T>,
    options: RequestOptions | undefined,
    sent?: Sent | ((context: RequestContext) => Sent),
  ): ApiPromise<T> {
    const operation = `${this.group}.${method}`;
    return this.#execute(requestTo<T, E>(operation, endpoint, params, reader, sent), options);
  }

  /**
   * Calls an endpoint that returns a list, page by page. Takes the same arguments as {@link Resource.call}; the query
   * and what is wrong with it are those of now, not of when a page is read.
   *
   * @internal
   */
  protected pages<Item, P extends Page<Item>, const E extends Endpoint>(
    method: string,
    endpoint: Fillable<E>,
    params: PathParams<E>,
    reader: PageReader<Item, P>,
    options: RequestOptions | undefined,
    { query, check }: Pick<Sent, 'query' | 'check'> = {},
  ): Pager<Item, P> {
    const operation = `${this.group}.${method}`;
    const issues = [...(check?.() ?? [])];
    let given: ReturnType<NonNullable<Sent['query']>>;
    try {
      if (issues.length === 0) {
        given = deepCopy(query?.());
        issues.push(...queryLengthIssues(given));
      }
    } catch {
      issues.push({ path: 'params', message: 'cannot be read' });
    }
    const fetch = (page: PageQuery, site: CallSite) => {
      const sent = { query: () => ({ ...given, ...page }), check: () => issues };
      return this.#execute(
        requestTo<PageBody<P>, E>(operation, endpoint, params, reader, sent),
        options,
        site,
      );
    };
    return new Pager(fetch, { operation, ...reader });
  }
}
