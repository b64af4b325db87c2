import type { Effect } from '../../core/error-base.ts';
import { isolated } from '../../core/isolated.ts';
import { isRecord } from '../../core/record.ts';
import type { BatchResponse, BatchResult, SendResult } from './types.ts';
import type { Decoder } from '../../core/decoder.ts';

/** The service's answer about one email, or about a whole batch. Each field may be missing, or of any type. */
type Verdict = Readonly<Record<string, unknown>>;

/** The fields of a body, without those of a polluted `Object.prototype`. */
const verdictIn = (body: unknown): Verdict | undefined => (isRecord(body) ? isolated(body) : undefined);

/** The readable texts of a list of ids or reasons, or of a single one. */
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((text) => (typeof text === 'string' && text !== '') || typeof text === 'number')
    .map(String);

const hasIds = ({ message_ids }: Verdict) => texts(message_ids).length > 0;

/** The service accepted an email if the answer has `success: true`, or ids without `success: false`. */
const isAccepted = (verdict: Verdict) =>
  verdict.success !== false && (verdict.success === true || hasIds(verdict));

/** A refused email was not sent; with ids in the answer, that is uncertain. */
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

/** The outcome of one email; without `success` if the answer does not tell. Reasons alone mean a rejection. */
function outcome(body: unknown): Partial<BatchResponse> {
  const response = verdictIn(body) ?? {};
  const { success, ...rest } = response;
  const errors = texts(response.errors);
  const isRejected = !hasIds(response) && (success === false || errors.length > 0);
  return {
    ...rest,
    ...(isAccepted(response) ? { success: true } : isRejected && { success: false }),
    message_ids: texts(response.message_ids),
    ...('errors' in response && { errors }),
  };
}

/** Whether a response to a batch lacks the outcomes of single emails. */
const isOfWhole = ({ responses }: Verdict) =>
  responses === undefined || responses === null || (Array.isArray(responses) && responses.length === 0);

/**
 * Like `sent`, with the outcome of each email. Outcomes are matched by position, so either all of them are usable or
 * none. A response without outcomes is read like that of one email; but emails of a refused batch may have been sent.
 */
export const batchSent: Decoder<BatchResult> = {
  kind: 'mail',
  schema: 'batchResult',
  read: (input) => {
    const body = verdictIn(input);
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
    // Without an outcome for each email, each of them may have been sent.
    return verdict && isOfWhole(verdict) && refusal(verdict) ? 'unknown' : undefined;
  },
};
