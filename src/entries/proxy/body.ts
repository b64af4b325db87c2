import type { Runtime } from '../../core/runtime.ts';
import { parseJson } from '../../core/json.ts';
import type { Route } from './routes.ts';
import type { WaitingBody } from './waiting-bodies.ts';

/** Limits for reading a body: its size and its duration. */
interface Bounds {
  readonly maxBytes: number;
  readonly maxMs: number;
}

/**
 * The JSON in a request's body, undefined if there is none; or the status of a refusal. The proxy parses the JSON and
 * writes it anew, so that the service cannot read it differently from `authorize`. Reads a clone: the request's own
 * body stays readable, and has arrived in full.
 */
export async function bodyOf(
  request: Request,
  bounds: Bounds,
  waiting: WaitingBody,
  setTimer: Runtime['setTimer'],
): Promise<{ readonly body: unknown } | 400 | 408 | 413 | 415 | 503> {
  const { method, headers } = request;
  if (method === 'GET' || request.body === null) return { body: undefined };
  if (Number(headers.get('content-length')) > bounds.maxBytes) return 413;
  const refusal = await arrivalOf(request, bounds, waiting, setTimer);
  if (refusal !== undefined) return refusal;
  // A clone, because `authorize` may read the request's body too.
  const text = await request.clone().text();
  if (text === '') return { body: undefined };
  if (!/^application\/json *(;|$)/i.test(headers.get('content-type') ?? '')) return 415;
  const body = parseJson(text);
  return body === undefined ? 400 : { body };
}

/** Waits until a body has arrived in full; resolves with a status if it broke a limit. */
async function arrivalOf(
  request: Request,
  { maxBytes, maxMs }: Bounds,
  waiting: WaitingBody,
  setTimer: Runtime['setTimer'],
): Promise<400 | 408 | 413 | 503 | undefined> {
  // Counts the bytes of a clone without keeping them: only the request holds its body.
  const reader = (request.clone().body as ReadableStream<Uint8Array>).getReader();
  let refusal: 400 | 408 | 413 | 503 | undefined;
  const giveUp = (status: 400 | 408 | 413 | 503) => {
    refusal = status;
    // Not awaited: its result does not matter. It ends a pending read.
    reader.cancel().catch(() => undefined);
    request.body?.cancel().catch(() => undefined);
  };
  const stopTimer = setTimer(maxMs, () => giveUp(408));
  const leave = () => giveUp(400);
  request.signal.addEventListener('abort', leave);
  try {
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (refusal !== undefined || done) return refusal;
      bytes += value.byteLength;
      if (bytes > maxBytes) giveUp(413);
      else if (!waiting.add(value.byteLength)) giveUp(503);
    }
  } catch {
    // The body ended early.
    return 400;
  } finally {
    stopTimer();
    request.signal.removeEventListener('abort', leave);
  }
}

/**
 * Renames the body's only field, and the resource types in it, between requests with and without an account. `pairs`
 * has both names of each.
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
