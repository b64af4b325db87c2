import { wrongArgument } from '../core/errors.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import type { RequestSpec } from '../core/request.ts';
import type { Call } from './call.ts';

type BodySpec = Pick<RequestSpec<unknown>, 'operation' | 'body' | 'prepareBody' | 'maxBodyBytes'>;

function fitting<B extends string | Blob>(body: B, { operation, maxBodyBytes }: BodySpec): B {
  if (maxBodyBytes === undefined || new Blob([body]).size <= maxBodyBytes) return body;
  throw wrongArgument(operation, 'body', `must be at most ${maxBodyBytes} bytes as JSON`);
}

function unwritable(cause: unknown, { operation }: BodySpec): EmailPlatformError {
  if (cause instanceof EmailPlatformError) return cause;
  return wrongArgument(operation, 'body', 'must be serializable as JSON', cause);
}

/** The body as JSON; undefined if there is none, or if it takes time to write. */
export function bodyOf(spec: BodySpec): string | undefined {
  if (spec.prepareBody) return undefined;
  try {
    const body = spec.body?.();
    return body === undefined ? undefined : fitting(JSON.stringify(body), spec);
  } catch (cause) {
    throw unwritable(cause, spec);
  }
}

/** Writes a body that takes time, and sets it on the call; gives up as soon as the call has to end. */
export async function writeBody(call: Call, spec: BodySpec): Promise<void> {
  call.check();
  const controller = new AbortController();
  try {
    const written = spec.prepareBody?.(controller.signal).then((body) => fitting(body, spec));
    call.request.body = await call.wait(written, 'reading its attachments');
  } catch (cause) {
    controller.abort(cause);
    throw unwritable(cause, spec);
  }
}
