import type { Page, PageBody, PageStrategy } from '../core/pager.ts';
import { isRecord } from '../core/record.ts';
import type { RequestSpec, Settlement } from '../core/request.ts';
import type { ResponseSchemaName } from '../models/response-schemas.ts';

/** How a response becomes a method's result. Methods with the same result share one constant of this type. */
export interface Reader<T> extends Pick<RequestSpec<T>, 'result' | 'settle' | 'optionsRule'> {
  readonly schema?: ResponseSchemaName;
}

/** How a response becomes a page of a list, and what leads to the next page. */
export type PageReader<Item, P extends Page<Item>> = Reader<PageBody<P>> &
  Omit<PageStrategy<Item, PageBody<P>>, 'operation'>;

/** What is under `field` of a body, or the body itself. */
const at = (body: unknown, field: string | undefined): unknown =>
  field === undefined ? body : isRecord(body) ? body[field] : undefined;

/** The result is an object, under `field` or the body itself; `isWhole` says whether it has the required fields. */
export const objectReader = <T>(
  schema: ResponseSchemaName,
  field?: string,
  isWhole: (object: Record<string, unknown>) => boolean = () => true,
): Reader<T> => ({
  result: {
    kind: 'json',
    unwrap: (body) => {
      const found = at(body, field);
      return isRecord(found) && isWhole(found) ? (found as T) : undefined;
    },
  },
  schema,
});

/**
 * Completes an object that has a field under its other name: the two families of paths call it differently. Returns true,
 * so that it can be given where the fields of a body are looked at.
 */
export const named = (name: string, other: string) => (object: unknown) => {
  if (isRecord(object) && object[other] !== undefined) object[name] ??= object[other];
  return true;
};

/** The result is the body itself, which has to be an array; `each` is given every item. */
export const arrayReader = <T>(
  schema: ResponseSchemaName,
  each: (item: unknown) => unknown = () => undefined,
): Reader<T[]> => ({
  result: {
    kind: 'json',
    unwrap: (body) => {
      if (!Array.isArray(body)) return undefined;
      body.forEach(each);
      return body as T[];
    },
  },
  schema,
});

/** What identifies the items of a list, where they may shift while it is read. */
export const idOf = (item: { readonly id: unknown } | null) => item?.id;

/** There is no result: the documented response is a 204. */
export const nothing: Reader<void> = { result: { kind: 'none', value: undefined } };

/** A deletion whose response was lost: a 404 to its retry means that it succeeded, with this result. */
export const goneMeansDeleted = <T>(data: T): Settlement<T> => ({
  status: 404,
  resolve: () => Promise.resolve({ data }),
});

/** The object was deleted, and there is no result. */
export const deleted: Reader<void> = { ...nothing, settle: goneMeansDeleted(undefined) };

/**
 * The object was deleted, and the service returns it, as the body or under `field`, or nothing. When its response was
 * lost, only its id is known.
 */
export const removed = <T extends { readonly id: unknown }>(id: T['id'], field?: string): Reader<T> => ({
  result: {
    kind: 'json',
    unwrap: (body) => {
      const found = at(body, field);
      return isRecord(found) ? (found as T) : undefined;
    },
    whenEmpty: { id } as T,
  },
  settle: goneMeansDeleted({ id } as T),
});

/** A list that is returned whole, under `field` or as the body itself; a pager of one page. `each` is given every item. */
export const listReader = <Item, P extends Page<Item> = Page<Item>>(
  schema: ResponseSchemaName,
  field?: string,
  each: (item: unknown) => unknown = () => undefined,
): PageReader<Item, P> => ({
  result: {
    kind: 'json',
    unwrap: (body) => {
      const items = at(body, field);
      if (!Array.isArray(items)) return undefined;
      items.forEach(each);
      return { ...(isRecord(body) && body), items } as unknown as PageBody<P>;
    },
  },
  schema,
  items: ({ items = [] }) => items,
  next: () => undefined,
});

/** Names of schemas of objects that have a list, whose schema is named after them. */
type Listed = {
  [Name in ResponseSchemaName]: Name extends `${infer One}List` ? One & ResponseSchemaName : never;
}[ResponseSchemaName];

/** The readers of an object and of a whole list of such objects, both without a wrapper; `each` is given every object. */
export const objectAndList = <T>(schema: Listed, each?: (object: unknown) => boolean) =>
  [objectReader<T>(schema, undefined, each), listReader<T>(`${schema}List`, undefined, each)] as const;

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
  ...listReader<Item, P>(schema, 'data'),
  next: ({ last_id }: PageBody<P>) => (last_id ? { last_id } : undefined),
  identity: idOf,
});
