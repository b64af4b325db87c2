/** An account of an organization. */
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
