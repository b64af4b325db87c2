import type { VirtualClock } from '../../clock.ts';
import { DNS_KEYS, type DnsState, type DomainRecord } from './record.ts';
import type { DomainTiming } from './timing.ts';

/** All sending domains and the progress of their verification. */
export class DomainStore {
  readonly #clock: VirtualClock;
  readonly #timing: DomainTiming;
  readonly #domains = new Map<number, DomainRecord>();
  #nextId = 301;

  constructor(clock: VirtualClock, timing: DomainTiming) {
    this.#clock = clock;
    this.#timing = timing;
  }

  add(accountId: number, name: string, dns: DnsState): DomainRecord {
    const domain: DomainRecord = {
      id: this.#nextId,
      accountId,
      name,
      settings: {
        open_tracking_enabled: true,
        click_tracking_enabled: true,
        auto_unsubscribe_link_enabled: false,
        tracking_opt_out_enabled: false,
        inbound_enabled: false,
      },
      dns,
      companyInfo: null,
    };
    this.#nextId += 1;
    this.#domains.set(domain.id, domain);
    return domain;
  }

  /** Adds a domain whose verification is complete or has failed. */
  addSettled(accountId: number, name: string, verified: boolean): DomainRecord {
    const since = this.#clock.now();
    return this.add(
      accountId,
      name,
      verified ? { kind: 'passing', since, reviewed: true } : { kind: 'failing' },
    );
  }

  get(id: number): DomainRecord | undefined {
    return this.#domains.get(id);
  }

  remove(id: number): void {
    this.#domains.delete(id);
  }

  all(): DomainRecord[] {
    return [...this.#domains.values()];
  }

  /** The account's domains. */
  of(accountId: number): DomainRecord[] {
    return this.all().filter((domain) => domain.accountId === accountId);
  }

  /** The account's domain with this name. */
  named(accountId: number, name: string): DomainRecord | undefined {
    const wanted = name.toLowerCase();
    for (const domain of this.#domains.values()) {
      if (domain.name === wanted && domain.accountId === accountId) return domain;
    }
    return undefined;
  }

  setVerified(domain: DomainRecord, verified: boolean): void {
    const since = this.#clock.now();
    domain.dns = verified ? { kind: 'passing', since, reviewed: false } : { kind: 'failing' };
  }

  /** When the last DNS record of a domain started to pass; `null` if one does not pass yet. */
  verifiedAt({ dns }: DomainRecord): number | null {
    if (dns.kind === 'failing') return null;
    const at = dns.kind === 'passing' ? dns.since : dns.since + this.#timing.propagateMs;
    return at <= this.#clock.now() ? at : null;
  }

  isVerified(domain: DomainRecord): boolean {
    return this.verifiedAt(domain) !== null;
  }

  /** The result of the lookup of a DNS record: `pass`, `fail` or `unchecked`. */
  dnsStatus(domain: DomainRecord, key: (typeof DNS_KEYS)[number]): string {
    const { dns } = domain;
    if (dns.kind === 'failing') return key === 'verification' ? 'pass' : 'fail';
    if (this.isVerified(domain)) return 'pass';
    const share = (DNS_KEYS.indexOf(key) + 1) / DNS_KEYS.length;
    return this.#clock.now() >= dns.since + this.#timing.propagateMs * share ? 'pass' : 'unchecked';
  }

  /** The compliance status: first the verification, then a review, then a questionnaire. */
  complianceStatus(domain: DomainRecord): string {
    const at = this.verifiedAt(domain);
    if (at === null) return 'unverified_dns';
    if (domain.dns.kind === 'passing' && domain.dns.reviewed) return 'compliant';
    const steps = (this.#clock.now() - at) / this.#timing.reviewMs;
    if (steps < 1) return 'under_review';
    return steps < 2 ? 'awaiting_questionnaire' : 'compliant';
  }
}
