import type { Decoder } from '../../core/decoder.ts';
import type { Page, PageBody, Paging } from '../../core/pager.ts';
import { fieldOf } from '../../core/record.ts';

type Facts = Pick<
  Decoder<unknown>,
  'field' | 'needs' | 'alsoNamed' | 'secrets' | 'credentials' | 'signed' | 'written'
>;

/** The items of a list, from the type of its response. */
type ItemOf<R> = R extends readonly (infer Item)[] ? Item : R extends Page<infer Item> ? Item : never;

/** The page of a list's response: the page of a bare array has no other fields. */
type PageOf<R> = R extends Page<unknown> ? R : Page<ItemOf<R>>;

/** Describes how a response becomes a page of a list, and how to find the next page. */
export interface ListDecoder<P extends Page<unknown>> extends Decoder<PageBody<P>>, Paging<P> {
  readonly page?: P;
}

/** The list has one page. */
const whole = { next: () => undefined };

/** Decoders of the responses of an area: `Responses` has their types by the names of their schemas. */
export const decodersOf = <Responses>() => ({
  /** The result is the object with this schema, in the body's `field`, or the body. */
  result: <Name extends keyof Responses & string>(
    schema: Name,
    facts: Facts = {},
  ): Decoder<Responses[Name]> => ({ kind: 'object', schema, ...facts }),

  /** The result is the array with this schema. */
  array: <Name extends keyof Responses & string>(
    schema: Name,
    facts: Facts = {},
  ): Decoder<Responses[Name]> => ({ kind: 'array', schema, ...facts }),

  /** A list with this schema; without `paging`, it has one page. */
  list: <Name extends keyof Responses & string>(
    schema: Name,
    facts: Facts = {},
    paging: Paging<PageOf<Responses[Name]>> = whole,
  ): ListDecoder<PageOf<Responses[Name]>> => ({ kind: 'list', schema, ...facts, ...paging }),
});

/** The result is the body, by default in this form; `absent` is a status that means a missing body, like 404. */
export const body = (form: 'text' | 'bytes', absent?: number): Decoder<unknown> => ({
  kind: 'body',
  form,
  absent,
});

/** The call has no result. */
export const nothing: Decoder<void> = { kind: 'nothing' };

/** The result is the deleted object, or only its id if the service does not return the object. */
export const removed = <T extends { readonly id: unknown }>(
  facts: Pick<Decoder<T>, 'field' | 'schema' | 'credentials' | 'signed'> = {},
): Decoder<T> => ({ kind: 'removed', ...facts });

const idOf = (item: { readonly id: unknown } | null) => item?.id;

/**
 * The id of the last item selects the next page. Only an empty page ends the list, because the service does not promise
 * the size of a page. A deleted id may select the first page again, so items are compared by their identity.
 */
export const byLastItem: Paging<Page<{ readonly id: string | number }>> = {
  next: ({ items = [] }) => {
    const last_id = (items.at(-1) as { readonly id: string | number } | null | undefined)?.id;
    return last_id === undefined ? undefined : { last_id };
  },
  identity: idOf,
};

/** The response's last id selects the next page. */
export const byLastId: Paging<Page<{ readonly id: unknown }> & { readonly last_id: string | null }> = {
  next: ({ last_id }) => (last_id ? { last_id } : undefined),
  identity: idOf,
};

/**
 * Numbered pages, newest first: new objects push items to the next page, where they would be returned again. The token
 * is passed on unchanged, so that an unknown form of it does not end the list silently.
 */
export const byPageToken: Paging<
  Page<{ readonly id: unknown }> & { readonly pagination: { readonly next_token: number | null } }
> = {
  next: ({ pagination }) => {
    const token = (fieldOf(pagination, 'next_token') ?? undefined) as number | undefined;
    return token === undefined ? undefined : { token };
  },
  identity: idOf,
};
