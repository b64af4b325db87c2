import type { AccessResourceType, ResourceAccess } from '../accounts/types.ts';

/** An API token, without its value. */
export interface ApiToken {
  /** Id of the token. */
  id: number;
  /** Name of the token. */
  name: string;
  /** The last four characters of its value. */
  last_4_digits: string;
  /** Who created it: the name of a user, or of another token. */
  created_by: string;
  /** When it expires, as an ISO 8601 date-time; null if it never does. */
  expires_at: string | null;
  /** The resources that it has access to. */
  resources: {
    /** Kind of the resource. */
    resource_type: AccessResourceType;
    /** Id of the resource. */
    resource_id: number;
    /** Access level: 100 admin, 10 viewer. */
    access_level: number;
  }[];
}

/** A new API token: the result of `apiTokens.create` and `apiTokens.reset`, and the only place where its value is. */
export interface NewApiToken extends ApiToken {
  /** The value to authenticate with. Keep it secret, and store it: the service does not show it again. */
  token: string;
}

/** Parameters of `apiTokens.reset`. */
export interface ApiTokenResetParams {
  /**
   * When the new token expires: at most five years ahead, or null for never. A string is an ISO 8601 date-time. Left out,
   * the service decides; it is introducing 365 days.
   */
  expires_at?: Date | string | null | undefined;
}

/** Parameters of `apiTokens.create`. */
export interface ApiTokenCreateParams extends ApiTokenResetParams {
  /** Name of the token. */
  name: string;
  /** The resources that it is to have access to; those of `accounts.permissions.list` can be given. */
  resources?: readonly ResourceAccess[] | undefined;
}
