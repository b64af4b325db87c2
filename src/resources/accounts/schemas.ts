import * as z from 'zod';
import type { AccountAccess, PermissionResource } from './types.ts';
import type { AccountResponses } from './endpoints.ts';
import type { SchemaFor, SchemaOf } from '../base/schema-of.ts';

/** An account: the result of `accounts.get`. */
export const account = z.looseObject({
  id: z.int(),
  name: z.string(),
  access_levels: z.array(z.int()),
}) satisfies SchemaFor<AccountResponses['account']>;

/** The response of `accounts.list`. */
export const accountList = z.array(account) satisfies SchemaFor<AccountResponses['accountList']>;

/** The access of a user, an invite or an API token to an account. */
export const accountAccess = z.looseObject({
  id: z.int(),
  specifier_type: z.string(),
  specifier: z.looseObject({
    id: z.int(),
    email: z.string().optional(),
    name: z.string().optional(),
    two_factor_authentication_enabled: z.boolean().optional(),
    author_name: z.string().nullish(),
    token: z.string().nullish(),
    expires_at: z.string().nullish(),
  }) satisfies SchemaOf<AccountAccess['specifier']>,
  resources: z.array(
    z.looseObject({
      resource_type: z.string(),
      resource_id: z.int(),
      access_level: z.int(),
    }) satisfies SchemaOf<AccountAccess['resources'][number]>,
  ),
  permissions: z.looseObject({
    can_read: z.boolean(),
    can_update: z.boolean(),
    can_destroy: z.boolean(),
    can_leave: z.boolean(),
  }) satisfies SchemaOf<AccountAccess['permissions']>,
}) satisfies SchemaOf<AccountAccess>;

/** The response of `accounts.accesses.list`. */
export const accountAccessList = z.array(accountAccess) satisfies SchemaFor<
  AccountResponses['accountAccessList']
>;

/** The result of `accounts.accesses.remove`. */
export const removedAccess = z.looseObject({ id: z.int() }) satisfies SchemaFor<
  AccountResponses['removedAccess']
>;

/** Written out, because a type that contains itself cannot be inferred for declaration files. */
type PermissionResourceShape = Readonly<{
  id: z.ZodInt;
  name: z.ZodString;
  type: z.ZodString;
  access_level: z.ZodInt;
  resources: z.ZodArray<z.ZodObject<PermissionResourceShape, z.core.$loose>>;
}>;

/** A resource that permissions can be granted for, with the resources in it. */
export const permissionResource: z.ZodObject<PermissionResourceShape, z.core.$loose> = z.looseObject({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  access_level: z.int(),
  get resources() {
    return z.array(permissionResource);
  },
}) satisfies SchemaOf<PermissionResource>;

/** The response of `accounts.permissions.list`. */
export const permissionResourceList = z.array(permissionResource) satisfies SchemaFor<
  AccountResponses['permissionResourceList']
>;

/** The result of `accounts.permissions.updateAll`. */
export const permissionsUpdated = z.looseObject({
  message: z.string(),
}) satisfies SchemaFor<AccountResponses['permissionsUpdated']>;
