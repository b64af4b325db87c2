import { NotFoundError, PermissionDeniedError } from '../../core/api-errors.ts';
import { isForeign } from './foreign.ts';

/** A part of the account that a diagnosis reads. */
export type DiagnosedPart =
  | 'suppressions'
  | 'trackingOptOuts'
  | 'emailLogs'
  | 'contacts'
  | 'contacts.lists'
  | 'sendingDomains';

/** Reads parts, and records the names of the parts that the token may not read. */
export class PartReader {
  readonly #unreadable = new Set<DiagnosedPart>();

  get unreadable(): readonly DiagnosedPart[] {
    return [...this.#unreadable];
  }

  /** The result of `look`; undefined if the token may not read the part. */
  async read<T>(part: DiagnosedPart, look: () => PromiseLike<T>): Promise<T | undefined> {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof PermissionDeniedError) || isForeign(error)) throw error;
      this.#unreadable.add(part);
      return undefined;
    }
  }
}

/** The result of a promise; null after a 404. */
export async function orNull<T>(result: PromiseLike<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** The first items of a list, and whether there are more. */
export async function firstOf<T>(list: AsyncIterable<T>, count = Infinity): Promise<[T[], boolean]> {
  const items: T[] = [];
  for await (const item of list) {
    if (items.length === count) return [items, true];
    items.push(item);
  }
  return [items, false];
}
