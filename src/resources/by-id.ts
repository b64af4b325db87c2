import type { Issue } from '../core/errors.ts';
import type { HttpMethod, RequestSpec } from '../core/request.ts';
import { idIssues } from '../models/check.ts';
import { goneMeansDeleted, nothing } from './results.ts';

interface ById {
  readonly operation: string;
  readonly method: HttpMethod;
  /** With an `{id}` in it. */
  readonly path: string;
  /** What is wrong with the other arguments. */
  readonly issues?: () => readonly Issue[];
}

/** A request about one object. Sent twice, it has the same effect as once; where that is not so, the caller says it. */
export const byId = (id: number, { issues = () => [], ...request }: ById) => ({
  ...request,
  host: 'api' as const,
  pathParams: { id },
  check: () => [...idIssues(id), ...issues()],
  isRepeatable: true,
});

/** A request that deletes one object. */
export const deleteById = (id: number, operation: string, path: string): RequestSpec<void> => ({
  ...byId(id, { operation, method: 'DELETE', path }),
  result: nothing,
  settle: goneMeansDeleted,
});
