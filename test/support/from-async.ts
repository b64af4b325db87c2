/** `Array.fromAsync`, if the runtime has it. The compiler's library is that of the oldest Node, which lacks it. */
export const { fromAsync } = Array as {
  readonly fromAsync?: <T>(items: AsyncIterable<T>) => Promise<T[]>;
};
