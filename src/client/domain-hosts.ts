/** Derives the service's hosts from its domain. */
import type { HostName } from '../core/request.ts';
import { invalid, refuse, mustBe, type Rule } from '../core/rules.ts';
import { aloneRule } from '../core/setting-text.ts';
import { DOMAIN_VARIABLE } from '../core/variables.ts';

/** The prefix of each host, before the domain. */
const PREFIXES: Readonly<Record<HostName, string>> = {
  api: '',
  send: 'send.api.',
  bulk: 'bulk.api.',
  sandbox: 'sandbox.api.',
};

/** A bare name: the derived addresses would lose a URL's path or a port. */
const nameRule = mustBe(
  'a bare domain name, such as example.com',
  (domain) =>
    typeof domain === 'string' &&
    domain.length <= 230 &&
    /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]([a-z\d-]*[a-z\d])?$/i.test(domain),
);

const notOfHost = (domain: unknown): string | undefined => {
  const prefix = Object.values(PREFIXES).find(
    (one) => one !== '' && String(domain).toLowerCase().startsWith(one),
  );
  return prefix === undefined ? undefined : `must be the domain alone, the part after \`${prefix}\``;
};

/** The rule for the service's domain. */
export const domainRule: Rule = (domain) =>
  (typeof domain === 'string' ? aloneRule(domain) : undefined) ?? nameRule(domain) ?? notOfHost(domain);

/** The address of a host under the service's domain. `label` is the name of the setting in messages. */
export function addressUnder(name: HostName, domain: unknown, label: string): string {
  refuse('hosts.domain', domainRule(domain), label);
  return `https://${PREFIXES[name]}${String(domain).toLowerCase()}`;
}

/** Refuses a mix of addresses on this machine and under a domain: half emulator, half live service. */
export function refuseHalfLive(
  hosts: Readonly<Partial<Record<HostName, string>>>,
  byDomain: readonly HostName[],
  isLoopback: (hostname: string) => boolean,
): void {
  const [live] = byDomain;
  const local = (Object.keys(hosts) as HostName[]).find((name) =>
    isLoopback(new URL(hosts[name] ?? '').hostname),
  );
  if (live === undefined || local === undefined) return;
  const rule = `must not be of the service (${hosts[live]}) while hosts.${local} is this machine (${hosts[local]}): set all hosts of an emulator, or unset ${DOMAIN_VARIABLE}`;
  throw invalid(`hosts.${live}`, rule);
}
