import { flag, oneOf, positiveOrInfinity } from '../../checks/kind.ts';
import { option, type Options, type Settings } from '../../option.ts';

/** The behavior of accounts and tokens where published sources disagree. */
export interface EmulatorAccountOptions {
  /**
   * The path of the list of permissions: `resources` is `permissions/resources`, as recorded; `permissions` is
   * `permissions`, as specified; `both` serves both. The path that is not served responds with 404.
   * @defaultValue 'both'
   */
  permissionsPath?: 'resources' | 'permissions' | 'both';
  /**
   * Whether the list of accesses has the API tokens of the account, too, with their values. The public reference has
   * them there; recorded lists have users and invites only.
   * @defaultValue false
   */
  listsTokens?: boolean;
  /**
   * How long an API token is valid that is created without `expires_at`, in milliseconds. The service is introducing 365
   * days.
   * @defaultValue Infinity
   */
  tokenLifetimeMs?: number;
}

export type AccountSettings = Settings<EmulatorAccountOptions>;

export const accountOptions: Options<EmulatorAccountOptions> = {
  permissionsPath: option(
    oneOf(['resources', 'permissions', 'both']),
    'both',
    'specified as one and recorded as the other',
  ),
  listsTokens: option(flag, false, 'recorded lists have no tokens; the public reference has them'),
  tokenLifetimeMs: option(positiveOrInfinity, Infinity, 'recorded tokens do not expire'),
};
