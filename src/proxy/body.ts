import type { Runtime } from '../core/runtime.ts';
import { parseJson } from '../core/json.ts';
import type { Route } from './routes.ts';
import type { WaitingBody } from './waiting-bodies.ts';

/** How much of a body is read, and for how long. */
interface Bounds {
  readonly maxBytes: number;
  readonly maxMs: number;
}

/**
 * The JSON in a request's body, undefined if it has none; or the status of a refusal. It is parsed and written anew, so
 * that the service reads the same in it as everybody before it. The request's own body can still be read: all of it has
 * arrived then.
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
  // The request keeps its body, which `authorize` may read too.
  const text = await request.clone().text();
  if (text === '') return { body: undefined };
  if (!/^application\/json *(;|$)/i.test(headers.get('content-type') ?? '')) return 415;
  const body = parseJson(text);
  return body === undefined ? 400 : { body };
}

/** Waits until all of a body has arrived; resolves with the status that says by which bound it was given up. */
async function arrivalOf(
  request: Request,
  { maxBytes, maxMs }: Bounds,
  waiting: WaitingBody,
  setTimer: Runtime['setTimer'],
): Promise<400 | 408 | 413 | 503 | undefined> {
  // A clone is read, and only counted: the request keeps its body, and nothing else does.
  const reader = (request.clone().body as ReadableStream<Uint8Array>).getReader();
  let refusal: 400 | 408 | 413 | 503 | undefined;
  const giveUp = (status: 400 | 408 | 413 | 503) => {
    refusal = status;
    // Not waited for: whatever it comes to, nothing more is read. It ends a read that waits.
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
    // It broke off, or was not sent in full.
    return 400;
  } finally {
    stopTimer();
    request.signal.removeEventListener('abort', leave);
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
