import { describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { groups } from '../tools/option-words.ts';
import { errorOf, type Loose } from '../tools/refused.ts';
import { campaigns, start, still, wire } from '../tools/wire.ts';

const create = createEmulator as Loose;

describe('createEmulator refuses', () => {
  test.each<[options: unknown, message: string]>([
    [null, 'TypeError: `options` must be an object with seed, accountId, limits, window, '],
    ['demo', 'TypeError: `options` must be an object with seed, accountId, limits, window, '],
    [new Map(), 'TypeError: `options` must be an object with seed'],
    [
      { limit: {} },
      'TypeError: `options.limit` is unknown; the known names are seed, accountId, limits, window, ',
    ],
    [{ seed: 'dmeo' }, "RangeError: `options.seed` must be one of 'demo', 'empty', not 'dmeo'"],
    [{ seed: true }, "TypeError: `options.seed` must be one of 'demo', 'empty', not true"],
    [{ limits: 5 }, 'TypeError: `options.limits` must be an object with token, contacts, '],
    [{ limits: true }, 'or false, not true'],
    [
      { limits: { tokens: false } },
      'TypeError: `options.limits.tokens` is unknown; the known names are token, contacts, stats, suppressions, ' +
        'emailLogsList, emailLogsGet, templatesList, templatesCreate, subAccountsDelete',
    ],
    [
      { limits: { token: 5 } },
      'TypeError: `options.limits.token` must be an object with requests, perMs, or false, not 5',
    ],
    [
      { limits: { token: { requests: 5 } } },
      'TypeError: `options.limits.token.perMs` must be a number of milliseconds: more than 0 and at most 100 years, ' +
        'not undefined',
    ],
    [
      { limits: { stats: { perMs: 5 } } },
      'TypeError: `options.limits.stats.requests` must be a whole number, 1 or more, not undefined',
    ],
    [{ limits: { token: { requests: 0, perMs: 5 } } }, 'RangeError: `options.limits.token.requests` must be'],
    [{ limits: { token: { requests: 1.5, perMs: 5 } } }, 'RangeError: `options.limits.token.requests`'],
    [{ limits: { token: { requests: 1, perMs: 0 } } }, 'RangeError: `options.limits.token.perMs`'],
    [{ limits: { token: { requests: 1, perMs: Infinity } } }, 'RangeError: `options.limits.token.perMs`'],
    [
      { limits: { token: { requests: 1, perMs: 1, per: 1 } } },
      'TypeError: `options.limits.token.per` is unknown',
    ],
    [
      { window: 'slding' },
      "RangeError: `options.window` must be one of 'aligned', 'fixed', 'sliding', not 'slding'",
    ],
    [{ countSending: 'no' }, "TypeError: `options.countSending` must be true or false, not 'no'"],
    [{ campaigns: { sendsMs: 5 } }, 'TypeError: `options.campaigns.sendsMs` is unknown'],
    [
      { campaigns: { sendMs: -1 } },
      'RangeError: `options.campaigns.sendMs` must be a number of milliseconds: 0 or more and at most 100 years, or ' +
        'Infinity, not -1',
    ],
    [{ campaigns: { sendMs: Number.NaN } }, 'RangeError: `options.campaigns.sendMs`'],
    [{ campaigns: { terminateMs: '5s' } }, 'TypeError: `options.campaigns.terminateMs`'],
    [{ campaigns: { startedState: 'paused' } }, 'RangeError: `options.campaigns.startedState`'],
    [{ sending: { deliverMs: null } }, 'TypeError: `options.sending.deliverMs`'],
    [{ sending: { openMs: 4e12 } }, 'RangeError: `options.sending.openMs`'],
    [{ sending: { clickMs: {} } }, 'TypeError: `options.sending.clickMs`'],
    [{ sending: { latency: 5 } }, 'TypeError: `options.sending.latency` is unknown'],
    [{ sending: { unverifiedDomain: 403 } }, 'TypeError: `options.sending.unverifiedDomain`'],
    [{ sending: { maxMailBytes: '10 MB' } }, 'TypeError: `options.sending.maxMailBytes`'],
    [{ sending: { maxBatchBytes: 0 } }, 'RangeError: `options.sending.maxBatchBytes`'],
    [{ sending: { keep: -5 } }, 'RangeError: `options.sending.keep`'],
    [{ logs: { pageSize: 0 } }, 'RangeError: `options.logs.pageSize`'],
    [{ logs: { unreadableDates: 'refused' } }, 'RangeError: `options.logs.unreadableDates`'],
    [{ logs: { unknownCursor: 'ignore' } }, 'RangeError: `options.logs.unknownCursor`'],
    [{ logs: { rawUrlMs: -1 } }, 'RangeError: `options.logs.rawUrlMs`'],
    [{ logs: { shownWithinMs: -1 } }, 'RangeError: `options.logs.shownWithinMs`'],
    [{ logs: { keep: 1.5 } }, 'RangeError: `options.logs.keep`'],
    [{ domains: { propagateMs: '1m' } }, 'TypeError: `options.domains.propagateMs`'],
    [{ domains: { reviewMs: -1 } }, 'RangeError: `options.domains.reviewMs`'],
    [{ accounts: { permissionsPath: '/permissions' } }, 'RangeError: `options.accounts.permissionsPath`'],
    [{ webhooks: { receive: 'http://localhost' } }, 'TypeError: `options.webhooks.receive`'],
    [{ webhooks: { hosts: 'app' } }, 'TypeError: `options.webhooks.hosts`'],
    [{ webhooks: { hosts: ['http://app'] } }, 'RangeError: `options.webhooks.hosts[0]`'],
    [{ webhooks: { signatureHeader: 'a b' } }, 'RangeError: `options.webhooks.signatureHeader`'],
    [{ webhooks: { flushMs: -1 } }, 'RangeError: `options.webhooks.flushMs`'],
    [{ webhooks: { maxEvents: 0 } }, 'RangeError: `options.webhooks.maxEvents`'],
    [{ webhooks: { retryMs: '5m' } }, 'TypeError: `options.webhooks.retryMs`'],
    [{ webhooks: { maxRetries: -1 } }, 'RangeError: `options.webhooks.maxRetries`'],
    [{ inbound: { pageSize: 0 } }, 'RangeError: `options.inbound.pageSize`'],
    [{ inbound: { fileUrlMs: -1 } }, 'RangeError: `options.inbound.fileUrlMs`'],
    [{ inbound: { maxInboxes: 0 } }, 'RangeError: `options.inbound.maxInboxes`'],
    [{ inbound: { maxHostedReplies: 0.5 } }, 'RangeError: `options.inbound.maxHostedReplies`'],
    [{ sandbox: { limit: false } }, 'TypeError: `options.sandbox.limit`'],
    [{ sandbox: { missingPart: 'gone' } }, 'RangeError: `options.sandbox.missingPart`'],
    [{ sandbox: { blacklistReport: false } }, 'TypeError: `options.sandbox.blacklistReport`'],
    [{ accounts: { listsTokens: 'yes' } }, 'TypeError: `options.accounts.listsTokens`'],
    [{ sandbox: { maxSize: 0 } }, 'RangeError: `options.sandbox.maxSize`'],
    [{ sandbox: { limits: {} } }, 'TypeError: `options.sandbox.limits` is unknown'],
    [{ token: 5 }, 'TypeError: `options.token` must be letters, digits and any of . _ + / = -'],
    [{ token: '' }, 'RangeError: `options.token` must be letters, digits and any of . _ + / = -'],
    [{ cors: { expose: [] } }, 'TypeError: `options.cors` is unknown'],
    [{ now: 5 }, 'TypeError: `options.now` must be a function, not 5'],
    [{ now: () => Number.NaN }, 'RangeError: `options.now` must return milliseconds since the Unix epoch'],
    [{ now: () => new Date() }, 'RangeError: `options.now` must return'],
    [{ now: () => '1800000000000' }, 'RangeError: `options.now` must return'],
    [{ now: () => 1e15 }, 'RangeError: `options.now` must return'],
  ])('%j → %s', (options, message) => {
    expect(errorOf(() => create(options))).toContain(message);
  });

  test('no option that is declared: the names that it knows are those of the tables of docs/trust/fidelity.md', () => {
    const declared = groups.flatMap(([name, options]) =>
      name === undefined ? Object.keys(options) : [name],
    );
    const [, known = ''] = /the known names are (.*)$/.exec(errorOf(() => create({ other: 1 }))) ?? [];
    expect(known.split(', ').sort()).toEqual(declared.sort());
  });

  test.each(['two words', 'ünïcode', 'a\r\nb', '~root', "'; rm"])(
    'an invalid token, without repeating it: %j',
    (token) => {
      const message = errorOf(() => create({ token }));
      expect(message).toMatch(/^RangeError: `options\.token` must be /);
      expect(message).not.toContain(token);
    },
  );

  test.each([
    ...['token', 'contacts', 'stats', 'suppressions', 'emailLogsList', 'emailLogsGet'],
    ...['templatesList', 'templatesCreate', 'subAccountsDelete'],
  ])('an invalid limit of %s', (pool) => {
    expect(errorOf(() => create({ limits: { [pool]: 5 } }))).toContain(`\`options.limits.${pool}\` must be`);
  });

  test('nothing that is valid or undefined', async () => {
    const limit = { requests: 2, perMs: 0.5 };
    const emulator = createEmulator({
      seed: 'empty',
      limits: { token: limit, contacts: false },
      window: 'sliding',
      countSending: false,
      campaigns: { sendMs: 0, terminateMs: Infinity, startedState: 'queued' },
      sending: { deliverMs: 1, unverifiedDomain: 'forbidden', maxMailBytes: Infinity, keep: Infinity },
      logs: {
        pageSize: 1,
        unreadableDates: 'refuse',
        unknownCursor: 'first-page',
        rawUrlMs: Infinity,
        shownWithinMs: 0,
      },
      domains: { propagateMs: Infinity, reviewMs: 0 },
      accounts: { permissionsPath: 'both', listsTokens: false },
      sandbox: {
        limit,
        maxProjects: 5,
        maxInboxes: Infinity,
        maxSize: 50,
        missingPart: 'not-found',
        blacklistReport: 'none',
      },
      webhooks: {
        hosts: ['app:3000'],
        signatureHeader: 'Signature',
        flushMs: 0,
        retryMs: Infinity,
        maxRetries: 0,
      },
      inbound: { pageSize: 1, fileUrlMs: Infinity, maxInboxes: Infinity, maxHostedReplies: 1 },
      token: 'Own.token_1+/=-',
      now: () => start,
    });
    expect((await wire(emulator)('GET', campaigns)).status).toBe(200);
    expect(emulator.clientOptions().token).toBe('Own.token_1+/=-');

    const undefinedOptions = {
      seed: undefined,
      limits: { token: undefined },
      campaigns: { sendMs: undefined },
    };
    const usual = create({
      ...undefinedOptions,
      logs: { pageSize: undefined },
      now: () => start,
    }) as Emulator;
    const { headers } = await wire(usual)('GET', campaigns);
    expect(headers.get('x-ratelimit-limit')).toBe('150');
    const id = usual.campaigns.add();
    await wire(usual)('POST', `${campaigns}/${id}/start`);
    usual.clock.advance(59_999);
    expect(usual.campaigns.stateOf(id)).toBe('started');
    usual.logs.add();
    const { value } = await wire(usual)('GET', '/api/email_logs');
    expect((value as { messages: unknown[] }).messages).toHaveLength(1);
  });
});

test('campaigns have statistics even if sending takes no time, or never ends', async () => {
  for (const sendMs of [0, Infinity]) {
    const emulator = still({ seed: 'demo', campaigns: { sendMs } });
    const id = emulator.campaigns.add({ state: 'started' });
    const { json } = await wire(emulator)('GET', `${campaigns}/${id}/stats`);
    expect(json.data.sent_count > 0).toBe(sendMs === 0);
    expect(json.data.delivery_rate).toBeTypeOf('number');
    expect((await wire(emulator)('GET', `${campaigns}?per_page=100`)).list).toHaveLength(100);
  }
});

test('an invalid time is refused whenever it occurs', () => {
  let now: unknown = start;
  const emulator = createEmulator({ now: () => now as number });
  now = 'later';
  expect(() => emulator.clock.now()).toThrow('`options.now` must return milliseconds since the Unix epoch');
});
