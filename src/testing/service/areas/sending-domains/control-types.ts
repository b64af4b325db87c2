/** A summary of a sending domain. */
export interface EmulatorDomain {
  /** Its id. */
  readonly id: number;
  /** The account that it belongs to. */
  readonly accountId: number;
  /** Its name. */
  readonly name: string;
  /** Whether all of its DNS records pass. */
  readonly verified: boolean;
}

/** Changes sending domains without a request. */
export interface EmulatorDomains {
  /**
   * Adds a domain, which is verified unless `verified` is `false`. It belongs to the account of
   * {@link Emulator.clientOptions} unless `accountId` names another.
   *
   * @returns The id of the domain.
   * @throws `TypeError` or `RangeError` if the name is missing, is not a domain name or is already taken.
   */
  add(domain: { name: string; verified?: boolean; accountId?: number }): number;
  /**
   * Makes the DNS records of a domain pass or fail.
   *
   * @throws `RangeError` if there is no such domain.
   */
  setVerified(id: number, verified: boolean): void;
  /** Returns every domain, of every account. */
  list(): EmulatorDomain[];
}
