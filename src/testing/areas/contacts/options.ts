import { duration, positiveOrInfinity } from '../../checks/kind.ts';
import { option, type Options, type Settings } from '../../option.ts';

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

export type ContactSettings = Settings<EmulatorContactOptions>;

export const contactOptions: Options<EmulatorContactOptions> = {
  importMs: option(duration, 2000, 'not published'),
  exportMs: option(duration, 2000, 'not published'),
  fileUrlMs: option(duration, 3_600_000, 'not published'),
  max: option(positiveOrInfinity, Infinity, 'depends on the plan; a test that needs a limit sets one'),
};
