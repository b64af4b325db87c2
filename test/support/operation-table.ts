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
    const { operation, host, method: verb, body, result, signedUrl } = request;
    if (signedUrl !== undefined) return;
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
  return [
    ...(host === 'api' ? [] : [host]),
    verb,
    (onlyByCall ? path.replace('{account}', '{account?}') : path) +
      (query.length > 0 ? `?${query.join(',')}` : ''),
    ...(plain.wrapper === wrapper ? [] : [`${String(plain.wrapper)}>${String(wrapper)}`]),
    ...(isRaw ? ['raw'] : []),
  ].join(' ');
}

/**
 * The endpoints of every operation, as the methods themselves send them. `filled` returns the endpoint whose path was
 * filled in last.
 */
export async function operationTable(
  client: EmailPlatform,
  filled: () => string,
): Promise<Record<string, string[]>> {
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
  const alone = new Set(
    Object.values(table).flatMap((lines) => (lines.length === 1 ? lines : [])),
  );
  for (const [operation, lines] of Object.entries(table))
    if (lines.length > 1) table[operation] = lines.filter((line) => !alone.has(line));
  return table;
}
