import type { Page, PageBody, PageStrategy } from '../core/pager.ts';
import { isRecord } from '../core/record.ts';
import type { RequestSpec, ResultReader, Settlement } from '../core/request.ts';
import type { ResponseSchemaName } from '../models/response-schemas.ts';

/** How a response becomes a method's result. Methods with the same result share one constant of this type. */
export interface Reader<T> extends Pick<RequestSpec<T>, 'result' | 'settle' | 'optionsRule'> {
  readonly schema?: ResponseSchemaName;
}

/** How a response becomes a page of a list, and what leads to the next page. */
export type PageReader<Item, P extends Page<Item>> = Reader<PageBody<P>> &
  Omit<PageStrategy<Item, PageBody<P>>, 'operation'>;

/** The result is the body itself, which has to be an object; `isWhole` says whether it has the required fields. */
export const bareObject = <T>(
  isWhole: (body: Record<string, unknown>) => boolean = () => true,
): ResultReader<T> => ({
  kind: 'json',
  unwrap: (body) => (isRecord(body) && isWhole(body) ? (body as T) : undefined),
});

/** The result is the object under `field`. */
export const under = <T>(field: string): ResultReader<T> => ({
  kind: 'json',
  unwrap: (body) => (isRecord(body) && isRecord(body[field]) ? (body[field] as T) : undefined),
});

/** The result is the object under `data`. */
export const underData = <T>(): ResultReader<T> => under('data');

/**
 * Completes an object that has a field under its other name: the two families of paths call it differently. Returns true,
 * so that it can be given where the fields of a body are looked at.
 */
export const named = (name: string, other: string) => (object: unknown) => {
  if (isRecord(object) && object[other] !== undefined) object[name] ??= object[other];
  return true;
};

/** The result is the body itself, which has to be an array; `each` is given every item. */
export const bareArray = <T>(each: (item: unknown) => unknown = () => undefined): ResultReader<T[]> => ({
  kind: 'json',
  unwrap: (body) => {
    if (!Array.isArray(body)) return undefined;
    body.forEach(each);
    return body as T[];
  },
});

/** What identifies the items of a list, where they may shift while it is read. */
export const idOf = (item: { readonly id: unknown } | null) => item?.id;

/** There is no result: the documented response is a 204. */
export const nothing: Reader<void> = { result: { kind: 'none', value: undefined } };

/** A deletion whose response was lost: a 404 to its retry means that it succeeded. */
export const goneMeansDeleted: Settlement<void> = {
  status: 404,
  resolve: () => Promise.resolve({ data: undefined }),
};

/** The object was deleted, and there is no result. */
export const deleted: Reader<void> = { ...nothing, settle: goneMeansDeleted };

/**
 * The object was deleted, and the service returns it, as the body or under `field`, or nothing. When its response was
 * lost, only its id is known.
 */
export const removed = <T extends { readonly id: unknown }>(id: T['id'], field?: string): Reader<T> => ({
  result: {
    kind: 'json',
    unwrap: (body, status) => {
      const found = status === 204 ? { id } : field === undefined ? body : isRecord(body) && body[field];
      return isRecord(found) ? (found as T) : undefined;
    },
  },
  settle: { status: 404, resolve: () => Promise.resolve({ data: { id } as T }) },
});

/** A list that is returned whole, as the body itself or under `field`; a pager of one page. `each` is given every item. */
export const wholeList = <Item, P extends Page<Item> = Page<Item>>(
  field?: string,
  each: (item: unknown) => unknown = () => undefined,
): PageReader<Item, P> => ({
  result: {
    kind: 'json',
    unwrap: (body) => {
      const items = field === undefined ? body : isRecord(body) && body[field];
      if (!Array.isArray(items)) return undefined;
      items.forEach(each);
      return { ...(isRecord(body) && body), items } as unknown as PageBody<P>;
    },
  },
  items: ({ items = [] }) => items,
  next: () => undefined,
});

/** Names of schemas of objects that have a list, whose schema is named after them. */
type Listed = {
  [Name in ResponseSchemaName]: Name extends `${infer One}List` ? One & ResponseSchemaName : never;
}[ResponseSchemaName];

/** The readers of an object and of a whole list of such objects, both without a wrapper; `each` is given every object. */
export const objectAndList = <T>(schema: Listed, each?: (object: unknown) => boolean) =>
  [
    { result: bareObject<T>(each), schema },
    { ...wholeList<T>(undefined, each), schema: `${schema}List` },
  ] as const;

/**
 * What leads to the next page where the cursor is the last item read. That it is not the last is known only when nothing
 * follows it: how many items a page has is not promised. A cursor whose item was deleted may lead back to the first page,
 * hence the identity.
 */
export const byLastId = {
  next: ({ items = [] }: { items?: readonly ({ readonly id: string | number } | null)[] }) => {
    const last_id = items.at(-1)?.id;
    return last_id === undefined ? undefined : { last_id };
  },
  identity: idOf,
};

/** A list whose page has, besides its items under `data`, the cursor of the next page: `last_id`. */
export const listByLastId = <
  Item extends { readonly id: unknown },
  P extends Page<Item> & { readonly data: Item[]; readonly last_id: string | null },
>(
  schema: ResponseSchemaName,
): PageReader<Item, P> => ({
  ...wholeList<Item, P>('data'),
  schema,
  next: ({ last_id }: PageBody<P>) => (last_id ? { last_id } : undefined),
  identity: idOf,
});
