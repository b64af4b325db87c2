import type { LiteralUnion } from 'type-fest';
import type { Page } from '../../core/pager.ts';

/** Compliance status of a sending domain: one of the known ones, or one the service has added since. */
export type ComplianceStatus = LiteralUnion<
  | 'demo'
  | 'demo_exhausted'
  | 'unverified_dns'
  | 'missing_company_info'
  | 'under_review'
  | 'awaiting_questionnaire'
  | 'awaiting_card_verification'
  | 'non_compliant'
  | 'compliant'
  | 'suspended',
  string
>;

/** Result of the service's lookup of a DNS record: one of the known ones, or one the service has added since. */
export type DnsRecordStatus = LiteralUnion<
  'pass' | 'fail' | 'unchecked' | 'missing' | 'softfail' | 'network_error',
  string
>;

/** A DNS record to add at the domain's DNS provider. */
export interface DnsRecord {
  /** Purpose of the record: `verification`, `dkim1`, `dmarc` and so on. */
  key: string;
  /** Domain that the record belongs to; not in every response. */
  domain?: string | undefined;
  /** Type of the record: `TXT`, `CNAME`, `MX` and so on; not in every response. */
  type?: string | null | undefined;
  /** Value to enter for the record; not in every response. */
  value?: string | null | undefined;
  /** Name to enter for the record. */
  name: string;
  /** Result of the service's latest lookup of the record; not in every response. */
  status?: DnsRecordStatus | null | undefined;
}

/** A sending domain. */
export interface SendingDomain {
  /** Id of the domain. */
  id: number;
  /** Name of the domain, such as `news.example.com`. */
  domain_name: string;
  /** Whether this is a demo domain of the service. */
  demo: boolean;
  /** Compliance status of the domain. */
  compliance_status: ComplianceStatus;
  /** Whether the service has verified the domain's DNS records. */
  dns_verified: boolean;
  /** When the DNS records were verified, as an ISO 8601 date-time; null, `''` or left out while they are not. */
  dns_verified_at?: string | null | undefined;
  /** DNS records to add; the domain can be verified when all of them have status `pass`. */
  dns_records: DnsRecord[];
  /** Whether opens are tracked. */
  open_tracking_enabled: boolean;
  /** Whether clicks are tracked. */
  click_tracking_enabled: boolean;
  /** Whether an unsubscribe link is added to emails. */
  auto_unsubscribe_link_enabled: boolean;
  /** Whether recipients can opt out of tracking; not in every response. */
  tracking_opt_out_enabled?: boolean | undefined;
  /** Whether the domain receives emails; not in every response. */
  inbound_enabled?: boolean | undefined;
  /** Whether receiving emails has been verified; not in every response. */
  inbound_verified?: boolean | undefined;
  /** Whether tracking links use this domain. */
  custom_domain_tracking_enabled: boolean;
  /** Whether health alerts are sent. */
  health_alerts_enabled: boolean;
  /** Whether critical alerts are sent. */
  critical_alerts_enabled: boolean;
  /** Email address that alerts are sent to. */
  alert_recipient_email: string | null;
  /** The permissions of the token for the domain. */
  permissions: {
    /** Whether the token may read the domain. */
    can_read: boolean;
    /** Whether the token may change the domain. */
    can_update: boolean;
    /** Whether the token may delete the domain. */
    can_destroy: boolean;
  };
}

/** Parameters of `sendingDomains.create`. */
export interface SendingDomainCreateParams {
  /** Name of the domain, such as `news.example.com`. */
  domain_name: string;
}

/** Parameters of `sendingDomains.update`. Only the given fields change. */
export interface SendingDomainUpdateParams {
  /** Whether to track opens. */
  open_tracking_enabled?: boolean | undefined;
  /** Whether to track clicks. */
  click_tracking_enabled?: boolean | undefined;
  /** Whether to add an unsubscribe link to emails. */
  auto_unsubscribe_link_enabled?: boolean | undefined;
  /** Whether recipients can opt out of tracking. */
  tracking_opt_out_enabled?: boolean | undefined;
  /** Whether the domain receives emails. */
  inbound_enabled?: boolean | undefined;
}

/** The page of `sendingDomains.list`; there is only one. */
export interface SendingDomainPage extends Page<SendingDomain> {
  /** Every domain the token can see. */
  readonly data: SendingDomain[];
}
