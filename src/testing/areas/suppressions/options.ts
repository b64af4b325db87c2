/** The behavior of suppressions and of tracking opt-outs where it is not published. */
export interface EmulatorSuppressionOptions {
  /**
   * The number of items on a page of either list.
   * @defaultValue 1000
   */
  pageSize?: number;
}
