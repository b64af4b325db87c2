import { ApiError } from '../core/api-errors.ts';
import type { EmailPlatformError } from '../core/error-base.ts';
import type { Answer } from '../call/stage.ts';
import type { Call } from '../call/call.ts';
import type { Execute } from '../core/request.ts';

/** Whether `error`, the refusal of a retry, leaves open whether an earlier attempt without a response succeeded. */
export const needsSettling = (call: Call, error: unknown): error is ApiError =>
  error instanceof ApiError && call.request.settle?.status === error.status;

/**
 * An earlier attempt got no response, and its retry was refused, perhaps because the earlier one had succeeded. Finds
 * out by further requests. Returns the result if it had; otherwise, or if that stays unknown, throws the first failure.
 */
export async function settle(
  call: Call,
  execute: Execute,
  refusal: ApiError,
  lost: EmailPlatformError,
): Promise<Answer> {
  // These requests are part of the call: under its options, and within what is left of its deadline.
  const { remainingMs, request } = call;
  const within = remainingMs === Infinity ? request.options : { ...request.options, deadlineMs: remainingMs };
  const settled = await request.settle?.resolve((spec) => execute(spec, within)).catch(() => undefined);
  call.check();
  if (settled === undefined) throw lost;
  return { response: settled.response ?? refusal, text: undefined, data: settled.data };
}
