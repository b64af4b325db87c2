import * as z from 'zod/mini';
import { answerSchema, rule } from './answer.ts';

// Loose throughout: the service may add keys that this version does not know.

const errors = () => z.optional(z.array(z.string()));

/** The response of `sending.send`. */
export const sendAnswer = answerSchema(() =>
  z.looseObject({
    success: z.boolean().check(rule((value) => value, 'must be true')),
    message_ids: z.array(z.string()),
  }),
);

/** The response of `sending.batch`. */
export const batchAnswer = answerSchema(() =>
  z.looseObject({
    success: z.boolean(),
    responses: z.array(
      z.looseObject({
        success: z.boolean(),
        message_ids: z.optional(z.array(z.string())),
        errors: errors(),
      }),
    ),
    errors: errors(),
  }),
);
