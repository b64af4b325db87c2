import * as z from 'zod';
import type { SubAccountResponses } from './endpoints.ts';
import type { SchemaFor } from '../base/schema-of.ts';

/** An account of an organization: the result of `organizations.subAccounts(…).create`. */
export const subAccount = z.looseObject({ id: z.int(), name: z.string() }) satisfies SchemaFor<
  SubAccountResponses['subAccount']
>;

/** The response of `organizations.subAccounts(…).list`. */
export const subAccountList = z.array(subAccount) satisfies SchemaFor<SubAccountResponses['subAccountList']>;
