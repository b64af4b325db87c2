/** Checks with at most five requests whether a client can send email. */
import { portOf, type ClientPort } from '../client/port.ts';
import type { ResponseInfo } from '../core/api-promise.ts';
import type { ApiError } from '../core/api-errors.ts';
import { isApiError, isPermissionDeniedError } from '../core/error-guards.ts';
import { InvalidRequestError } from '../core/errors.ts';
import { isolated } from '../core/isolated.ts';
import type { HostName } from '../core/request.ts';
import { issuesAt } from '../core/rules.ts';
import { hostRemedy } from '../core/variables.ts';
import type { SendingDomain } from '../resources/sending-domains/types.ts';
import { isVerified } from '../resources/sending-domains/verification.ts';
import type { DiagnosedClient } from './client.ts';
import { troubleOf } from './connections.ts';
import type { Diagnosis, Finding } from './findings.ts';
import { firstOf } from './part.ts';

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A larger difference of clocks is a warning. A `Date` has whole seconds, and a response takes time. */
const CLOCK_MS = 10_000;

const HOST_OF = { transactional: 'send', bulk: 'bulk', sandbox: 'sandbox' } as const;

/** A response of the API with the time of its arrival, or its error as a finding. */
interface Answer {
  readonly finding: Finding;
  readonly response?: Pick<ResponseInfo, 'headers'> & Partial<Pick<ResponseInfo, 'rateLimit'>>;
  readonly receivedAt: number;
}

const failure = (topic: Finding['topic'], text: string, remedy: string): Finding => ({
  topic,
  level: 'failure',
  text,
  remedy,
});

async function tokenFinding(
  client: DiagnosedClient,
  port: ClientPort,
  signal?: AbortSignal,
): Promise<Answer> {
  const wallNow = () => port.runtime.wallNow();
  if (port.hosts.api === undefined) {
    const finding = failure('token', 'not checked: the host api has no address', hostRemedy('api'));
    return { finding, receivedAt: wallNow() };
  }
  try {
    const { data, response } = await client.accounts.list({ retry: false, signal }).withResponse();
    const ids = data.items.map(({ id }) => id);
    const [id = 'unknown'] = ids;
    const isOther = port.accountId !== undefined && !ids.includes(port.accountId);
    const finding: Finding = isOther
      ? failure(
          'token',
          `valid, but of account ${ids.join(', ')}, not ${port.accountId}`,
          'set EMAIL_PLATFORM_ACCOUNT_ID to the account of the token, or use a token of that account',
        )
      : { topic: 'token', level: 'ok', text: `valid, of account ${port.accountId ?? id}` };
    return { finding, response, receivedAt: wallNow() };
  } catch (error) {
    return { ...refusedToken(error), receivedAt: wallNow() };
  }
}

function refusedToken(error: unknown): Omit<Answer, 'receivedAt'> {
  if (!isApiError(error)) {
    const { text, remedy } = troubleOf(error);
    return { finding: failure('token', `not checked: on the host api, ${text}`, remedy) };
  }
  return { finding: tokenRefusal(error), response: { headers: error.headers } };
}

function tokenRefusal(error: ApiError): Finding {
  if (error.status === 401)
    return failure(
      'token',
      'refused (401)',
      'copy the token again: EMAIL_PLATFORM_TOKEN is wrong or was revoked',
    );
  if (error.status === 403)
    return { topic: 'token', level: 'warning', text: 'valid, but it may not list accounts (403)' };
  const isPage = typeof error.body === 'string' && /^\s*</.test(error.body);
  return failure(
    'token',
    `not checked: the host api answered ${error.status}${isPage ? ' with a page' : ''}`,
    isPage || error.status === 404 || error.status < 400
      ? 'EMAIL_PLATFORM_API_URL may lead elsewhere: to a web site, or a proxy that asks for a login'
      : 'try again later',
  );
}

/** Undefined if the host responds, with any status. The request has no token, because the address may be wrong. */
async function hostTrouble(port: ClientPort, host: HostName, address: string, signal?: AbortSignal) {
  try {
    await port.execute(
      {
        operation: 'diagnose',
        method: 'GET',
        host,
        path: '(host)',
        signed: isolated({ url: `${address}/` }),
        decoder: { kind: 'body', form: 'text' },
      },
      { retry: false, timeoutMs: 10_000, signal },
    );
    return undefined;
  } catch (error) {
    return isApiError(error) ? undefined : troubleOf(error);
  }
}

async function hostFindings(port: ClientPort, isApiThere: boolean, signal?: AbortSignal): Promise<Finding[]> {
  const needed = HOST_OF[port.stream];
  const names = ['send', 'bulk', 'sandbox'] as const;
  const results = await Promise.all(
    names.map(async (name) => {
      const address = port.hosts[name];
      if (address === undefined) return { name, trouble: undefined, isMissing: true };
      return { name, trouble: await hostTrouble(port, name, address, signal), isMissing: false };
    }),
  );
  const answering = results
    .filter(({ trouble, isMissing }) => !trouble && !isMissing)
    .map(({ name }) => name);
  const good = [...(isApiThere ? ['api'] : []), ...answering];
  const level = (name: string) => (name === needed ? 'failure' : 'warning');
  return [
    ...(good.length > 0 ? [{ topic: 'hosts', level: 'ok', text: `${good.join(', ')} answer` } as const] : []),
    ...results.flatMap(({ name, trouble, isMissing }): Finding[] => {
      if (trouble)
        return [{ topic: 'hosts', level: level(name), ...trouble, text: `${name}: ${trouble.text}` }];
      if (!isMissing || name !== needed) return [];
      return [failure('hosts', `${name}: there is no address`, hostRemedy(name))];
    }),
  ];
}

function domainFinding(domain: SendingDomain): Finding {
  const name = domain.domain_name;
  if (isVerified(domain)) return { topic: 'domains', level: 'ok', text: `${name} verified` };
  const records = domain.dns_records;
  const missing = records.filter(({ status }) => status !== 'pass');
  const [first] = missing;
  const example = first ? ` (${[first.type, first.name].filter(Boolean).join(' ')})` : '';
  return {
    topic: 'domains',
    level: 'warning',
    text: `${name}: ${missing.length} of ${records.length} records missing${example}`,
    remedy: 'add them where the domain’s DNS is kept: client.sendingDomains.get(id) has their values',
  };
}

async function domainFindings(
  client: DiagnosedClient,
  port: ClientPort,
  signal?: AbortSignal,
): Promise<{ readonly findings: readonly Finding[]; readonly verified: readonly string[] }> {
  try {
    const [domains] = await firstOf(client.sendingDomains.list({ retry: false, signal }));
    const verified = domains.filter(isVerified).map(({ domain_name: name }) => name);
    const findings = domains.map(domainFinding);
    // A sandbox captures email of every sender, so it needs no verified domain.
    if (verified.length > 0 || port.stream === 'sandbox') return { findings, verified };
    const none = failure(
      'domains',
      'none is verified',
      'add a domain and its DNS records: client.sendingDomains.create()',
    );
    return { findings: [none, ...findings], verified };
  } catch (error) {
    const text = isPermissionDeniedError(error)
      ? 'not read: the token may not'
      : `not read: ${isApiError(error) ? `answered ${error.status}` : troubleOf(error).text}`;
    return { findings: [{ topic: 'domains', level: 'warning', text }], verified: [] };
  }
}

function limitFindings(client: DiagnosedClient, { response }: Answer, usedBefore: number): Finding[] {
  const { limit, remaining } = response?.rateLimit ?? {};
  if (limit === undefined || remaining === undefined) return [];
  const { perMs = 10_000 } = client.limits.snapshot().token ?? {};
  const byOthers = Math.max(0, limit - remaining - usedBefore - 1);
  const used = byOthers === 0 ? 'none used by another program' : `${byOthers} used by another program`;
  const isLittle = byOthers > limit / 2;
  return [
    {
      topic: 'limits',
      level: isLittle ? 'warning' : 'ok',
      text: `${limit}/${perMs / 1000} s, ${used}`,
      ...(isLittle && {
        remedy: 'share the limit between processes: redisThrottle() of email-platform/redis',
      }),
    },
  ];
}

function clockFindings({ response, receivedAt }: Answer): Finding[] {
  const there = Date.parse(response?.headers.get('date') ?? '');
  if (Number.isNaN(there)) return [];
  // A `Date` is rounded down to the second.
  const offMs = receivedAt - there > 0 ? Math.max(0, receivedAt - there - 999) : receivedAt - there;
  const seconds = Math.round(Math.abs(offMs) / 1000);
  const isOff = Math.abs(offMs) > CLOCK_MS;
  return [
    {
      topic: 'clock',
      level: isOff ? 'warning' : 'ok',
      text:
        seconds === 0 ? 'as the service' : `${seconds} s ${offMs > 0 ? 'ahead of' : 'behind'} the service`,
      ...(isOff && { remedy: 'let this machine set its clock (NTP)' }),
    },
  ];
}

/**
 * Checks everything that can prevent a client from sending on a first day: the token, the account, the hosts, the
 * domains, the rate limit and the clock. It takes five requests and changes nothing. The requests to the sending
 * hosts have no token. The texts contain no secret.
 *
 * @param client - the client that sends
 * @throws `InvalidRequestError` if `client` is not an `EmailPlatform`
 * @example
 * ```ts
 * const { canSend, findings } = await diagnose(client);
 * ```
 */
export async function diagnose(client: DiagnosedClient, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const port = portOf(client);
  if (!port)
    throw new InvalidRequestError(issuesAt('client', 'must be an EmailPlatform: pass new EmailPlatform()'), {
      operation: 'diagnose',
    });
  const { signal } = options;
  const usedBefore = client.limits.snapshot().token?.used ?? 0;
  const answer = await tokenFinding(client, port, signal);
  const [hosts, domains] = await Promise.all([
    hostFindings(port, answer.response !== undefined, signal),
    answer.finding.level === 'failure' ? undefined : domainFindings(client, port, signal),
  ]);
  signal?.throwIfAborted();
  const findings = [
    answer.finding,
    ...hosts,
    ...(domains?.findings ?? []),
    ...limitFindings(client, answer, usedBefore),
    ...clockFindings(answer),
  ];
  const canSend = findings.every(({ level }) => level !== 'failure');
  const [domain] = domains?.verified ?? [];
  const sender = port.sender ?? (domain === undefined ? undefined : `doctor@${domain}`);
  return { canSend, findings, sender };
}
