/** The reading of a request of the control API: its path, its query and its body, each checked by its kind. */
import { check, type Kind } from '../../declare/kind.ts';
import { parseBody } from '../../service/engine/body.ts';
import { badRequest, Refusal, type Reply } from '../../service/wire/reply.ts';
import type { Operation } from './operations.ts';
import { camelCase, snakeCase } from './path.ts';
import { fromJson } from './serialize.ts';

export type Given = Readonly<Record<string, unknown>>;

/** A request for a handler: allowed, and its parameters are read and checked. */
export interface Asked {
  readonly params: Given;
  readonly query: Given;
  readonly body: Given;
  readonly origin: string;
  /** The address of the API: for a browser, that of its session. */
  readonly base: string;
  readonly gone: AbortSignal;
}

/** Answers a request. */
export type Handler = (asked: Asked) => Reply | Promise<Reply>;

/** Handlers by the names of their operations. */
export type Handlers = Readonly<Record<string, Handler>>;

/** An operation, and the segments of its path. */
export interface Pattern {
  readonly operation: Operation;
  readonly segments: readonly string[];
}

/** A text of the URL as a value: a number or a boolean if the kind is one and the text has its form. */
function valueOf({ form }: Kind, text: string): unknown {
  if ((form?.type === 'number' || form?.type === 'integer') && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text);
  if (form?.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** The arguments in the path. */
export function paramsOf({ operation, segments: pattern }: Pattern, segments: readonly string[]): Given {
  const params = pattern.flatMap((name, index): [string, unknown][] => {
    if (!name.startsWith('{')) return [];
    const key = name.slice(1, -1);
    const kind = operation.params[key];
    const value = kind === undefined ? segments[index] : valueOf(kind, segments[index] ?? '');
    if (kind !== undefined) controlledCheck(kind, value, key);
    return [[key, value]];
  });
  return Object.fromEntries(params);
}

/** Reads the query, whose names have underscores. */
export function queryOf({ query: kinds }: Operation, given: URLSearchParams): Given {
  const known = Object.keys(kinds).map(snakeCase);
  const values: Record<string, unknown> = {};
  for (const [name, text] of given) {
    const kind = kinds[camelCase(name)]?.kind;
    if (kind === undefined || !known.includes(name)) {
      const names = known.length === 0 ? 'there are none' : `the known names are ${known.join(', ')}`;
      throw badRequest(`\`${name}\` is unknown in the query; ${names}`);
    }
    const value = valueOf(kind, text);
    controlledCheck(kind, value, name);
    values[camelCase(name)] = value;
  }
  for (const [name, { kind, isOptional }] of Object.entries(kinds)) {
    if (!isOptional && values[name] === undefined) controlledCheck(kind, undefined, snakeCase(name));
  }
  return values;
}

/** Reads and checks a JSON body. */
export function bodyOf(kind: Kind, bytes: Uint8Array): Given {
  const value = fromJson(kind, parseBody('api', new Headers({ 'content-type': 'application/json' }), bytes));
  controlledCheck(kind, value, 'body');
  return value as Given;
}

/** Refuses a value that is not of its kind. */
export const controlledCheck = (kind: Kind, value: unknown, name: string) => {
  try {
    check(kind, value, name);
  } catch (error) {
    throw asRefusal(error);
  }
};

/** Calls a method of the emulator. Its `TypeError` or `RangeError` becomes a response with status 400. */
export async function controlled(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof RangeError)) return error;
  return new Refusal({ status: 400, json: { error: error.message, name: error.name } });
}
