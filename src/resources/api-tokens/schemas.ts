import * as z from 'zod';
import type { ApiToken, NewApiToken } from './types.ts';
import type { SchemaOf } from '../schema-of.ts';

/** An API token, without its value: the result of `apiTokens.get`. */
export const apiToken = /* @__PURE__ */ (() =>
  z.looseObject({
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
  }) satisfies SchemaOf<ApiToken>)();

/** The response of `apiTokens.list`. */
export const apiTokenList = /* @__PURE__ */ (() => z.array(apiToken) satisfies z.ZodType<ApiToken[]>)();

/** A new API token with its value: the result of `apiTokens.create` and `apiTokens.reset`. */
export const newApiToken = /* @__PURE__ */ (() =>
  z.looseObject({ ...apiToken.shape, token: z.string() }) satisfies SchemaOf<NewApiToken>)();
