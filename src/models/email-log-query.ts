import type { QueryValue } from '../core/query.ts';
import type { EmailLogListParams } from './email-log-filters.ts';
import { momentRule } from './moment.ts';

/** A date as the service reads it. An invalid one is passed on: the check refuses it. */
const isoText = (value: Date | string | undefined) =>
  value instanceof Date && momentRule(value) === undefined
    ? value.toISOString()
    : (value as string | undefined);

/**
 * The parameters as the service reads them. The two path forms have different names for the domain filter, and each
 * ignores the other's: under an account, both are sent.
 */
export function logQuery(
  { filters = {}, search_after }: EmailLogListParams,
  isUnderAccount: boolean,
): Record<string, QueryValue> {
  const { sent_after, sent_before, domain_id, ...others } = filters;
  const read = {
    sent_after: isoText(sent_after),
    sent_before: isoText(sent_before),
    domain_id,
    ...(isUnderAccount && { sending_domain_id: domain_id }),
    ...others,
  };
  return { filters: read as QueryValue, search_after };
}
