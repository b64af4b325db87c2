import type { Runtime } from '../core/runtime.ts';
import { parseJson } from '../core/json.ts';
import type { Route } from './routes.ts';

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
  setTimer: Runtime['setTimer'],
): Promise<{ readonly body: unknown } | 400 | 408 | 413 | 415> {
  const { method, headers } = request;
  if (method === 'GET' || request.body === null) return { body: undefined };
  if (Number(headers.get('content-length')) > bounds.maxBytes) return 413;
  const text = await textOf(request, bounds, setTimer);
  if (typeof text === 'number') return text;
  if (text === '') return { body: undefined };
  if (!/^application\/json *(;|$)/i.test(headers.get('content-type') ?? '')) return 415;
  const body = parseJson(text);
  return body === undefined ? 400 : { body };
}

/** The text of a body; or the status that says by which bound it was given up. */
async function textOf(
  request: Request,
  { maxBytes, maxMs }: Bounds,
  setTimer: Runtime['setTimer'],
): Promise<string | 400 | 408 | 413> {
  // A clone, because `authorize` may read the body too. What it has not read yet is kept, so there is no second bound.
  const reader = (request.clone().body as ReadableStream<Uint8Array>).getReader();
  let refusal: 400 | 408 | 413 | undefined;
  const giveUp = (status: 400 | 408 | 413) => {
    refusal = status;
    // Not waited for: whatever it comes to, nothing more is read. It ends a read that waits.
    reader.cancel().catch(() => undefined);
    request.body?.cancel().catch(() => undefined);
  };
  const stopTimer = setTimer(maxMs, () => giveUp(408));
  const leave = () => giveUp(400);
  request.signal.addEventListener('abort', leave);
  try {
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (refusal !== undefined) return refusal;
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      if (bytes > maxBytes) giveUp(413);
      else text += decoder.decode(value, { stream: true });
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
