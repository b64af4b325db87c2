import type { Decoder } from '../../core/decoder.ts';
import type { Issue } from '../../core/errors.ts';
import { isolatedIfPlain } from '../../core/isolated.ts';
import { fillEndpoint } from '../../core/path.ts';
import type { IfLost, RequestContext, RequestSpec } from '../../core/request.ts';
import { tried } from '../../core/tried.ts';
import type { Endpoint } from './endpoint.ts';
import { paramIssues } from './param-rules.ts';
import type { Query } from './query-length.ts';

type Ids = Readonly<Record<string, unknown>>;

/** The parts of a request that a method sets itself, in place of those of the endpoint. */
type Own<T> = Partial<Pick<RequestSpec<T>, 'body' | 'mails' | 'optionsRule' | 'decoder' | 'ifLost'>> & {
  /** Creates the query, after the check of the arguments. */
  readonly query?: () => Query;
  /** Returns the issues of the parameters. */
  readonly check?: () => readonly Issue[];
};

/** Creates a request to an endpoint from the client's settings. */
export type RequestTo<T> = (context: RequestContext) => RequestSpec<T>;

/** The parameters in the form that is sent. */
export function encoded<Params>(
  { encode, wrapper }: Pick<Endpoint<unknown, Params>, 'encode' | 'wrapper'>,
  params: Params,
  context: RequestContext,
): unknown {
  // An encoder reads fields that may be absent, so none of `Object.prototype`.
  const content = encode ? encode(isolatedIfPlain(params), context) : params;
  if (wrapper === undefined) return content;
  const [name = wrapper, nameUnderAccount = name] = wrapper.split('|');
  return { [context.accountId === undefined ? name : nameUnderAccount]: content };
}

/** The request of a call: its checks, its contents and its decoder, from the endpoint and the arguments. */
export const requestTo =
  <T, Params>(
    endpoint: Endpoint<T, Params>,
    ids: Ids,
    params?: NoInfer<Params>,
    given: Own<T> = {},
  ): RequestTo<T> =>
  (context) => {
    const { template, operation, host = 'api', decoder, params: rule, repeatable, unless } = endpoint;
    const { reachesPeople = false } = endpoint;
    const accountId = template.includes('{account?}') ? context.accountIdOfCall : context.accountId;
    const { method, path, issues } = fillEndpoint(template, ids, accountId);
    const sent = rule && (() => encoded(endpoint, params as Params, context));
    const request = {
      operation,
      method,
      host,
      path,
      template,
      query: method === 'GET' ? (sent as (() => Query) | undefined) : undefined,
      body: method === 'GET' ? undefined : sent,
      reaches: () => reachesPeople,
      repeatable:
        repeatable !== undefined &&
        !tried(
          () => unless?.(params as Params, ids),
          () => true,
        ),
      decoder: withId(decoder, ids),
      // `Resource.call` has that of other methods.
      ifLost: method === 'DELETE' ? goneMeansDeleted(deletedOf(decoder, ids)) : undefined,
      check: () => (rule ? paramIssues(rule, params) : []),
      ...given,
    };
    return { ...request, check: () => [...issues, ...request.check()] };
  };

/** A deletion may have no response body; its result then has the id from the call. */
const withId = <T>(decoder: Decoder<T>, { id }: Ids): Decoder<T> =>
  decoder.kind === 'removed' ? { ...decoder, whenEmpty: { id } as T } : decoder;

/** The result of a deletion without a response body. */
const deletedOf = <T>({ kind }: Decoder<T>, { id }: Ids) => (kind === 'removed' ? { id } : undefined) as T;

/** If the response to a deletion was lost: a 404 to its retry means success, with this result. */
export const goneMeansDeleted = <T>(data: T): IfLost<T> => ({
  status: 404,
  resolve: () => Promise.resolve({ data }),
});
