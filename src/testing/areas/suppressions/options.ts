import { positive } from '../../checks/kind.ts';
import { option, type Options, type Settings } from '../../option.ts';

/** The behavior of suppressions and of tracking opt-outs where it is not published. */
export interface EmulatorSuppressionOptions {
  /**
   * The number of items on a page of either list.
   * @defaultValue 1000
   */
  pageSize?: number;
}

export type SuppressionSettings = Settings<EmulatorSuppressionOptions>;

export const suppressionOptions: Options<EmulatorSuppressionOptions> = {
  pageSize: option(positive, 1000, 'the public reference'),
};
