import type { EmailPlatformError } from 'email-platform';

type ErrorClass<E> = abstract new (...args: never[]) => E;

/** The error a promise rejects with; fails unless it is of this class. */
export async function rejection<E extends EmailPlatformError>(
  promise: PromiseLike<unknown>,
  errorClass: ErrorClass<E>,
): Promise<E> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (outcome === undefined) throw new Error('The promise was not rejected.');
  return ofClass(outcome.error, errorClass);
}

/** The error a function throws; fails unless it is of this class. */
export function thrown<E extends EmailPlatformError>(run: () => unknown, errorClass: ErrorClass<E>): E {
  try {
    run();
  } catch (error) {
    return ofClass(error, errorClass);
  }
  throw new Error('The function did not throw.');
}

function ofClass<E>(error: unknown, errorClass: ErrorClass<E>): E {
  if (error instanceof errorClass) return error;
  throw new Error(`The error is not a ${errorClass.name}.`, { cause: error });
}
