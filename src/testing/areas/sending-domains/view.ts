import { iso } from '../../iso.ts';
import { DNS_KEYS, type DomainRecord } from './record.ts';
import type { DomainStore } from './store.ts';

/** A sending domain in the responses of all endpoints. */
export function domainView(
  domain: DomainRecord,
  store: DomainStore,
  admin: boolean,
): Record<string, unknown> {
  const verifiedAt = store.verifiedAt(domain);
  return {
    id: domain.id,
    domain_name: domain.name,
    demo: false,
    compliance_status: store.complianceStatus(domain),
    dns_verified: verifiedAt !== null,
    // As recorded: an empty string if there is no date.
    dns_verified_at: verifiedAt === null ? '' : iso(verifiedAt),
    dns_records: DNS_KEYS.map((key) => ({
      key,
      ...dnsRecord(key, domain.name),
      status: store.dnsStatus(domain, key),
    })),
    ...domain.settings,
    inbound_verified: false,
    custom_domain_tracking_enabled: false,
    health_alerts_enabled: true,
    critical_alerts_enabled: true,
    alert_recipient_email: null,
    permissions: { can_read: true, can_update: admin, can_destroy: admin },
  };
}

function dnsRecord(key: (typeof DNS_KEYS)[number], name: string) {
  const host = {
    verification: 'ep01',
    dkim1: 'ep1._domainkey',
    dkim2: 'ep2._domainkey',
    dmarc: '_dmarc',
    link_verification: 'ep-link',
  }[key];
  const target = {
    verification: 'smtp.emulator.test',
    dkim1: 'dkim1.emulator.test',
    dkim2: 'dkim2.emulator.test',
    dmarc: 'v=DMARC1; p=none; rua=mailto:dmarc@emulator.test; rf=afrf; pct=100',
    link_verification: 't.emulator.test',
  }[key];
  return { domain: `${host}.${name}`, name: host, type: key === 'dmarc' ? 'TXT' : 'CNAME', value: target };
}
