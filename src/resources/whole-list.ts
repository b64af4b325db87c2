import { NotFoundError } from '../core/api-errors.ts';
import { apiPromiseOf } from '../core/api-promise.ts';
import { Pager, type Page, type PageBody } from '../core/pager.ts';
import { isRecord } from '../core/record.ts';
import type { Execute, RequestContext, RequestOptions, RequestSpec, ResultReader } from '../core/request.ts';

/** Where to find a list that is returned whole, and how to read it. */
export interface WholeList extends Pick<RequestSpec<unknown>, 'operation'> {
  /** Path of the list. */
  readonly path: (context: RequestContext) => string;
  /** Path to try when `path` returns 404. */
  readonly fallbackPath?: (context: RequestContext) => string;
  /** Finds the array in the body; the body itself by default. */
  readonly itemsOf?: (body: unknown) => unknown;
  readonly schema?: NonNullable<RequestSpec<unknown>['schema']>;
}

/** A list that is returned whole, as a pager of one page. */
export function wholeList<Item, P extends Page<Item> = Page<Item>>(
  execute: Execute,
  { operation, path, fallbackPath, itemsOf = (body) => body, schema }: WholeList,
  options: RequestOptions | undefined,
): Pager<Item, P> {
  const result: ResultReader<PageBody<P>> = {
    kind: 'json',
    unwrap: (body) => {
      const items = itemsOf(body);
      return Array.isArray(items)
        ? ({ ...(isRecord(body) && body), items } as unknown as PageBody<P>)
        : undefined;
    },
  };
  const read = (pathIn: WholeList['path']) =>
    execute<PageBody<P>>(
      (context) => ({
        operation,
        method: 'GET',
        host: 'api',
        path: pathIn(context),
        isRepeatable: true,
        result,
        ...(schema && { schema }),
      }),
      options,
    );
  const fetch = () => {
    if (fallbackPath === undefined) return read(path);
    const outcome = read(path).withResponse();
    return apiPromiseOf(
      outcome.catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error;
        return read(fallbackPath).withResponse();
      }),
    );
  };
  return new Pager<Item, P>(fetch, { operation, items: (body) => body.items ?? [], next: () => undefined });
}
