/** The settings that a caller can change. */
export interface DomainFlags {
  open_tracking_enabled: boolean;
  click_tracking_enabled: boolean;
  auto_unsubscribe_link_enabled: boolean;
  tracking_opt_out_enabled: boolean;
  inbound_enabled: boolean;
}

/** The state of the DNS records of a domain. */
export type DnsState =
  | { readonly kind: 'propagating'; readonly since: number }
  | { readonly kind: 'passing'; readonly since: number; readonly reviewed: boolean }
  | { readonly kind: 'failing' };

/** A sending domain as the emulator stores it. Times are milliseconds on the emulator's clock. */
export interface DomainRecord {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly settings: DomainFlags;
  dns: DnsState;
  companyInfo: Readonly<Record<string, unknown>> | null;
}

/** The DNS records that a domain needs, in the order in which they start to pass. */
export const DNS_KEYS = ['verification', 'dkim1', 'dkim2', 'dmarc', 'link_verification'] as const;
