import type { EmulatorAnswers } from '../answers.ts';
import type { EmulatorAccountOptions } from '../areas/accounts/options.ts';
import type { EmulatorCampaignTiming } from '../areas/campaigns/timing.ts';
import type { EmulatorContactOptions } from '../areas/contacts/options.ts';
import type { EmulatorDomainTiming } from '../areas/domains/timing.ts';
import type { EmulatorInboundOptions } from '../areas/inbound/options.ts';
import type { EmulatorLogOptions } from '../areas/logs/options.ts';
import type { EmulatorSandboxOptions } from '../areas/sandbox/options.ts';
import type { EmulatorSeed } from '../areas/seed.ts';
import type { EmulatorSendingOptions } from '../areas/sending/options.ts';
import type { EmulatorSuppressionOptions } from '../areas/suppressions/options.ts';
import type { EmulatorWebhookOptions } from '../areas/webhooks/options.ts';
import type { EmulatorHosts } from '../hosts.ts';
import { isHost } from '../http/allowed-hosts.ts';
import { isHeaderName, isOrigin, type EmulatorCors } from '../http/cors.ts';
import type { EmulatorListenOptions } from '../http/options.ts';
import type { EmulatorLimit, EmulatorLimits } from '../limiter.ts';
import type { EmulatorOptions } from '../options.ts';
import { isToken } from '../tokens.ts';
import type { EmulatorWindowKind } from '../windows.ts';
import {
  arrayOf,
  callable,
  duration,
  flag,
  objectOf,
  oneOf,
  or,
  period,
  positive,
  positiveOrInfinity,
  textLike,
  whole,
  type Kind,
} from './kind.ts';
import { HOST, ORIGIN, TOKEN } from './rules.ts';

const limit = objectOf<EmulatorLimit>({ requests: positive, perMs: period }, ['requests', 'perMs']);
const orOff = or(limit, false);

/** The options of `createEmulator`. */
export const createOptions = objectOf<EmulatorOptions>({
  seed: oneOf(['demo', 'empty'] satisfies EmulatorSeed[]),
  limits: or(
    objectOf<EmulatorLimits>({
      token: orOff,
      contacts: orOff,
      stats: orOff,
      suppressions: orOff,
      emailLogsList: orOff,
      emailLogsGet: orOff,
    }),
    false,
  ),
  window: oneOf(['aligned', 'fixed', 'sliding'] satisfies EmulatorWindowKind[]),
  countSending: flag,
  answers: oneOf(['specified', 'recorded'] satisfies EmulatorAnswers[]),
  campaigns: objectOf<EmulatorCampaignTiming>({
    sendMs: duration,
    terminateMs: duration,
    startedState: oneOf(['started', 'queued']),
  }),
  sending: objectOf<EmulatorSendingOptions>({
    deliverMs: duration,
    openMs: duration,
    clickMs: duration,
    unverifiedDomain: oneOf(['unauthorized', 'forbidden']),
    maxMailBytes: positiveOrInfinity,
    maxBatchBytes: positiveOrInfinity,
    keep: positiveOrInfinity,
  }),
  logs: objectOf<EmulatorLogOptions>({
    pageSize: positive,
    unreadableDates: oneOf(['ignore', 'refuse']),
    unknownCursor: oneOf(['refuse', 'first-page']),
    rawUrlMs: duration,
    keep: positiveOrInfinity,
  }),
  domains: objectOf<EmulatorDomainTiming>({ propagateMs: duration, reviewMs: duration }),
  contacts: objectOf<EmulatorContactOptions>({
    importMs: duration,
    exportMs: duration,
    fileUrlMs: duration,
    max: positiveOrInfinity,
  }),
  suppressions: objectOf<EmulatorSuppressionOptions>({ pageSize: positive }),
  accounts: objectOf<EmulatorAccountOptions>({
    permissionsPath: oneOf(['resources', 'permissions', 'both']),
    listsTokens: flag,
    tokenLifetimeMs: positiveOrInfinity,
  }),
  sandbox: objectOf<EmulatorSandboxOptions>({
    limit,
    maxProjects: positiveOrInfinity,
    maxInboxes: positiveOrInfinity,
    maxSize: positive,
    missingPart: oneOf(['conflict', 'not-found']),
    blacklistReport: oneOf(['report', 'none']),
  }),
  webhooks: objectOf<EmulatorWebhookOptions>({
    receive: callable,
    hosts: arrayOf('host names', textLike(HOST, isHost)),
    signatureHeader: textLike('the name of a header', isHeaderName),
    flushMs: duration,
    maxEvents: positive,
    retryMs: duration,
    maxRetries: whole(0, 1000),
  }),
  inbound: objectOf<EmulatorInboundOptions>({
    pageSize: positive,
    fileUrlMs: duration,
    maxInboxes: positiveOrInfinity,
    maxHostedReplies: positiveOrInfinity,
  }),
  token: { ...textLike(TOKEN, isToken), isSecret: true },
  now: callable,
});

/** The options of `emulator.listen`. */
export const listenOptions = objectOf<EmulatorListenOptions>({
  port: whole(0, 65_535),
  allowedHosts: arrayOf('host names', textLike(HOST, isHost)),
  cors: objectOf<EmulatorCors>(
    {
      origins: arrayOf('origins', textLike(ORIGIN, isOrigin)),
      expose: arrayOf('header names', textLike('the name of a header', isHeaderName)),
    },
    ['origins'],
  ),
});

/** An emulator, as `handlers` takes it. */
export const emulatorKind: Kind = {
  what: 'an emulator',
  hasType: (value) =>
    typeof value === 'object' && value !== null && 'handle' in value && 'clientOptions' in value,
};

const base = textLike('a URL that begins with http:, https: or /', (url) => /^(?:https?:\/\/|\/)/i.test(url));

/** The options of `handlers`. */
export const handlerOptions = objectOf<{ hosts: Partial<EmulatorHosts> }>({
  hosts: objectOf<EmulatorHosts>({ api: base, send: base, bulk: base, sandbox: base }),
});
