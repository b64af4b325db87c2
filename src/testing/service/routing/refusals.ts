import { Refusal } from '../wire/reply.ts';

/** Turns a refusal of the service's validation into a `RangeError` with its reasons. */
export function refusalsAsErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { errors } = error.reply.json as { errors: Record<string, string[]> };
    const reasons = Object.entries(errors).map(([field, messages]) => `${field} ${messages.join(', ')}`);
    throw new RangeError(`The service would refuse these fields: ${reasons.join('; ')}`, { cause: error });
  }
}
