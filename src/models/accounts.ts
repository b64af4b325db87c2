import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { answerSchema, once, whole } from './check.ts';

/** An account the token can see; fields from the public reference. */
export interface Account {
  /** The account's id. */
  id: number;
  /** The account's name. */
  name: string;
  /** What the token's owner is in it: 1000 owner, 100 admin, 10 viewer. */
  access_levels: number[];
}

/** Who has access: a user, an invited one, or an API token; or a kind the service has added since. */
export type SpecifierType = LiteralUnion<'User' | 'Invite' | 'ApiToken', string>;

/** What access is given to: one of the known kinds, or one the service has added since. */
export type AccessResourceType = LiteralUnion<
  | 'organization'
  | 'account'
  | 'billing'
  | 'project'
  | 'inbox'
  | 'sandbox'
  | 'sending_domain'
  | 'domain'
  | 'email_campaign_permission_scope',
  string
>;

/** Somebody's access to an account; fields from the public reference. */
export interface AccountAccess {
  /** The access's id, to remove it by. */
  id: number;
  /** What kind of specifier has it. */
  specifier_type: SpecifierType;
  /** Who has it; an invite has an email only. */
  specifier: {
    /** The user's, invite's or token's id. */
    id: number;
    /** Its address, for users and invites. */
    email?: string;
    /** Its name, for users and tokens. */
    name?: string;
    /** Whether it signs in with two factors, for users. */
    two_factor_authentication_enabled?: boolean;
  };
  /** What it gives access to. */
  resources: {
    /** What kind of thing. */
    resource_type: AccessResourceType;
    /** Its id. */
    resource_id: number;
    /** 1000 owner, 100 admin, 50 viewer and more, 10 viewer, 1 indirect. */
    access_level: number;
  }[];
  /** What the token may do with this access. */
  permissions: {
    /** See it. */
    can_read: boolean;
    /** Change it. */
    can_update: boolean;
    /** Remove it. */
    can_destroy: boolean;
    /** Give it up. */
    can_leave: boolean;
  };
}

/** What `accounts.accesses.remove` answers, by the public reference. */
export interface RemovedAccess {
  /** The id of the access that was removed. */
  id: number;
}

/** A thing permissions can be given for, with the things in it, by the public reference. */
export interface PermissionResource {
  /** Its id. */
  id: number;
  /** Its name. */
  name: string;
  /** What kind of thing. */
  type: AccessResourceType;
  /** The token's own access level for it. */
  access_level: number;
  /** The things in it. */
  resources: PermissionResource[];
}

const account = once((): z.ZodMiniType<Account> =>
  z.looseObject({ id: whole(), name: z.string(), access_levels: z.array(whole()) }),
);

/** The answer of `accounts.list`. */
export const accountListAnswer = answerSchema(() => z.array(account()));
