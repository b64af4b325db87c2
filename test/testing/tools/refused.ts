/** A function as JavaScript sees it, without types. */
export type Loose = (...args: unknown[]) => unknown;

/** The class and the message of the error that a call throws. */
export function errorOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return String(error);
  }
  return 'no error';
}
