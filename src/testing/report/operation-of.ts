import { OPERATIONS } from './operation-table.ts';

interface Line {
  readonly segments: readonly string[];
  readonly operation: string | null;
}

/** The client's method that sends such a request, such as `campaigns.get`; `null` unless there is exactly one. */
export type OperationOf = (method: string, host: string, path: string) => string | null;

/** Reads the table of methods. */
export function operationNames(): OperationOf {
  const byVerb = new Map<string, Line[]>();
  for (const [line, operation] of Object.entries(OPERATIONS)) {
    const [method = '', host = '', path = ''] = line.split(' ');
    const verb = `${method} ${host}`;
    byVerb.set(verb, [...(byVerb.get(verb) ?? []), { segments: path.split('/'), operation }]);
  }
  // Lines with fewer arguments first: `/contacts/lists` is no contact.
  const args = ({ segments }: Line) => segments.filter((segment) => segment === '{}').length;
  for (const lines of byVerb.values()) lines.sort((a, b) => args(a) - args(b));
  return (method, host, path) => {
    const given = path.split('/');
    const isLine = ({ segments }: Line) =>
      segments.length === given.length &&
      segments.every((segment, index) => segment === '{}' || segment === given[index]);
    return byVerb.get(`${method} ${host}`)?.find(isLine)?.operation ?? null;
  };
}
