import type { LiteralUnion } from 'type-fest';

/** An account the token can see. */
export interface Account {
  /** Id of the account. */
  id: number;
  /** Name of the account. */
  name: string;
  /** Access levels of the token's owner in the account: 1000 owner, 100 admin, 10 viewer. */
  access_levels: number[];
}

/** The kind of an access's holder: a user, an invite, an API token, or a kind the service has added since. */
export type SpecifierType = LiteralUnion<'User' | 'Invite' | 'ApiToken', string>;

/** The kind of a resource with access: one of the known kinds, or one the service has added since. */
export type AccessResourceType = LiteralUnion<
  | 'organization'
  | 'account'
  | 'billing'
  | 'project'
  | 'inbox'
  | 'sandbox'
  | 'sending_domain'
  | 'domain'
  | 'email_campaign_permission_scope'
  | 'email_template_permission_scope',
  string
>;

/** The access of a user, an invite or an API token to an account. */
export interface AccountAccess {
  /** Id of the access, for `accounts.accesses.remove`. */
  id: number;
  /** The kind of the holder in `specifier`. */
  specifier_type: SpecifierType;
  /**
   * The user, invite or token that has access; an invite has an email but no name. Log it with care: a token may
   * contain its value.
   */
  specifier: {
    /** Id of the user, invite or token. */
    id: number;
    /** Email address; users and invites only. */
    email?: string | undefined;
    /** Name; users and tokens only. */
    name?: string | undefined;
    /** Whether two-factor authentication is enabled; users only. */
    two_factor_authentication_enabled?: boolean | undefined;
    /** The creator of the token; tokens only. */
    author_name?: string | null | undefined;
    /** Value of the token; tokens only. A secret. */
    token?: string | null | undefined;
    /** When the token expires, as an ISO 8601 date-time; null if it never does. Tokens only. */
    expires_at?: string | null | undefined;
  };
  /** The resources with access. */
  resources: {
    /** Kind of the resource. */
    resource_type: AccessResourceType;
    /** Id of the resource. */
    resource_id: number;
    /** Access level: 1000 owner, 100 admin, 50 viewer and more, 10 viewer, 1 indirect. */
    access_level: number;
  }[];
  /** The permissions of the client's own token for this access. */
  permissions: {
    /** Whether the token may read the access. */
    can_read: boolean;
    /** Whether the token may change the access. */
    can_update: boolean;
    /** Whether the token may remove the access. */
    can_destroy: boolean;
    /** Whether the token may give the access up. */
    can_leave: boolean;
  };
}

/**
 * Parameters of `accounts.accesses.list`: lists an access if, for each given kind, it includes one of the given
 * resources.
 */
export interface AccountAccessListParams {
  /** Ids of sandbox projects. */
  project_ids?: readonly number[] | undefined;
  /** Ids of sending domains. */
  domain_ids?: readonly number[] | undefined;
  /** Ids of sandbox inboxes. */
  inbox_ids?: readonly number[] | undefined;
}

/** The result of `accounts.accesses.remove`. */
export interface RemovedAccess {
  /** Id of the access that was removed. */
  id: number;
}

/** A resource that permissions can be granted for, with the resources in it. */
export interface PermissionResource {
  /** Id of the resource. */
  id: number;
  /** Name of the resource. */
  name: string;
  /** Kind of the resource. */
  type: AccessResourceType;
  /** The token's own access level for the resource. */
  access_level: number;
  /** The resources in this one. */
  resources: PermissionResource[];
}

/** Access of an API token to a resource. */
export interface ResourceAccess {
  /**
   * Kind of the resource: `domain` and `sending_domain` are the same, and so are `sandbox` and `inbox`. The client
   * sends the name of the path.
   */
  resource_type: AccessResourceType;
  /** Id of the resource. */
  resource_id: number;
  /** Access level: 100 admin, 10 viewer. */
  access_level: 100 | 10;
}

/** The resource of a permission. */
interface PermittedResource extends Pick<ResourceAccess, 'resource_type'> {
  /** Id of the resource, as a number or its digits. */
  resource_id: number | string;
}

/** A permission to remove. */
export interface RemovedPermission extends PermittedResource {
  /** Always true. */
  _destroy: true;
  /** Absent: a removal grants nothing. */
  access_level?: never;
}

/** A permission to grant, or with a new level. */
export interface GrantedPermission extends PermittedResource {
  /** Access level, as a number or a word: 100 is `admin`, 10 is `viewer`. */
  access_level: 100 | 10 | 'admin' | 'viewer';
  /** Absent: a grant removes nothing. */
  _destroy?: never;
}

/** One change by `accounts.permissions.updateAll`: a permission to grant, change or remove. */
export type PermissionChange = GrantedPermission | RemovedPermission;

/** The result of `accounts.permissions.updateAll`. */
export interface PermissionsUpdated {
  /** The service's message. */
  message: string;
}
