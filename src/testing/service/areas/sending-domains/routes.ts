import { iso } from '../../../encoding/iso.ts';
import {
  DNS_KEYS,
  type DnsKey,
  type DomainRecord,
  type DomainStore,
  isDomainName,
  type DomainFlags,
} from '../../state/account/domains.ts';
import { BLANK, FieldErrors, required, text, INVALID } from '../../wire/fields.ts';
import { oneOf, emailAddress, fits, flag, notBlank } from '../../../declare/kind.ts';
import { route, type Exchange, type Form } from '../../routing/route.ts';
import { forbidden, noContent, notFound, ok, unprocessable } from '../../wire/reply.ts';
import { allows, ownsDomain, reachesDomain } from '../../state/account/tokens.ts';
import { wrapped } from '../../routing/wrapper.ts';
import type { World } from '../../state/world.ts';

/** A sending domain in the responses of all endpoints. */
function domainView(domain: DomainRecord, store: DomainStore, admin: boolean): Record<string, unknown> {
  const verifiedAt = store.verifiedAt(domain);
  const { inbound_enabled: isReceiving } = domain.settings;
  const keys: readonly DnsKey[] = isReceiving ? [...DNS_KEYS, 'inbound'] : DNS_KEYS;
  return {
    id: domain.id,
    domain_name: domain.name,
    demo: false,
    compliance_status: store.complianceStatus(domain),
    dns_verified: verifiedAt !== null,
    // As recorded: an empty string if there is no date.
    dns_verified_at: verifiedAt === null ? '' : iso(verifiedAt),
    dns_records: keys.map((key) => ({
      key,
      ...dnsRecord(key, domain.name),
      status: store.dnsStatus(domain, key),
    })),
    ...domain.settings,
    inbound_verified: isReceiving && verifiedAt !== null,
    custom_domain_tracking_enabled: false,
    health_alerts_enabled: true,
    critical_alerts_enabled: true,
    alert_recipient_email: null,
    permissions: { can_read: true, can_update: admin, can_destroy: admin },
  };
}

/** The host and the value of each record. */
const DNS: Readonly<Record<Exclude<DnsKey, 'inbound'>, readonly [string, string]>> = {
  verification: ['ep01', 'smtp.emulator.test'],
  dkim1: ['ep1._domainkey', 'dkim1.emulator.test'],
  dkim2: ['ep2._domainkey', 'dkim2.emulator.test'],
  dmarc: ['_dmarc', 'v=DMARC1; p=none; rua=mailto:dmarc@emulator.test; rf=afrf; pct=100'],
  link_verification: ['ep-link', 't.emulator.test'],
};

function dnsRecord(key: DnsKey, name: string) {
  if (key === 'inbound') return { domain: name, name: '@', type: 'MX', value: 'inbound-mx.emulator.test' };
  const [host, value] = DNS[key];
  return { domain: `${host}.${name}`, name: host, type: key === 'dmarc' ? 'TXT' : 'CNAME', value };
}

const REQUIRED_FIELDS = ['name', 'address', 'city', 'country', 'zip_code', 'website_url'];
const OPTIONAL_FIELDS = ['phone', 'privacy_policy_url', 'terms_of_service_url'];

const infoLevel = oneOf(['business', 'individual']);

/** Reads the company information of a domain. Missing fields keep their values. */
function writeCompanyInfo(
  input: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const errors = new FieldErrors();
  const known = (name: string) => {
    const value = before[name];
    return typeof value === 'string' ? value : null;
  };
  const level = input.info_level ?? before.info_level ?? 'business';
  errors.check(infoLevel, level, 'info_level');
  const info = {
    ...Object.fromEntries(
      REQUIRED_FIELDS.map((name) => [name, required(input[name], known(name) ?? '', name, errors)]),
    ),
    ...Object.fromEntries(
      OPTIONAL_FIELDS.map((name) => [name, text(input[name], known(name), name, errors)]),
    ),
    info_level: level,
  };
  // As recorded: an address that is missing is also no address.
  if (errors.all.website_url?.includes(BLANK)) errors.add('website_url', INVALID);
  errors.throwIfAny();
  return info;
}

/** The wrapper of the body has a different name in each form. */
const WRAPPERS: Readonly<Record<Form, string>> = { token: 'domain', account: 'sending_domain' };

const DOMAINS = { area: 'domains' } as const;

/** The endpoints of sending domains. */
export function domainRoutes({ domains }: World) {
  const view = (domain: DomainRecord, { token }: Exchange) =>
    domainView(domain, domains, allows(token, 'domains', 'admin') && ownsDomain(token, domain.id));
  const found = ({ params, token }: Exchange): DomainRecord => {
    const domain = domains.find(token.accountId, Number(params.id));
    if (domain === undefined || !reachesDomain(token, domain.id)) throw notFound();
    return domain;
  };
  /** The domain in the path, for a request that changes it. Refuses a token with read access only, with 403. */
  const changed = (exchange: Exchange): DomainRecord => {
    const domain = found(exchange);
    if (ownsDomain(exchange.token, domain.id)) return domain;
    throw forbidden();
  };
  const writeCompany = (exchange: Exchange) => {
    const domain = changed(exchange);
    const input = wrapped(exchange.body(), 'company_info');
    domain.companyInfo = writeCompanyInfo(input, domain.companyInfo ?? {});
    return ok({ data: domain.companyInfo });
  };

  return [
    route('GET /{domains|sending_domains}', DOMAINS, (exchange) => {
      const { token } = exchange;
      const mine = domains.of(token.accountId).filter(({ id }) => reachesDomain(token, id));
      return ok({ data: mine.map((domain) => view(domain, exchange)) });
    }),
    route(
      'POST /{domains|sending_domains}',
      { ...DOMAINS, inferred: 'the DNS records, and how long they and the review take' },
      (exchange) => {
        const { domain_name: input } = wrapped(exchange.body(), WRAPPERS[exchange.form]);
        const { accountId } = exchange.token;
        const name = nameOf(input);
        if (domains.named(accountId, name) !== undefined) {
          throw unprocessable({ base: ['Domain name has already been taken'] });
        }
        const domain = domains.add(accountId, name, { kind: 'propagating', since: exchange.now });
        return ok(view(domain, exchange));
      },
    ),
    route('GET /{domains|sending_domains}/{id}', DOMAINS, (exchange) => ok(view(found(exchange), exchange))),
    route('PATCH /{domains|sending_domains}/{id}', DOMAINS, (exchange) => {
      const domain = changed(exchange);
      write(domain.settings, wrapped(exchange.body(), WRAPPERS[exchange.form]));
      return ok(view(domain, exchange));
    }),
    route('DELETE /{domains|sending_domains}/{id}', DOMAINS, (exchange) => {
      domains.remove(changed(exchange));
      return noContent();
    }),
    route('POST /{domains|sending_domains}/{id}/send_setup_instructions', DOMAINS, (exchange) => {
      changed(exchange);
      const { email } = exchange.body();
      if (!fits(emailAddress, email)) throw unprocessable({ email: [INVALID] });
      return noContent();
    }),
    route('GET /{domains|sending_domains}/{id}/company_info', DOMAINS, (exchange) => {
      const { companyInfo } = found(exchange);
      if (companyInfo === null) throw notFound();
      return ok({ data: companyInfo });
    }),
    route('POST /{domains|sending_domains}/{id}/company_info', DOMAINS, writeCompany),
    route('PATCH /{domains|sending_domains}/{id}/company_info', DOMAINS, writeCompany),
  ];
}

/** Reads a domain name. Refuses a wrong one with one sentence, under `base`. */
function nameOf(input: unknown): string {
  if (!fits(notBlank, input)) {
    const base = `Validation failed: Domain name ${BLANK}, Tracking domain name is not a valid domain name`;
    throw unprocessable({ base: [base] });
  }
  const name = input.trim().toLowerCase();
  if (!isDomainName(name)) throw unprocessable({ base: ['Domain name is invalid'] });
  return name;
}

function write(settings: DomainFlags, input: Readonly<Record<string, unknown>>): void {
  const errors = new FieldErrors();
  const changes: Partial<DomainFlags> = {};
  for (const name of Object.keys(settings) as (keyof DomainFlags)[]) {
    changes[name] = errors.read(flag, input[name], settings[name], name);
  }
  errors.throwIfAny();
  Object.assign(settings, changes);
}
