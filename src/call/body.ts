import { InvalidRequestError } from '../core/errors.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import type { RequestSpec } from '../core/request.ts';
import type { Call } from './call.ts';

type BodySpec = Pick<RequestSpec<unknown>, 'operation' | 'body' | 'prepareBody' | 'maxBodyBytes'>;

const invalidBody = (message: string, { operation }: BodySpec, cause?: unknown) =>
  new InvalidRequestError([{ path: 'body', message }], { operation, ...(cause !== undefined && { cause }) });

function fitting<B extends string | Blob>(body: B, spec: BodySpec): B {
  const { maxBodyBytes = Infinity } = spec;
  // A UTF-16 code unit takes at most three bytes, so a small text need not be encoded to be measured.
  if (typeof body === 'string' && 3 * body.length <= maxBodyBytes) return body;
  if (new Blob([body]).size <= maxBodyBytes) return body;
  throw invalidBody(`must be at most ${maxBodyBytes} bytes as JSON`, spec);
}

const unwritable = (cause: unknown, spec: BodySpec) =>
  cause instanceof EmailPlatformError ? cause : invalidBody('must be serializable as JSON', spec, cause);

/** The body as JSON; undefined if there is none. */
export function bodyOf(spec: BodySpec): string | undefined {
  try {
    return spec.body === undefined ? undefined : fitting(JSON.stringify(spec.body), spec);
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
    call.request.body = await call.wait(written, { doing: 'reading its attachments' });
  } catch (cause) {
    controller.abort(cause);
    throw unwritable(cause, spec);
  }
}
