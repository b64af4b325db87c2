import * as z from 'zod';
import type { ApiToken } from './types.ts';
import type { ApiTokenResponses } from './endpoints.ts';
import type { SchemaFor, SchemaOf } from '../base/schema-of.ts';

/** An API token, without its value: the result of `apiTokens.get`. */
export const apiToken = z.looseObject({
  id: z.int(),
  name: z.string(),
  last_4_digits: z.string(),
  created_by: z.string(),
  expires_at: z.string().nullable(),
  resources: z.array(
    z.looseObject({
      resource_type: z.string(),
      resource_id: z.int(),
      access_level: z.int(),
    }) satisfies SchemaOf<ApiToken['resources'][number]>,
  ),
}) satisfies SchemaFor<ApiTokenResponses['apiToken']>;

/** The response of `apiTokens.list`. */
export const apiTokenList = z.array(apiToken) satisfies SchemaFor<ApiTokenResponses['apiTokenList']>;

/** A new API token with its value: the result of `apiTokens.create` and `apiTokens.reset`. */
export const newApiToken = z.looseObject({
  ...apiToken.shape,
  token: z.string(),
}) satisfies SchemaFor<ApiTokenResponses['newApiToken']>;
