import * as z from 'zod';
import type { TokenPagination } from './numbered-page.ts';
import type { SchemaOf } from './schema-of.ts';

/** The response of a list of numbered pages whose items have this schema: one page. */
export const numberedPage = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    data: z.array(item),
    pagination: z.looseObject({
      token: z.int(),
      prev_token: z.int().nullable(),
      next_token: z.int().nullable(),
      first_url: z.string(),
      prev_url: z.string().nullable(),
      current_url: z.string(),
      next_url: z.string().nullable(),
    }) satisfies SchemaOf<TokenPagination>,
  });
