/** Checks the sender and the sending domains. */
import type { ClientPort } from '../../client/port.ts';
import { environmentVariable } from '../../core/platform.ts';
import { VARIABLES } from '../../core/variables.ts';
import type { DnsRecord, SendingDomain } from '../../resources/sending-domains/types.ts';
import { isVerified } from '../../resources/sending-domains/verification.ts';
import type { DiagnosedClient } from './client.ts';
import { unreadText } from './connections.ts';
import { asciiDomain, domainOf } from './domain-of.ts';
import { failure, warning, type Finding } from './findings.ts';
import { firstOf } from './part.ts';

/** The domain of a sender; undefined if it is not an address. */
const domainOfSender = (sender: string) => (sender.includes('@') ? domainOf(sender) : undefined);
const isAddress = (sender: string | undefined) =>
  sender === undefined || domainOfSender(sender) !== undefined;

const VARIABLE = VARIABLES['defaults.from'];

/** The setting of the default sender: the option of the client goes before the variable. */
function settingOf(sender: string | undefined): string {
  const isByOption = sender !== undefined && environmentVariable(VARIABLE)?.includes(sender) !== true;
  return isByOption ? '`defaults.from` of the client' : VARIABLE;
}

/** States of compliance in which the service sends nothing from a domain. */
const STOPPED: readonly string[] = ['suspended', 'non_compliant', 'demo_exhausted'];

/** The remedy for a state of compliance other than `compliant`. */
const COMPLIANCE_REMEDY = 'look at the domain in the service’s web page, or ask its support';

/** The DNS records of a domain. A response may lack them. */
const recordsOf = ({ dns_records: records }: { readonly dns_records?: unknown }) =>
  Array.isArray(records) ? (records as readonly DnsRecord[]) : [];

/** A record as it is entered: type, name and value. */
const recordLine = ({ type, name, value, key }: DnsRecord) =>
  [type ?? key, name, value === undefined || value === null ? undefined : `= ${value}`]
    .filter((part) => part !== undefined && part !== '')
    .join('  ');

function domainFinding(domain: SendingDomain): Finding {
  const { domain_name: name, compliance_status: compliance = 'compliant' } = domain as Partial<SendingDomain>;
  if (!isVerified(domain)) {
    const records = recordsOf(domain);
    const missing = records.filter(({ status }) => status !== 'pass');
    return {
      topic: 'domains',
      level: 'warning',
      text: `${name}: not verified, ${missing.length} of ${records.length} records missing`,
      remedy:
        missing.length > 0
          ? 'add these DNS records where the domain’s DNS is kept, and wait until the service finds them:'
          : 'wait until the service has verified it, or look at the domain in its web page',
      ...(missing.length > 0 && { details: missing.map(recordLine) }),
    };
  }
  if (compliance === 'compliant') return { topic: 'domains', level: 'ok', text: `${name} verified` };
  return {
    topic: 'domains',
    level: 'warning',
    text: `${name} verified, but its compliance status is ${compliance}: email from it may be held back`,
    remedy: COMPLIANCE_REMEDY,
  };
}

const SHOWN_NAMES = 3;

/** The finding about domains that the default sender does not need; none without one. */
function otherFindings(domains: readonly SendingDomain[], sender: string | undefined): Finding[] {
  const names = domains.map(({ domain_name: name }) => name);
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '';
  const remedy = `for the DNS records, set ${settingOf(sender)} to an address of the domain`;
  return names.length === 0
    ? []
    : [warning('domains', `${names.slice(0, SHOWN_NAMES).join(', ')}${more}: not verified`, remedy)];
}

/** The finding about the default sender, with all domains that the token can see. */
function senderFinding(sender: string | undefined, domains: readonly SendingDomain[]): Finding {
  const name = sender === undefined ? undefined : domainOfSender(sender);
  // The newest first: an old account has many that are no longer in use.
  const others = domains
    .filter(isVerified)
    .sort((one, other) => other.id - one.id)
    .map(({ domain_name: one }) => one);
  if (sender === undefined)
    return {
      topic: 'sender',
      level: 'ok',
      text: `no default (${VARIABLE}): each email names its own`,
    };
  if (name === undefined)
    return failure(
      'sender',
      `${sender}: is not an address`,
      `set ${settingOf(sender)} to an address, such as hello@${others[0] ?? 'your-domain.example'}`,
    );
  const domain = domains.find((one) => asciiDomain(one.domain_name) === name);
  const instead =
    others.length > 0
      ? `; or set ${settingOf(sender)} to an address of ${others.slice(0, 3).join(', ')}`
      : '';
  if (!domain)
    return failure(
      'sender',
      `${sender}: the domain ${name} is not in the account, or the token has no access to it`,
      `add it, with its DNS records (client.sendingDomains.create), or give the token access${instead}`,
    );
  if (!isVerified(domain))
    return failure(
      'sender',
      `${sender}: the domain ${name} is not verified`,
      `add its DNS records, below${instead}`,
    );
  if (STOPPED.includes(domain.compliance_status))
    return failure(
      'sender',
      `${sender}: the service sends nothing from ${name} (${domain.compliance_status})`,
      COMPLIANCE_REMEDY,
    );
  return { topic: 'sender', level: 'ok', text: `${sender}, of a verified domain` };
}

/** The failure of an account from which nothing can be sent. */
function noneVerified(domains: readonly SendingDomain[]): Finding {
  if (domains.length > 0)
    return failure(
      'domains',
      'none is verified',
      'add the DNS records of one, below; nothing can be sent until then',
    );
  return failure(
    'domains',
    'the token sees none: there is none in the account, or the token has access to none',
    'add a domain with its DNS records (client.sendingDomains.create), or give the token access to one',
  );
}

/** The findings about the sender if the account could not be read. */
export function senderFindings({ sender }: ClientPort, isApiThere: boolean): Finding[] {
  const text = `not checked, nor are domains, plan${isApiThere ? '' : ', limits, clock'}: see token`;
  const finding = warning('sender', text, 'mend that first, and run it again');
  return isAddress(sender) ? [finding] : [senderFinding(sender, []), finding];
}

/** The findings about the sender and the domains, and the names of the verified ones. */
export async function domainFindings(
  client: DiagnosedClient,
  { sender, stream }: ClientPort,
  signal?: AbortSignal,
): Promise<{ readonly findings: readonly Finding[]; readonly verified: readonly string[] }> {
  try {
    const [domains] = await firstOf(client.sendingDomains.list({ retry: false, signal }));
    const verified = domains.filter(isVerified).map(({ domain_name: name }) => name);
    const own = sender === undefined ? undefined : domainOfSender(sender);
    const isOther = (domain: SendingDomain) =>
      verified.length > 0 && !isVerified(domain) && asciiDomain(domain.domain_name) !== own;
    const findings = [
      ...domains.filter((one) => !isOther(one)).map(domainFinding),
      ...otherFindings(domains.filter(isOther), sender),
    ];
    // A sandbox captures email of every sender, so it needs no verified domain.
    if (stream === 'sandbox' && isAddress(sender)) return { findings, verified };
    const none =
      verified.length > 0 || (sender !== undefined && domains.length > 0) ? [] : [noneVerified(domains)];
    return { findings: [senderFinding(sender, domains), ...none, ...findings], verified };
  } catch (error) {
    const remedy = 'whether the sender’s domain is verified is not known: a test email shows it (--send)';
    const findings = [warning('domains', `not checked: ${unreadText(error)}`, remedy)];
    return {
      findings: isAddress(sender) ? findings : [senderFinding(sender, []), ...findings],
      verified: [],
    };
  }
}
