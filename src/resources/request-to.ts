import type { Decoder } from '../core/decoder.ts';
import type { Issue } from '../core/errors.ts';
import { isolated, isolatedIfPlain } from '../core/isolated.ts';
import { fillEndpoint } from '../core/path.ts';
import type { RequestContext, RequestSpec, Settlement } from '../core/request.ts';
import { tried } from '../core/tried.ts';
import type { Endpoint } from './endpoint.ts';
import { paramIssues } from './param-rules.ts';
import type { Query } from './query-length.ts';

type Ids = Readonly<Record<string, unknown>>;

/** What a method makes itself, in place of what follows from the endpoint. */
type Own<T> = Partial<Pick<RequestSpec<T>, 'body' | 'mails' | 'optionsRule' | 'decoder' | 'settle'>> & {
  /** Makes the query, once the arguments are checked. */
  readonly query?: () => Query;
  /** Returns what is wrong with the parameters. */
  readonly check?: () => readonly Issue[];
};

/** A request to an endpoint, for a client with these settings. */
export type RequestTo<T> = (context: RequestContext) => RequestSpec<T>;

/** The parameters as they are sent. */
export function encoded<Params>(
  { encode, wrapper }: Pick<Endpoint<unknown, Params>, 'encode' | 'wrapper'>,
  params: Params,
  context: RequestContext,
): unknown {
  const content = encode ? encode(isolatedIfPlain(params), context) : params;
  if (wrapper === undefined) return content;
  const [name = wrapper, nameUnderAccount = name] = wrapper.split('|');
  return { [context.accountId === undefined ? name : nameUnderAccount]: content };
}

/** The arguments of a call put into its endpoint: what is checked, what is sent then, and how the response is read. */
export const requestTo =
  <T, Params>(
    endpoint: Endpoint<T, Params>,
    ids: Ids,
    params?: NoInfer<Params>,
    given: Own<T> = {},
  ): RequestTo<T> =>
  (context) => {
    const own = isolated(given);
    const { template, operation, host = 'api', decoder, params: rule, repeatable, unless } = endpoint;
    const { reachesPeople = false } = endpoint;
    const accountId = template.includes('{account?}') ? context.accountIdOfCall : context.accountId;
    const { method, path, issues } = fillEndpoint(template, ids, accountId);
    const sent = rule && (() => encoded(endpoint, params as Params, context));
    return {
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
      settle: method === 'DELETE' ? goneMeansDeleted(deletedOf(decoder, ids)) : undefined,
      ...own,
      check: () => [...issues, ...(own.check?.() ?? (rule ? paramIssues(rule, params) : []))],
    };
  };

/** A deletion may have no response body; its result is then made of the id that the call was made with. */
const withId = <T>(decoder: Decoder<T>, { id }: Ids): Decoder<T> =>
  decoder.kind === 'removed' ? isolated({ ...decoder, whenEmpty: { id } as T }) : decoder;

/** What a deletion returns of which only the id is known. */
const deletedOf = <T>({ kind }: Decoder<T>, { id }: Ids) => (kind === 'removed' ? { id } : undefined) as T;

/** A deletion whose response was lost: a 404 to its retry means that it succeeded, with this result. */
export const goneMeansDeleted = <T>(data: T): Settlement<T> => ({
  status: 404,
  resolve: () => Promise.resolve({ data }),
});
