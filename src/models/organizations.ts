/** An account of an organization. Not in the specification; taken from the service's public API reference. */
export interface SubAccount {
  /** Id of the account. */
  id: number;
  /** Name of the account. */
  name: string;
}

/** Parameters of `organizations.subAccounts(…).create`. */
export interface SubAccountCreateParams {
  /** Name of the account. */
  name: string;
}
