import type { Inside } from '../client/inside.ts';
import type { Route } from './routes.ts';

/**
 * The JSON in a request's body, undefined if it has none; or the status of a refusal. It is parsed and written anew, so
 * that the service reads the same in it as everybody before it.
 */
export async function bodyOf(
  { readText }: Inside,
  request: Request,
  maxBytes: number,
): Promise<{ readonly body: unknown } | 400 | 413 | 415> {
  const { method, headers } = request;
  if (method === 'GET' || request.body === null) return { body: undefined };
  if (Number(headers.get('content-length')) > maxBytes) return 413;
  const text = await readText(new Response(request.body), maxBytes);
  if (text === undefined) return 413;
  if (text === '') return { body: undefined };
  if (!/^application\/json *(;|$)/i.test(headers.get('content-type') ?? '')) return 415;
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return 400;
  }
}

/**
 * The body as it is under an account, or without one: its only field, and the kinds of resources in it, have another name
 * there. `pairs` are the names of all that has two.
 */
export function rewrapped(
  body: unknown,
  { wrappers }: Route,
  pairs: readonly (readonly string[])[],
  wasUnderAccount: boolean,
  isUnderAccount: boolean,
): unknown {
  if (body === undefined || wasUnderAccount === isUnderAccount) return body;
  const otherName = (name: unknown) =>
    pairs.find((pair) => pair[+wasUnderAccount] === name)?.[+isUnderAccount] ?? name;
  const fields = JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === 'resource_type' ? otherName(value) : value,
  ) as unknown;
  if (!wrappers) return fields;
  const { [wrappers[+wasUnderAccount] ?? '']: content, ...others } = Object(fields) as Record<
    string,
    unknown
  >;
  return { ...others, [wrappers[+isUnderAccount] ?? '']: content };
}
