/** `Array.fromAsync`, where the runtime has it. The compiler's library is that of the oldest Node, which has not. */
export const { fromAsync } = Array as {
  readonly fromAsync?: <T>(items: AsyncIterable<T>) => Promise<T[]>;
};
