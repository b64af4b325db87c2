import { InvalidRequestError } from '../core/errors.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import type { RequestSpec } from '../core/request.ts';
import type { Call } from './call.ts';

type BodySpec = Pick<RequestSpec<unknown>, 'operation' | 'body' | 'prepareBody' | 'maxBodyBytes'>;

function sizeOf(body: string | Blob): number {
  return typeof body === 'string' ? new TextEncoder().encode(body).length : body.size;
}

function fitting<B extends string | Blob>(body: B, { operation, maxBodyBytes = Infinity }: BodySpec): B {
  // A UTF-16 code unit takes at most three bytes, so a small text need not be encoded to be measured.
  const fits = (typeof body === 'string' && 3 * body.length <= maxBodyBytes) || sizeOf(body) <= maxBodyBytes;
  if (fits) return body;
  throw new InvalidRequestError(
    [{ path: 'body', message: `must be at most ${maxBodyBytes} bytes as JSON` }],
    {
      operation,
    },
  );
}

function unwritable(cause: unknown, operation: string): InvalidRequestError {
  if (cause instanceof InvalidRequestError) return cause;
  return new InvalidRequestError([{ path: 'body', message: 'must be serializable as JSON' }], {
    operation,
    cause,
  });
}

/** The body as JSON; undefined if there is none. */
export function bodyOf(spec: BodySpec): string | undefined {
  try {
    return spec.body === undefined ? undefined : fitting(JSON.stringify(spec.body), spec);
  } catch (cause) {
    throw unwritable(cause, spec.operation);
  }
}

/** Writes a body that takes time, and sets it on the call; gives up as soon as the call has to end. */
export async function writeBody(call: Call, spec: BodySpec): Promise<void> {
  call.check();
  const controller = new AbortController();
  try {
    const written = spec.prepareBody?.(controller.signal).then((body) => fitting(body, spec));
    call.request.body = await call.wait(written, { doing: 'reading its attachments' });
  } catch (cause) {
    controller.abort(cause);
    throw cause instanceof EmailPlatformError ? cause : unwritable(cause, spec.operation);
  }
}
