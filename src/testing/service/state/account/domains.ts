import { duration } from '../../../declare/kind.ts';
import type { VirtualClock } from '../base/clock.ts';
import { option, type Options, type Settings } from '../../../declare/option.ts';
import type { State } from '../base/state.ts';
import { emptyTable, type Row, Table } from '../base/table.ts';

/** The timing of sending domains, which is not published. */
export interface EmulatorDomainTiming {
  /**
   * The time from the creation of a domain until its last DNS record passes, in milliseconds. The other records pass one
   * after another before. With `Infinity`, only `domains.setVerified` verifies a domain.
   * @defaultValue 60_000
   */
  propagateMs?: number;
  /**
   * How long a verified domain is `under_review`, and then `awaiting_questionnaire`, before it is `compliant`, in
   * milliseconds for each state.
   * @defaultValue 60_000
   */
  reviewMs?: number;
}

export type DomainSettings = Settings<EmulatorDomainTiming>;

export const domainOptions: Options<EmulatorDomainTiming> = {
  propagateMs: option(duration, 60_000, 'not published; DNS takes as long as it takes'),
  reviewMs: option(duration, 60_000, 'not published'),
};

/** The settings that a caller can change. */
export interface DomainFlags {
  open_tracking_enabled: boolean;
  click_tracking_enabled: boolean;
  auto_unsubscribe_link_enabled: boolean;
  tracking_opt_out_enabled: boolean;
  inbound_enabled: boolean;
}

/** The settings of a new domain. */
export const NEW_DOMAIN: Readonly<DomainFlags> = {
  open_tracking_enabled: true,
  click_tracking_enabled: true,
  auto_unsubscribe_link_enabled: false,
  tracking_opt_out_enabled: false,
  inbound_enabled: false,
};

/** The state of the DNS records of a domain. */
export type DnsState =
  | { readonly kind: 'propagating'; readonly since: number }
  | { readonly kind: 'passing'; readonly since: number; readonly reviewed: boolean }
  | { readonly kind: 'failing' };

/** A sending domain as the emulator stores it. Times are milliseconds on the emulator's clock. */
export interface DomainRecord extends Row<number> {
  readonly name: string;
  readonly settings: DomainFlags;
  dns: DnsState;
  companyInfo: Readonly<Record<string, unknown>> | null;
}

/** The DNS records that a domain needs, in the order in which they start to pass. */
export const DNS_KEYS = ['verification', 'dkim1', 'dkim2', 'dmarc', 'link_verification'] as const;

/** A DNS record of a domain. A domain that receives email has a further one, the MX record. */
export type DnsKey = (typeof DNS_KEYS)[number] | 'inbound';

/** Whether a text is a domain name, in upper or lower case. */
export function isDomainName(name: string): boolean {
  return name.length <= 253 && /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/i.test(name);
}

/** The parts that the verification of a domain needs. */
export interface DomainParts {
  readonly state: State;
  readonly clock: VirtualClock;
  readonly settings: { readonly domains: DomainSettings };
}

/** All sending domains and the progress of their verification. */
export class DomainStore extends Table<DomainRecord> {
  readonly #parts: DomainParts;

  constructor(parts: DomainParts) {
    super(parts.state.part('domains', emptyTable<DomainRecord>(301)));
    this.#parts = parts;
  }

  add(accountId: number, name: string, dns: DnsState): DomainRecord {
    return this.insert({ accountId, name, settings: { ...NEW_DOMAIN }, dns, companyInfo: null });
  }

  /** Adds a domain whose verification is complete or has failed. */
  addSettled(accountId: number, name: string, verified: boolean): DomainRecord {
    const since = this.#parts.clock.now();
    return this.add(
      accountId,
      name,
      verified ? { kind: 'passing', since, reviewed: true } : { kind: 'failing' },
    );
  }

  /** The account's verified domains: at least one. Throws if there is none. */
  usable(accountId: number): [DomainRecord, ...DomainRecord[]] {
    const [first, ...others] = this.of(accountId).filter((domain) => this.isVerified(domain));
    if (first === undefined) throw new RangeError('There is no verified sending domain');
    return [first, ...others];
  }

  /** A domain of the account, preferably a verified one. Throws if there is none. */
  any(accountId: number): DomainRecord {
    const own = this.of(accountId);
    const found = own.find((one) => this.isVerified(one)) ?? own[0];
    if (found === undefined) throw new RangeError('There is no sending domain');
    return found;
  }

  /** The domain with this id, of any account. Throws if there is none. */
  known(id: number): DomainRecord {
    const domain = this.anywhere(id);
    if (domain === undefined) throw new RangeError(`There is no sending domain ${id}`);
    return domain;
  }

  /** The account's domain with this name. */
  named(accountId: number, name: string): DomainRecord | undefined {
    const wanted = name.toLowerCase();
    for (const domain of this.each(accountId)) if (domain.name === wanted) return domain;
    return undefined;
  }

  setVerified(domain: DomainRecord, verified: boolean): void {
    const since = this.#parts.clock.now();
    domain.dns = verified ? { kind: 'passing', since, reviewed: false } : { kind: 'failing' };
  }

  /** The time at which the last DNS record of a domain passed; `null` if one does not pass yet. */
  verifiedAt({ dns }: DomainRecord): number | null {
    if (dns.kind === 'failing') return null;
    // Whatever the date is: initial domains were verified before the emulator's clock is first used.
    if (dns.kind === 'passing') return dns.since;
    const at = dns.since + this.#parts.settings.domains.propagateMs;
    return at <= this.#parts.clock.now() ? at : null;
  }

  isVerified(domain: DomainRecord): boolean {
    return this.verifiedAt(domain) !== null;
  }

  /** The result of the lookup of a DNS record: `pass`, `fail` or `unchecked`. */
  dnsStatus(domain: DomainRecord, key: DnsKey): string {
    const { dns } = domain;
    if (dns.kind === 'failing') return key === 'verification' ? 'pass' : 'fail';
    if (this.isVerified(domain)) return 'pass';
    const share = key === 'inbound' ? 1 : (DNS_KEYS.indexOf(key) + 1) / DNS_KEYS.length;
    return this.#parts.clock.now() >= dns.since + this.#parts.settings.domains.propagateMs * share
      ? 'pass'
      : 'unchecked';
  }

  /** The compliance status: first the verification, then a review, then a questionnaire. */
  complianceStatus(domain: DomainRecord): string {
    const at = this.verifiedAt(domain);
    if (at === null) return 'unverified_dns';
    if (domain.dns.kind === 'passing' && domain.dns.reviewed) return 'compliant';
    const steps = (this.#parts.clock.now() - at) / this.#parts.settings.domains.reviewMs;
    if (steps < 1) return 'under_review';
    return steps < 2 ? 'awaiting_questionnaire' : 'compliant';
  }
}
