import { ApiError } from '../core/api-errors.ts';
import type { Answer } from './stage.ts';
import type { Call } from './call.ts';

/**
 * A call has failed. If that was the refusal of a retry after an attempt without a response, perhaps because that one
 * had succeeded, finds out by further requests. Returns the result if it had; otherwise, or if that stays unknown,
 * throws the first failure.
 */
export async function settle(call: Call, refusal: unknown): Promise<Answer> {
  const { lost, request, remainingMs } = call;
  const { settle, options } = request;
  if (!lost || !(refusal instanceof ApiError) || settle?.status !== refusal.status) throw refusal;
  // These requests are part of the call: under its options, and within what is left of its deadline.
  const deadlineMs = remainingMs === Infinity ? undefined : remainingMs;
  const settled = await settle.resolve({ ...options, deadlineMs }).catch(() => undefined);
  call.check();
  if (settled === undefined) throw lost;
  return { response: settled.response ?? refusal, text: undefined, data: settled.data };
}
