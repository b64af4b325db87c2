/** How contacts behave where it is not published. */
export interface EmulatorContactOptions {
  /**
   * How long an import takes from `created` to `finished`, in milliseconds. Its contacts change when it finishes.
   * @defaultValue 2000
   */
  importMs?: number;
  /**
   * How long an export takes from `created` to `finished`, in milliseconds. Its file has the contacts of that moment.
   * @defaultValue 2000
   */
  exportMs?: number;
  /**
   * How long a link to an exported file is valid, in milliseconds.
   * @defaultValue 3_600_000
   */
  fileUrlMs?: number;
  /**
   * How many contacts an account can have. A further one is refused with 422; an import leaves it out and counts it.
   * @defaultValue Infinity
   */
  max?: number;
}

/** The same options, with their defaults. */
export type ContactOptions = Readonly<Required<EmulatorContactOptions>>;

export const CONTACT_DEFAULTS: ContactOptions = {
  importMs: 2000,
  exportMs: 2000,
  fileUrlMs: 3_600_000,
  max: Number.POSITIVE_INFINITY,
};
