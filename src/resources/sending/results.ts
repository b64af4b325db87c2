import type { Effect } from '../../core/error-base.ts';
import { fieldOf, isRecord } from '../../core/record.ts';
import type { BatchResponse, BatchResult, SendResult } from './types.ts';
import type { Decoder } from '../../core/decoder.ts';

/** The readable texts of a list of ids or reasons, or of a single one. */
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((text) => (typeof text === 'string' && text !== '') || typeof text === 'number')
    .map(String);

/** The ids in the response for one email, or for a whole batch. */
const idsIn = (body: unknown): string[] => texts(fieldOf(body, 'message_ids'));

/** The service accepted an email if the answer has `success: true`, or ids without `success: false`. */
const isAccepted = (body: unknown): boolean => {
  const success = fieldOf(body, 'success');
  return success !== false && (success === true || idsIn(body).length > 0);
};

/** A refused email was not sent; with ids in the answer, that is uncertain. */
const refusal = (body: unknown): Effect | undefined => {
  if (fieldOf(body, 'success') !== false) return undefined;
  return idsIn(body).length > 0 ? 'unknown' : 'none';
};

/** The parsed response, with `success` and the ids in their documented form. */
export const sent: Decoder<SendResult> = {
  kind: 'mail',
  schema: 'sendResult',
  read: (body) =>
    isRecord(body) && isAccepted(body) ? { ...body, success: true, message_ids: idsIn(body) } : undefined,
  refusal,
};

/** The outcome of one email; without `success` if the answer does not tell. Reasons alone mean a rejection. */
function outcome(body: unknown): Partial<BatchResponse> {
  const fields: Readonly<Record<string, unknown>> = { success: undefined, ...(isRecord(body) && body) };
  const { success, ...rest } = fields;
  const errors = texts(fieldOf(rest, 'errors'));
  const ids = idsIn(rest);
  const isRejected = ids.length === 0 && (success === false || errors.length > 0);
  return {
    ...rest,
    ...(isAccepted(body) ? { success: true } : isRejected && { success: false }),
    message_ids: ids,
    ...(Object.hasOwn(rest, 'errors') && { errors }),
  };
}

/** Whether a response to a batch lacks the outcomes of single emails. */
function isOfWhole(body: unknown): boolean {
  const responses = fieldOf(body, 'responses') ?? [];
  return Array.isArray(responses) && responses.length === 0;
}

/**
 * Like `sent`, with the outcome of each email. Outcomes are matched by position, so either all of them are usable or
 * none. A response without outcomes is read like that of one email; but emails of a refused batch may have been sent.
 */
export const batchSent: Decoder<BatchResult> = {
  kind: 'mail',
  schema: 'batchResult',
  read: (body) => {
    if (!isRecord(body)) return undefined;
    const responses: unknown = isOfWhole(body) ? [] : fieldOf(body, 'responses');
    if (!Array.isArray(responses) || !responses.every(isRecord)) return undefined;
    if (responses.length === 0 && !isAccepted(body)) return undefined;
    return {
      ...body,
      success: fieldOf(body, 'success') !== false,
      responses: responses.map(outcome) as BatchResponse[],
      ...(Object.hasOwn(body, 'errors') && { errors: texts(fieldOf(body, 'errors')) }),
    };
  },
  // Without an outcome for each email, each of them may have been sent.
  refusal: (body) => (isOfWhole(body) && refusal(body) ? 'unknown' : undefined),
};
