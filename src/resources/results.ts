import { isRecord } from '../core/record.ts';
import type { ResultReader, Settlement } from '../core/request.ts';

/** The result is the body itself, which has to be an object. */
export const bareObject = <T>(): ResultReader<T> => ({
  kind: 'json',
  unwrap: (body) => (isRecord(body) ? (body as T) : undefined),
});

/** The result is the object under `data`. */
export function underData<T>(): ResultReader<T> {
  return {
    kind: 'json',
    unwrap: (body) => (isRecord(body) && isRecord(body.data) ? (body.data as T) : undefined),
  };
}

/** A deletion whose response was lost: a 404 to its retry means that it succeeded. */
export const goneMeansDeleted: Settlement<void> = {
  status: 404,
  resolve: () => Promise.resolve({ data: undefined }),
};

/** There is no result. */
export const nothing: ResultReader<void> = { kind: 'none', value: undefined };
