/** What a caller can switch. */
export interface DomainSettings {
  open_tracking_enabled: boolean;
  click_tracking_enabled: boolean;
  auto_unsubscribe_link_enabled: boolean;
  tracking_opt_out_enabled: boolean;
  inbound_enabled: boolean;
}

/** Where the DNS records of a domain have got to. */
export type DnsState =
  | { readonly kind: 'propagating'; readonly since: number }
  | { readonly kind: 'passing'; readonly since: number; readonly reviewed: boolean }
  | { readonly kind: 'failing' };

/** A sending domain as the emulator keeps it. Times are milliseconds on the emulator's clock. */
export interface DomainRecord {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly settings: DomainSettings;
  dns: DnsState;
  companyInfo: Readonly<Record<string, unknown>> | null;
}

/** The DNS records a domain needs, in the order in which they come to pass. */
export const dnsKeys = ['verification', 'dkim1', 'dkim2', 'dmarc', 'link_verification'] as const;
