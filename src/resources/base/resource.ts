import type { ApiPromise } from '../../core/api-promise.ts';
import type { CallSite } from '../../core/call-site.ts';
import type { Runtime } from '../../core/runtime.ts';
import { deepCopy } from '../../core/isolated.ts';
import { Pager, type Page, type PageBody, type PageQuery } from '../../core/pager.ts';
import type { Execute, IfLost, RequestContext, RequestOptions } from '../../core/request.ts';
import type { ListDecoder } from './decoders.ts';
import type { Endpoint, IdsOf, ParamsOf } from './endpoint.ts';
import { paramIssues } from './param-rules.ts';
import { queryLengthIssues, type Query } from './query-length.ts';
import { encoded, requestTo } from './request-to.ts';

/** The base class of all resources: a method names its endpoint, and this class does the rest. */
export abstract class Resource {
  readonly #execute: Execute;
  readonly #runtime: Runtime;
  #parts: Map<unknown, unknown> | undefined;

  /** @internal */
  constructor(execute: Execute, runtime: Runtime) {
    this.#execute = execute;
    this.#runtime = runtime;
  }

  /**
   * Runs a request, with `createExecute` of `src/transport/execute.ts`: for requests without a declared endpoint, such
   * as those to a signed URL.
   *
   * @internal
   */
  protected get execute(): Execute {
    return this.#execute;
  }

  /** @internal */
  protected get runtime(): Runtime {
    return this.#runtime;
  }

  /**
   * A group of methods inside this one, created at its first use.
   *
   * @internal
   */
  protected part<R>(Part: new (execute: Execute, runtime: Runtime) => R): R {
    // Most resources have no groups inside, and need no map.
    const parts = (this.#parts ??= new Map());
    if (!parts.has(Part)) parts.set(Part, new Part(this.#execute, this.#runtime));
    return parts.get(Part) as R;
  }

  /**
   * Calls an endpoint: makes its request, which `createExecute` of `src/transport/execute.ts` sends.
   *
   * @param ids - the arguments in its path
   * @param options - the options of this call
   * @param params - its parameters, if it takes some
   * @internal
   */
  protected call<T, Params, E extends string>(
    endpoint: Endpoint<T, Params, E>,
    ids: IdsOf<E>,
    options: RequestOptions | undefined,
    ...params: ParamsOf<Params>
  ): ApiPromise<T> {
    const [given]: readonly [params?: Params] = params;
    const ifLost = this.#ifLost(endpoint, ids, params);
    return this.#execute(requestTo(endpoint, ids, given, ifLost && { ifLost }), options);
  }

  /** If the response to an action was lost: reads the object. */
  #ifLost<T, Params, E extends string>(
    { ifLost }: Endpoint<T, Params, E>,
    ids: IdsOf<E>,
    params: ParamsOf<Params>,
  ): IfLost<T> | undefined {
    if (!ifLost) return undefined;
    const { status, read, worked } = ifLost;
    return {
      status,
      resolve: async (options) => {
        const found = await this.#execute(requestTo(read, ids), options).withResponse();
        return worked(found.data, ...params) ? found : undefined;
      },
    };
  }

  /**
   * Calls an endpoint that returns a list, page by page. Creates and checks the query now, before a page is read.
   *
   * @internal
   */
  protected pages<P extends Page<unknown>, Params, E extends string>(
    endpoint: Endpoint<PageBody<P>, Params, E, ListDecoder<P>>,
    ids: IdsOf<E>,
    options: RequestOptions | undefined,
    ...[params = {} as Params]: Partial<ParamsOf<Params>>
  ): Pager<P['items'][number], P> {
    const { operation, decoder, params: rule } = endpoint;
    let kept = params;
    const copy = (checked: unknown): undefined => {
      kept = deepCopy(checked as Params);
    };
    const wrong = rule ? paramIssues(rule, params) : [];
    const issues = wrong.length > 0 ? wrong : paramIssues(copy, params);
    const fetch = (page: PageQuery, site: CallSite) => {
      const request = (context: RequestContext) => {
        let query: Query = {};
        const check = () => {
          if (issues.length > 0) return issues;
          query = encoded(endpoint, kept, context) as Query;
          return queryLengthIssues(query);
        };
        return requestTo(endpoint, ids, kept, { check, query: () => ({ ...query, ...page }) })(context);
      };
      return this.#execute(request, options, site);
    };
    return new Pager<P['items'][number], P>(fetch, operation, decoder);
  }
}
