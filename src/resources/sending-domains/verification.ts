/** Checks whether a domain is verified, and lists its failing DNS records. */
import type { DnsRecord, SendingDomain } from './types.ts';

/** The records that do not pass. A response may lack the list or a record, or have a value of another type. */
const failing = (records: unknown) =>
  (Array.isArray(records) ? (records as readonly (DnsRecord | null)[]) : []).filter(
    (record) => record?.status !== 'pass',
  );

/** Whether a domain is verified: the service's verdict or, without one, whether all DNS records pass. */
export const isVerified = ({
  dns_records,
  dns_verified,
}: {
  // The service may omit each of them.
  readonly dns_records?: readonly ({ readonly status?: string | null | undefined } | null)[] | null;
  readonly dns_verified?: boolean | null;
}): boolean => dns_verified ?? (Boolean(dns_records?.length) && failing(dns_records).length === 0);

/** The failing DNS records of a domain, as a sentence with their expected values. */
export function failingRecords({ domain_name, dns_records }: SendingDomain): string {
  const texts = failing(dns_records).map((record) => {
    const { type, name = 'a record without a name', value, status } = record ?? {};
    // A response may lack each of them.
    return [type, name, value && `should be ${value}`, status && `(${status})`].filter(Boolean).join(' ');
  });
  return texts.length > 0
    ? `${domain_name}: these DNS records do not pass yet: ${texts.join('; ')}`
    : `${domain_name}: the service has not verified it yet`;
}
