import type { RequestContext } from '../core/request.ts';
import { tried } from '../core/rules.ts';

/** Kinds of resources that have another name in paths under an account. */
const KINDS: readonly (readonly [string, string])[] = [
  ['domain', 'sending_domain'],
  ['sandbox', 'inbox'],
];

/** A body with the names that the path has, in the list `field`. What cannot be read is refused by the check. */
export const withKindsIn = (
  field: string,
  params: object,
  { accountId }: Pick<RequestContext, 'accountId'>,
): object =>
  tried(() => {
    const list = (params as Record<string, { resource_type: string; resource_id: unknown }[]>)[field];
    const named = list?.map((one) => {
      const names = KINDS.find((pair) => pair.includes(one.resource_type));
      const resource_type = names?.[accountId === undefined ? 0 : 1] ?? one.resource_type;
      // As recorded for permissions; for tokens, the service takes a number too.
      return { ...one, resource_type, resource_id: String(one.resource_id) };
    });
    return { ...params, [field]: named };
  }, params);
