import { ValidationError } from '../../core/api-errors.ts';
import { callSite } from '../../core/call-site.ts';
import { EmailPlatformError, thrownFrom } from '../../core/error-base.ts';
import type { Issue } from '../../core/errors.ts';
import { takenOptions } from '../../core/request-options.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { Runtime } from '../../core/runtime.ts';
import { stopwatch } from '../../core/steady-time.ts';

/** An object to ensure, and the functions that find, create and remove it. Each request takes the given options. */
export interface Ensured<T> {
  readonly operation: string;
  /** Returns the problems of the arguments. */
  readonly check: () => readonly Issue[];
  /** All matching objects. */
  readonly find: (options: RequestOptions) => Promise<readonly T[]>;
  readonly create: (options: RequestOptions) => Promise<T>;
  readonly remove: (id: number, options: RequestOptions) => Promise<void>;
}

const oldestOf = <T extends { readonly id: number }>(found: readonly T[]): T | undefined =>
  found.reduce<T | undefined>((oldest, one) => (oldest && oldest.id < one.id ? oldest : one), undefined);

/** Whether the object may exist although its creation failed: the response was lost, or the service already has it. */
const mayBeThere = (error: unknown) =>
  error instanceof ValidationError || (error instanceof EmailPlatformError && error.effect === 'unknown');

/**
 * Finds an object, or creates it. The service lets two callers create the same object at once, so each caller searches
 * again after it has created one: all return the oldest, and a caller that created another one removes it.
 */
export async function ensure<T extends { readonly id: number }>(
  runtime: Runtime,
  { operation, check, find, create, remove }: Ensured<T>,
  input: RequestOptions = {},
): Promise<T> {
  const site = callSite();
  try {
    const { deadlineMs, ...others } = takenOptions(operation, input, check);
    const elapsedMs = stopwatch(runtime);
    const options = (): RequestOptions =>
      deadlineMs === undefined ? others : { ...others, deadlineMs: Math.max(1, deadlineMs - elapsedMs()) };
    const there = async () => oldestOf(await find(options()));

    const before = await there();
    if (before) return before;
    let own: T;
    try {
      own = await create(options());
    } catch (error) {
      const found = mayBeThere(error) ? await there() : undefined;
      if (!found) throw error;
      return found;
    }
    const oldest = (await there()) ?? own;
    if (oldest.id !== own.id) await remove(own.id, options());
    return oldest;
  } catch (error) {
    throw thrownFrom(site, error);
  }
}
