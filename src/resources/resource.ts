import type { ApiPromise } from '../core/api-promise.ts';
import type { CallSite } from '../core/call-site.ts';
import type { Clock } from '../core/clock.ts';
import { deepCopy } from '../core/copy.ts';
import { Pager, type Page, type PageBody, type PageQuery } from '../core/pager.ts';
import { fillEndpoint, type Endpoint, type Fillable, type PathParams } from '../core/path.ts';
import type { Execute, RequestContext, RequestOptions, RequestSpec } from '../core/request.ts';
import { anything, type Rule } from '../core/rules.ts';
import { paramIssues } from './param-rules.ts';
import { queryLengthIssues, type Query } from './query-length.ts';
import type { PageReader, Reader } from './readers.ts';

/** What a method sends besides its path, and whether it may send it twice. */
export interface Sent<Params> extends Pick<RequestSpec<unknown>, 'prepareBody' | 'repeatable'> {
  /** The method's parameters: they are the query of a GET, and the body of any other request. */
  readonly params?: Params;
  /** What the parameters have to be. */
  readonly rule?: Rule;
  /** The query or body made of the parameters, where it is not they themselves. A query is made once they are checked. */
  readonly as?: (params: Params, context: RequestContext) => unknown;
}

/** The parameters of a list, whose query does not depend on the client's settings. */
interface ListParams<Params> extends Pick<Sent<Params>, 'params' | 'rule'> {
  readonly as?: (params: Params) => unknown;
}

/** What is sent where a method does not say `as` what. */
const unchanged = (params: unknown) => params;

/** A request to an endpoint as data. */
const requestTo =
  <T, const E extends Endpoint, Params>(
    operation: string,
    endpoint: Fillable<E>,
    ids: PathParams<E>,
    reader: Reader<T>,
    { params, rule, as = unchanged, ...rest }: Sent<Params> = {},
  ) =>
  (context: RequestContext): RequestSpec<T> => {
    const { issues, ...filled } = fillEndpoint(endpoint, ids, context.accountId);
    const made = () => as(params as Params, context);
    return {
      operation,
      host: 'api',
      ...filled,
      ...reader,
      ...rest,
      ...(filled.method === 'GET' ? { query: made as () => Query } : { body: made() }),
      check: () => [...issues, ...(rule ? paramIssues(rule, params) : [])],
    };
  };

/** Puts a body in a wrapper, which may have another name under an account. */
export const wrappedIn =
  (name: string, nameUnderAccount = name) =>
  (params: unknown, { accountId }: RequestContext) => ({
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
  readonly #clock: Clock;
  #parts: Map<unknown, unknown> | undefined;

  /** @internal */
  constructor(execute: Execute, clock: Clock) {
    this.#execute = execute;
    this.#clock = clock;
  }

  /**
   * What runs a request: for requests to another host or to a signed URL.
   *
   * @internal
   */
  protected get execute(): Execute {
    return this.#execute;
  }

  /** @internal */
  protected get clock(): Clock {
    return this.#clock;
  }

  /**
   * A group of methods inside this one, made when it is first read.
   *
   * @internal
   */
  protected part<R>(Part: new (execute: Execute, clock: Clock) => R): R {
    // Most resources have no groups inside, and need no map.
    const parts = (this.#parts ??= new Map());
    if (!parts.has(Part)) parts.set(Part, new Part(this.#execute, this.#clock));
    return parts.get(Part) as R;
  }

  /**
   * Calls an endpoint.
   *
   * @param method - the method's name; with the group's before it, it is the name of the operation
   * @param endpoint - its HTTP method and path; see {@link Endpoint}
   * @param ids - the arguments in the path
   * @param reader - how the response becomes the result
   * @param options - the options of this call
   * @param sent - the method's parameters, with their rule
   * @internal
   */
  protected call<T, const E extends Endpoint, Params>(
    method: string,
    endpoint: Fillable<E>,
    ids: PathParams<E>,
    reader: Reader<T>,
    options: RequestOptions | undefined,
    sent?: Sent<Params>,
  ): ApiPromise<T> {
    const operation = `${this.group}.${method}`;
    return this.#execute(requestTo<T, E, Params>(operation, endpoint, ids, reader, sent), options);
  }

  /**
   * Calls an endpoint that returns a list, page by page. Takes the same arguments as {@link Resource.call}; the query
   * and what is wrong with it are those of now, not of when a page is read.
   *
   * @internal
   */
  protected pages<Item, P extends Page<Item>, const E extends Endpoint, Params extends object>(
    method: string,
    endpoint: Fillable<E>,
    ids: PathParams<E>,
    reader: PageReader<Item, P>,
    options: RequestOptions | undefined,
    { params = {} as Params, rule = anything, as = unchanged }: ListParams<Params> = {},
  ): Pager<Item, P> {
    const operation = `${this.group}.${method}`;
    let query: Query = {};
    const copyRule = (checked: unknown) => {
      query = deepCopy(as(checked as Params) as Query);
      return queryLengthIssues(query);
    };
    const wrong = paramIssues(rule, params);
    const issues = wrong.length > 0 ? wrong : paramIssues(copyRule, params);
    const fetch = (page: PageQuery, site: CallSite) => {
      const sent = { params: { ...query, ...page }, rule: () => issues };
      return this.#execute(
        requestTo<PageBody<P>, E, Query>(operation, endpoint, ids, reader, sent),
        options,
        site,
      );
    };
    return new Pager(fetch, { operation, ...reader });
  }
}
