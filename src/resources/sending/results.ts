import type { Effect } from '../../core/error-base.ts';
import { isolated } from '../../core/isolated.ts';
import { isRecord } from '../../core/record.ts';
import type { BatchResponse, BatchResult, SendResult } from './types.ts';
import type { Decoder } from '../../core/decoder.ts';

/** What the service says of one email, or of a whole batch. Any field may be missing, or of any type. */
type Verdict = Readonly<Record<string, unknown>>;

/** What a body says itself: what every object seems to have is no part of it. */
const verdictIn = (body: unknown): Verdict | undefined => (isRecord(body) ? isolated(body) : undefined);

/** What can be read of a list of ids or of reasons, or of a single one. */
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((text) => (typeof text === 'string' && text !== '') || typeof text === 'number')
    .map(String);

const hasIds = ({ message_ids }: Verdict) => texts(message_ids).length > 0;

/** An email was accepted if the service says so, or gives it ids, and does not say the contrary. */
const isAccepted = (verdict: Verdict) =>
  verdict.success !== false && (verdict.success === true || hasIds(verdict));

/** What was refused was not sent; where there are ids, that is not certain. */
const refusal = (body: unknown): Effect | undefined => {
  const verdict = verdictIn(body);
  if (verdict?.success !== false) return undefined;
  return hasIds(verdict) ? 'unknown' : 'none';
};

/** The parsed response, with `success` and the ids in their documented form. */
export const sent: Decoder<SendResult> = {
  kind: 'mail',
  schema: 'sendResult',
  read: (body) => {
    const verdict = verdictIn(body);
    return verdict && isAccepted(verdict)
      ? { ...verdict, success: true, message_ids: texts(verdict.message_ids) }
      : undefined;
  },
  refusal,
};

/** The outcome of one email; without `success` where it is not told. Reasons alone are those of a rejection. */
function outcome(given: Verdict): Partial<BatchResponse> {
  const response = isolated(given);
  const { success: said, ...rest } = response;
  const errors = texts(response.errors);
  const isRejected = !hasIds(response) && (said === false || errors.length > 0);
  return {
    ...rest,
    ...(isAccepted(response) ? { success: true } : isRejected && { success: false }),
    message_ids: texts(response.message_ids),
    ...('errors' in response && { errors }),
  };
}

/** Whether a response to a batch says nothing of single emails. */
const isOfWhole = ({ responses }: Verdict) =>
  responses === undefined || responses === null || (Array.isArray(responses) && responses.length === 0);

/**
 * Like `sent`, with the outcome of each email. These are matched by position, so either all of them can be used or none.
 * A response without any is judged as if the batch were one email; but what it refuses may have been sent.
 */
export const batchSent: Decoder<BatchResult> = {
  kind: 'mail',
  schema: 'batchResult',
  read: (given) => {
    const body = verdictIn(given);
    if (!body) return undefined;
    const responses: unknown = isOfWhole(body) ? [] : body.responses;
    if (!Array.isArray(responses) || !responses.every(isRecord)) return undefined;
    if (responses.length === 0 && !isAccepted(body)) return undefined;
    return {
      ...body,
      success: body.success !== false,
      responses: responses.map(outcome) as BatchResponse[],
      ...('errors' in body && { errors: texts(body.errors) }),
    };
  },
  refusal: (body) => {
    const verdict = verdictIn(body);
    // Without a word on each email, none of them is known to be refused.
    return verdict && isOfWhole(verdict) && refusal(verdict) ? 'unknown' : undefined;
  },
};
