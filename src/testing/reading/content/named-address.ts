/** An address of an email with its display name. */
export interface NamedAddress {
  /** The address. */
  readonly email: string;
  /** The name; `null` if there is none. */
  readonly name: string | null;
}
