/** Checks with at most seven requests whether email of a client reaches customers. */
import { portOf, type ClientPort } from '../../client/port.ts';
import type { ResponseInfo } from '../../core/api-promise.ts';
import { ApiError, RateLimitError } from '../../core/api-errors.ts';
import { InvalidRequestError, ResponseFormatError } from '../../core/errors.ts';
import { issuesAt } from '../../core/rules.ts';
import { hostRemedy } from '../../core/variables.ts';
import type { DiagnosedClient } from './client.ts';
import { unreadText } from './connections.ts';
import { domainFindings, senderFindings } from './domains.ts';
import { failure, warning, type Diagnosis, type Finding } from './findings.ts';
import { answerText, ELSEWHERE, isForeign, isRefusal } from './foreign.ts';
import { addressRemedy, connectionTrouble, hostFindings } from './hosts.ts';
import { proxyFindings } from './proxy.ts';
import { settingsFindings } from './settings.ts';

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A larger difference of clocks is a warning. A `Date` has whole seconds, and a response takes time. */
const CLOCK_MS = 10_000;

/** A response of the API with the time of its arrival, or its error as a finding. */
interface Answer {
  readonly finding: Finding;
  readonly response?: Pick<ResponseInfo, 'headers'> & Partial<Pick<ResponseInfo, 'rateLimit'>>;
  readonly receivedAt: number;
  /** Whether the host could not be reached. */
  readonly isCut?: boolean;
  /** Whether the client names an account that is not the token's. The account's records cannot be read then. */
  readonly isOther?: boolean;
  /** Milliseconds until the rate limit resets, after a 429. */
  readonly waitMs?: number;
}

/** The window of the token's rate limit, if the response does not say when it ends. */
const WINDOW_MS = 10_000;

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

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
    const [id] = ids;
    const isOther = id !== undefined && port.accountId !== undefined && !ids.includes(port.accountId);
    const other = 'set EMAIL_PLATFORM_ACCOUNT_ID to the account of the token, or use a token of that account';
    const finding: Finding =
      id === undefined
        ? warning('token', 'valid, but it sees no account', 'give the token access to the account')
        : isOther
          ? warning(
              'token',
              `valid, but of account ${ids.join(', ')}, not ${port.accountId}: emails belong to the token's account, and calls with the other account fail`,
              other,
            )
          : { topic: 'token', level: 'ok', text: `valid, of account ${port.accountId ?? id}` };
    return { finding, response, receivedAt: wallNow(), isOther };
  } catch (error) {
    return { ...refusedToken(error, port, port.hosts.api), receivedAt: wallNow() };
  }
}

function refusedToken(error: unknown, port: ClientPort, address: string): Omit<Answer, 'receivedAt'> {
  if (error instanceof ResponseFormatError)
    return {
      finding: failure(
        'token',
        `not checked: ${address} answered, but not like the service`,
        elsewhere(address),
      ),
    };
  if (!(error instanceof ApiError)) {
    const { text, remedy } = connectionTrouble(error, 'api', address);
    return { finding: failure('token', `not checked: on the host api, ${text}`, remedy), isCut: true };
  }
  // Without a response: a host that is not the service's has neither its limits nor its clock.
  if (isElsewhere(error))
    return {
      finding: failure('token', `not checked: ${address} ${answerText(error)}`, elsewhere(address)),
    };
  const { headers } = error;
  return {
    finding: tokenRefusal(error, port, address),
    response: { headers },
    ...(error instanceof RateLimitError && { waitMs: error.retryAfterMs ?? WINDOW_MS }),
  };
}

function tokenRefusal(error: ApiError, { tokenAdvice }: ClientPort, address: string): Finding {
  const { status } = error;
  if (status === 401)
    return failure(
      'token',
      'refused (401)',
      tokenAdvice ?? 'copy the token again: EMAIL_PLATFORM_TOKEN is wrong or was revoked',
    );
  if (status === 403)
    return { topic: 'token', level: 'warning', text: 'valid, but it may not list accounts (403)' };
  if (error instanceof RateLimitError)
    return failure(
      'token',
      'not checked: the rate limit of the token is used up (429)',
      `wait ${seconds(error.retryAfterMs ?? WINDOW_MS)} s, and run it again`,
    );
  const text = `not checked: ${address} ${answerText(error)}`;
  return failure('token', text, 'try again later, and look at the service’s status page');
}

/** Whether a response is not the service's, which responds without a page, also when it is down. */
function isElsewhere(error: ApiError): boolean {
  const { status } = error;
  const isKnown = status === 401 || isRefusal(error) || (status >= 500 && status !== 501);
  return !(error instanceof RateLimitError) && (isForeign(error) || !isKnown);
}

const elsewhere = (address: string) => `${ELSEWHERE}; ${addressRemedy('api', address)}`;

function limitFindings(client: DiagnosedClient, { response, waitMs }: Answer, usedBefore: number): Finding[] {
  const remedy = 'share the limit between processes: redisThrottle() of email-platform/redis';
  if (waitMs !== undefined) {
    const stated = response?.headers.get('x-ratelimit-limit') ?? '';
    const text = `${stated === '' ? 'all' : `all ${stated}`} requests are used, by other programs or an earlier run; free again in ${seconds(waitMs)} s`;
    return [{ topic: 'limits', level: 'warning', text, remedy }];
  }
  if (response?.rateLimit === undefined) return [];
  const { limit, remaining } = response.rateLimit;
  if (limit === undefined || remaining === undefined)
    return [warning('limits', 'not checked: the response does not name them', remedy)];
  const { perMs = WINDOW_MS } = client.limits.snapshot().token ?? {};
  const byOthers = Math.max(0, limit - remaining - usedBefore - 1);
  const used =
    byOthers === 0
      ? 'none used by another program'
      : `${byOthers} used by another program, or by an earlier run`;
  const isLittle = byOthers > limit / 2;
  return [
    {
      topic: 'limits',
      level: isLittle ? 'warning' : 'ok',
      text: `${limit}/${perMs / 1000} s, ${used}`,
      ...(isLittle && { remedy }),
    },
  ];
}

const PLAN_REMEDY = 'look at the plan in the service’s web page';

/** The finding about the plan; none if it has no limit. */
async function planFindings(client: DiagnosedClient, signal?: AbortSignal): Promise<Finding[]> {
  try {
    const { billing, sending } = await client.billing.usage({ retry: false, signal });
    const { current, limit } = sending?.usage.sent_messages_count ?? {};
    if (current === undefined || limit === undefined) return [];
    const until = billing.cycle_end.slice(0, 10);
    if (current < limit)
      return [{ topic: 'plan', level: 'ok', text: `${current} of ${limit} emails used, until ${until}` }];
    return [
      {
        topic: 'plan',
        level: 'warning',
        text: `all ${limit} emails of the plan ${sending?.plan.name} are used until ${until}: the service may refuse more`,
        remedy: PLAN_REMEDY,
      },
    ];
  } catch (error) {
    return [warning('plan', `not checked: ${unreadText(error)}`, PLAN_REMEDY)];
  }
}

function clockFindings({ response, receivedAt }: Answer): Finding[] {
  if (response === undefined) return [];
  const remedy = 'let this machine set its clock (NTP)';
  const there = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(there)) return [warning('clock', 'not checked: the response has no date', remedy)];
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
      ...(isOff && { remedy }),
    },
  ];
}

/**
 * Checks everything that can keep an email of a client from a customer: the token, the account, the hosts, the stream
 * and the rules for recipients, the default sender and the domains, the plan, the rate limit and the clock. It takes
 * six requests, and one more for a sandbox inbox, and changes nothing. The requests to the sending hosts have no token and no email. The texts contain
 * no secret. It cannot see whether the token may send: only a test email shows it.
 *
 * @param client - the client that sends
 * @throws `InvalidRequestError` if `client` is not an `EmailPlatform`
 * @example
 * ```ts
 * const { reachesCustomers, findings } = await diagnose(client);
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
  const isTokenGood = answer.finding.level !== 'failure';
  const isKnown = isTokenGood && answer.isOther !== true;
  const isApiThere = answer.response !== undefined;
  const [hosts, settings, domains, plan] = await Promise.all([
    hostFindings(port, { isApiThere, isTokenGood }, signal),
    settingsFindings(client, port, isKnown, signal),
    isKnown ? domainFindings(client, port, signal) : undefined,
    isKnown ? planFindings(client, signal) : [],
  ]);
  signal?.throwIfAborted();
  const findings = [
    answer.finding,
    ...hosts.findings,
    ...proxyFindings(answer.isCut === true || hosts.isCut),
    ...settings.findings,
    ...(domains?.findings ?? senderFindings(port, isApiThere)),
    ...plan,
    ...limitFindings(client, answer, usedBefore),
    ...clockFindings(answer),
  ];
  const canSend = findings.every(({ level }) => level !== 'failure');
  const [domain] = domains?.verified ?? [];
  const sender = port.sender ?? (domain === undefined ? undefined : `doctor@${domain}`);
  const reachesCustomers = canSend && settings.reachCustomers && !hosts.isEmulator;
  const { waitMs } = answer;
  return {
    canSend,
    reachesCustomers,
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
    findings,
    sender,
  };
}
