import type { EmailPlatform } from 'email-platform';
import { STREAMS, type RequestSpec } from '../../src/core/request.ts';
import { requestsOf } from './recorded-endpoints.ts';
import { resourceMethods, type ResourceMethod } from './resource-methods.ts';

/** Options of calls, which methods read from their last argument. */
const OPTIONS = ['accountId', 'as', 'deadlineMs', 'sandboxInboxId', 'stream'];

interface Recorded {
  readonly operation: string;
  readonly host: string;
  readonly verb: string;
  readonly path: string;
  readonly query: readonly string[];
  /** The only field of the body, if there is one. */
  readonly wrapper: string | undefined;
  readonly isRaw: boolean;
}

/** What is recorded of each request of a method; `filled` returns the endpoint whose path was filled in last. */
async function recordedOf(
  method: ResourceMethod,
  [clientAccountId, callAccountId]: readonly (number | undefined)[],
  stream: (typeof STREAMS)[number],
  filled: () => string,
  value?: unknown,
): Promise<Recorded[]> {
  const read = new Set<string>();
  // It has no fields of its own, but answers to every name, and so learns the names that are read.
  const argument = new Proxy(
    {},
    {
      get: (_, name) => {
        if (typeof name !== 'string') return undefined;
        read.add(name);
        return name === 'accountId' ? callAccountId : OPTIONS.includes(name) ? undefined : value;
      },
    },
  );
  const recorded: Recorded[] = [];
  const onMade = (request: RequestSpec<unknown>) => {
    const { operation, host, method: verb, path, body, result } = request;
    // What is fetched from a signed address is no endpoint.
    if (!path.startsWith('/')) return;
    let names: string[] = [];
    try {
      request.check?.();
      names = Object.keys(request.query?.() ?? {});
    } catch {
      // Refused: the names have been read all the same.
    }
    const query = [...new Set([...read, ...names])].filter((name) => !OPTIONS.includes(name));
    const fields = Object.keys(Object(body) as object);
    recorded.push({
      operation,
      host,
      verb,
      path: filled().split(' ')[1] ?? '',
      query: verb === 'GET' ? query.sort() : [],
      wrapper: fields.length === 1 ? fields[0] : undefined,
      isRaw: !['json', 'none', 'any'].includes(result.kind),
    });
  };
  await requestsOf(method, clientAccountId, stream, { argument, onMade });
  return recorded;
}

/** One endpoint as a line of the table. */
function lineOf(plain: Recorded, ofClient: Recorded, ofCall: Recorded): string {
  const { host, verb, path, query, wrapper, isRaw } = ofCall;
  const onlyByCall = ofClient.path !== path;
  const template = onlyByCall ? path.replace('{account}', '{account?}') : path;
  return [
    ...(host === 'api' ? [] : [host]),
    verb + template + (query.length > 0 ? `?${query.join(',')}` : ''),
    ...(plain.wrapper === wrapper ? [] : [`${String(plain.wrapper)}>${String(wrapper)}`]),
    ...(isRaw ? ['raw'] : []),
  ].join(' ');
}

/** The lines of every operation. */
async function linesOf(client: EmailPlatform, filled: () => string): Promise<Record<string, string[]>> {
  const table: Record<string, string[]> = {};
  for (const method of resourceMethods(client)) {
    for (const stream of STREAMS) {
      const record = (accounts: readonly (number | undefined)[]) =>
        recordedOf(method, accounts, stream, filled);
      const plain = await record([undefined, undefined]);
      const ofClient = await record([NaN, undefined]);
      const ofCall = await record([NaN, NaN]);
      // What is undefined is left out of a query, so that a parameter with another name on the wire would be missed.
      const given = await recordedOf(method, [NaN, NaN], stream, filled, [1]);
      for (const [index, { query, ...rest }] of ofCall.entries()) {
        const all = [...new Set([...query, ...(given[index]?.query ?? [])])].sort();
        const recorded = { ...rest, query: all };
        const [one = recorded, two = recorded] = [plain[index], ofClient[index]];
        const lines = (table[recorded.operation] ??= []);
        const line = lineOf(one, two, recorded);
        if (!lines.includes(line)) lines.push(line);
      }
    }
  }
  // An address that two operations share is that of the one which has no other.
  const alone = new Set(Object.values(table).flatMap((lines) => (lines.length === 1 ? lines : [])));
  for (const [operation, lines] of Object.entries(table))
    if (lines.length > 1) table[operation] = lines.filter((line) => !alone.has(line));
  return table;
}

/** The path in a line. */
const pathIn = (line: string) => /[A-Z]((?:\{account\??\})?\/[^ ?]*)/.exec(line)?.[1] ?? '';

/** What all paths of a group begin with, in whole segments. */
function baseOf(lines: readonly string[]): string {
  const paths = lines.map((line) => pathIn(line).split('/'));
  const [first = []] = paths;
  const length = first.findIndex((segment, index) => paths.some((path) => path[index] !== segment));
  return first.slice(0, length < 0 ? first.length : length).join('/');
}

/**
 * The endpoints of every operation, by group, as the methods themselves send them: see `src/proxy/operations.ts`.
 * `filled` returns the endpoint whose path was filled in last.
 */
export async function operationTable(
  client: EmailPlatform,
  filled: () => string,
): Promise<Record<string, Record<string, string>>> {
  const groups: Record<string, Record<string, string[]>> = {};
  for (const [operation, lines] of Object.entries(await linesOf(client, filled))) {
    const dot = operation.lastIndexOf('.');
    (groups[operation.slice(0, dot)] ??= {})[operation.slice(dot + 1)] = lines;
  }
  return Object.fromEntries(
    Object.entries(groups).map(([group, operations]) => {
      const base = baseOf(Object.values(operations).flat());
      const rows = Object.entries(operations).map(([name, lines]) => [
        name,
        lines.map((line) => line.replace(base, '')).join('; '),
      ]);
      return [group, { '': base, ...(Object.fromEntries(rows) as Record<string, string>) }];
    }),
  );
}
