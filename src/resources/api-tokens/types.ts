import type { AccessResourceType, ResourceAccess } from '../accounts/types.ts';

/** An API token, without its value. */
export interface ApiToken {
  /** Id of the token. */
  id: number;
  /** Name of the token. */
  name: string;
  /** The last four characters of its value. */
  last_4_digits: string;
  /** Its creator: the name of a user, or of another token. */
  created_by: string;
  /** When it expires, as an ISO 8601 date-time; null if it never does. */
  expires_at: string | null;
  /** The resources with access. */
  resources: {
    /** Kind of the resource. */
    resource_type: AccessResourceType;
    /** Id of the resource. */
    resource_id: number;
    /** Access level: 100 admin, 10 viewer. */
    access_level: number;
  }[];
}

/** A new API token: the result of `apiTokens.create` and `apiTokens.reset`, the only results with its value. */
export interface NewApiToken extends ApiToken {
  /** The value to authenticate with. Keep it secret, and store it: the service does not show it again. */
  token: string;
}

/** Parameters of `apiTokens.reset`. */
export interface ApiTokenResetParams {
  /**
   * When the new token expires: at most five years ahead, or null for never. A string is an ISO 8601 date-time. By
   * default the service decides; it is introducing 365 days.
   */
  expires_at?: Date | string | null | undefined;
}

/** Parameters of `apiTokens.create`. */
export interface ApiTokenCreateParams extends ApiTokenResetParams {
  /** Name of the token. */
  name: string;
  /** The resources to which it gets access, from `accounts.permissions.list`. */
  resources?: readonly ResourceAccess[] | undefined;
}
