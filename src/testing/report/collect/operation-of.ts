import { OPERATIONS } from './operation-table.ts';

interface Line {
  readonly segments: readonly string[];
  readonly operation: string | null;
}

/** Returns the client's method for a request, such as `campaigns.get`; `null` unless exactly one method sends it. */
export type OperationOf = (method: string, host: string, path: string) => string | null;

/** A segment with two names: the first without an account, the second under one. */
const NAMES = /\{(\w+)\|(\w+)\}/;

/** Builds the look-up from the table of methods. */
export function operationNames(): OperationOf {
  const byVerb = new Map<string, Line[]>();
  for (const [line, operation] of Object.entries(OPERATIONS)) {
    const [method = '', host = '', path = ''] = line.split(' ');
    const verb = `${method} ${host}`;
    const paths = [
      path.replace('{account}', '/api').replace(NAMES, '$1'),
      path.replace('{account}', '/api/accounts/{}').replace(NAMES, '$2'),
    ];
    const lines = [...new Set(paths)].map((one) => ({ segments: one.split('/'), operation }));
    byVerb.set(verb, [...(byVerb.get(verb) ?? []), ...lines]);
  }
  // Lines with fewer arguments first, so that `/contacts/lists` does not match `/contacts/{}`.
  const args = ({ segments }: Line) => segments.filter((segment) => segment === '{}').length;
  for (const lines of byVerb.values()) lines.sort((a, b) => args(a) - args(b));
  return (method, host, path) => {
    const parts = path.split('/');
    const isLine = ({ segments }: Line) =>
      segments.length === parts.length &&
      segments.every((segment, index) => segment === '{}' || segment === parts[index]);
    return byVerb.get(`${method} ${host}`)?.find(isLine)?.operation ?? null;
  };
}
