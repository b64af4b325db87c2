/** The service's hosts by one name: its domain. */
import type { HostName } from '../core/request.ts';
import { invalid, refuse, mustBe } from '../core/rules.ts';
import { DOMAIN_VARIABLE } from '../core/variables.ts';

/** The prefix of each host, before the domain. */
const PREFIXES: Readonly<Record<HostName, string>> = {
  api: '',
  send: 'send.api.',
  bulk: 'bulk.api.',
  sandbox: 'sandbox.api.',
};

/** A bare name: a URL or a port would be lost in the addresses that are made of it. */
const domainRule = mustBe(
  'a bare domain name, such as example.com',
  (domain) =>
    typeof domain === 'string' &&
    domain.length <= 230 &&
    /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]([a-z\d-]*[a-z\d])?$/i.test(domain),
);

/** The address of a host of the service that has this domain. `label` is what messages call the domain. */
export function addressUnder(name: HostName, domain: unknown, label: string): string {
  refuse('hosts.domain', domainRule(domain), label);
  return `https://${PREFIXES[name]}${String(domain).toLowerCase()}`;
}

/** Refuses addresses of which some are of this machine and some of a domain: half an emulator, half live. */
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
