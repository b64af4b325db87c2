import type { Decoder } from '../core/decoder.ts';
import type { Page, PageBody, Paging } from '../core/pager.ts';
import { isolated } from '../core/isolated.ts';
import { isRecord } from '../core/record.ts';

type Facts = Pick<
  Decoder<unknown>,
  'field' | 'needs' | 'alsoNamed' | 'secrets' | 'credentials' | 'signed' | 'written'
>;

/** The items of a list, by what is known of its response. */
type ItemOf<R> = R extends readonly (infer Item)[] ? Item : R extends Page<infer Item> ? Item : never;

/** The page that a list's response becomes: a bare array has no fields of its own. */
type PageOf<R> = R extends Page<unknown> ? R : Page<ItemOf<R>>;

/** How a response becomes a page of a list, and what leads to the next page. */
export interface ListDecoder<P extends Page<unknown>> extends Decoder<PageBody<P>>, Paging<P> {
  readonly page?: P;
}

/** The list is returned whole. */
const whole = { next: () => undefined };

/** Decoders of the responses of an area: `Responses` has their types by the names of their schemas. */
export const decodersOf = <Responses>() => ({
  /** The result is the object with this schema, in the body's `field` or the body itself. */
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

/** The result is the body, in this form where the caller asks for no other; `absent` says, as 404 does, that there is none. */
export const body = (form: 'text' | 'bytes', absent?: number): Decoder<unknown> => ({
  kind: 'body',
  form,
  absent,
});

/** There is no result. */
export const nothing: Decoder<void> = { kind: 'nothing' };

/** The result is the deleted object; its id alone, where the service does not return it. */
export const removed = <T extends { readonly id: unknown }>(
  facts: Pick<Decoder<T>, 'field' | 'schema' | 'credentials' | 'signed'> = {},
): Decoder<T> => ({ kind: 'removed', ...facts });

const idOf = (item: { readonly id: unknown } | null) => item?.id;

/**
 * The id of the last item read leads to the next page. That there is none is known only when nothing follows: how many
 * items a page has is not promised. An id that no longer exists may lead back to the first page, hence the identity.
 */
export const byLastItem: Paging<Page<{ readonly id: string | number }>> = {
  next: ({ items = [] }) => {
    const last_id = (items.at(-1) as { readonly id: string | number } | null | undefined)?.id;
    return last_id === undefined ? undefined : { last_id };
  },
  identity: idOf,
};

/** The response names the last id, which leads to the next page. */
export const byLastId: Paging<Page<{ readonly id: unknown }> & { readonly last_id: string | null }> = {
  next: ({ last_id }) => (last_id ? { last_id } : undefined),
  identity: idOf,
};

/**
 * Numbered pages, newest first: as objects are created, rows move to the next page and would be returned again. The token
 * is passed on as it is: one we do not understand must not end the list silently.
 */
export const byPageToken: Paging<
  Page<{ readonly id: unknown }> & { readonly pagination: { readonly next_token: number | null } }
> = {
  next: ({ pagination }) => {
    const token = isRecord(pagination) ? (isolated(pagination).next_token ?? undefined) : undefined;
    return token === undefined ? undefined : { token };
  },
  identity: idOf,
};
