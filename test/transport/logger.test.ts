import {
  ConfigurationError,
  type BadRequestError,
  type EmailPlatform,
  type EmailPlatformOptions,
} from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { examples } from '../entries/schemas/examples.ts';
import { thrown } from '../support/expect-error.ts';
import { json, lost, scriptedFetch, silence, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../support/virtual-client.ts';

const found = json(200, { data: { id: 1 } }, { 'x-request-id': 'r-1' });
const busy = json(429, { error: 'Throttled' }, { 'retry-after': '2' });
const mail = { from: 'a@example.com', to: 'ben@example.org', subject: 'Hi', text: 'Hello' };

interface Line {
  readonly level: EmailPlatform.LogLevel;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

function noting() {
  const lines: Line[] = [];
  const at = (level: EmailPlatform.LogLevel) => (fields: object, message: string) => {
    lines.push({ level, fields: fields as Line['fields'], message });
  };
  const logger: EmailPlatform.Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
  return { lines, logger, said: () => lines.map(({ level, message }) => `${level}: ${message}`) };
}

function setUp(turns: [Turn, ...Turn[]], options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(...turns);
  const notes = noting();
  const hosts = { api: 'https://api.test', send: 'https://send.test' };
  const { client, time } = virtualClient({ fetch, logger: notes.logger, hosts, ...options });
  return { client, time, sent, ...notes };
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('A logger is told, by level', () => {
  test('debug: of every attempt and its response; info: of the end of every call', async () => {
    const { client, lines } = setUp([found], { logLevel: 'debug' });
    await client.campaigns.get(1, { meta: 'trace 7' });
    const about = {
      callId: expect.any(String) as unknown,
      operation: 'campaigns.get',
      meta: 'trace 7',
      method: 'GET',
      host: 'api',
    };
    expect(lines).toEqual([
      { level: 'debug', fields: { ...about, attempt: 1 }, message: 'campaigns.get: attempt 1 is sent' },
      {
        level: 'debug',
        fields: { ...about, attempt: 1, status: 200, durationMs: 0, requestId: 'r-1' },
        message: 'campaigns.get: attempt 1 was answered with 200 after 0 ms',
      },
      {
        level: 'info',
        fields: { ...about, attempts: 1, durationMs: 0 },
        message: 'campaigns.get: succeeded after 0 ms',
      },
    ]);
  });

  test('info: of every retry; warn: of every 429', async () => {
    const { client, time, lines, said } = setUp([busy, lost, found], { logLevel: 'info' });
    await throughItsWaits(time, client.campaigns.get(1));
    expect(said()).toEqual([
      'warn: campaigns.get: attempt 1 was refused with 429 by a rate limit',
      'info: campaigns.get: attempt 1 is repeated in 2000 ms (rate_limited)',
      'info: campaigns.get: attempt 2 is repeated in 250 ms (connection_lost)',
      'info: campaigns.get: succeeded after 2250 ms',
    ]);
    expect(lines.at(-2)?.fields).toMatchObject({
      attempt: 2,
      reason: 'connection_lost',
      delayMs: 250,
      error: { name: 'ConnectionError', code: 'connection_failed', effect: 'unknown', status: undefined },
    });
  });

  test('info: of a wait in the queue that is longer than a second', async () => {
    const { client, time, said, lines } = setUp([found], {
      logLevel: 'info',
      throttle: { limits: { token: { requests: 1, perMs: 1_000 } } },
    });
    const calls = [1, 2, 3].map((id) => client.campaigns.get(id));
    await throughItsWaits(time, Promise.all(calls));
    expect(said()).toEqual([
      'info: campaigns.get: queued for about 2000 ms, for the limit of token',
      ...[0, 1000, 2000].map((ms) => `info: campaigns.get: succeeded after ${ms} ms`),
    ]);
    expect(lines[0]?.fields).toMatchObject({ pool: 'token', waiting: 2, expectedWaitMs: 2_000 });
  });

  test('warn: of a response that does not match its schema', async () => {
    const { client, said, lines } = setUp([json(200, { data: { id: 'seven' } })], { schemas });
    await client.campaigns.get(1);
    await until(() => lines.length > 0);
    expect(said()[0]).toMatch(/^warn: campaigns\.get: the response does not match its schema$/);
    expect(lines[0]?.fields.issues).toContainEqual(expect.objectContaining({ path: 'id' }));
  });

  test('warn: of a read whose outcome is unknown; error: of a send, and of anything else that changes something', async () => {
    const { client, said, lines } = setUp([lost], { retry: false });
    await client.campaigns.get(1).catch(() => undefined);
    await client.sending.send(mail).catch(() => undefined);
    await client.campaigns.start(1).catch(() => undefined);
    expect(said()).toEqual([
      'warn: campaigns.get: the outcome is unknown (connection_failed)',
      'error: sending.send: the outcome is unknown (connection_failed)',
      'error: campaigns.start: the outcome is unknown (connection_failed)',
    ]);
    expect(lines[1]?.fields).toMatchObject({
      attempts: 1,
      durationMs: 0,
      error: { name: 'ConnectionError', effect: 'unknown' },
    });
  });

  test('error: of a 401; warn: of a 403; at the default level', async () => {
    const { client, said, lines } = setUp([
      json(401, { errors: ['no ann@example.org'] }),
      json(403, { errors: 'no' }),
      json(401, {}),
    ]);
    await client.campaigns.get(1).catch(() => undefined);
    await client.campaigns.get(1).catch(() => undefined);
    await client.sending.send(mail).catch(() => undefined);
    expect(said()).toEqual([
      'error: campaigns.get: failed (authentication_failed)',
      'warn: campaigns.get: failed (permission_denied)',
      'error: sending.send: failed (authentication_failed)',
    ]);
    expect(lines[0]?.fields.error).toEqual({
      name: 'AuthenticationError',
      code: 'authentication_failed',
      effect: 'none',
      status: 401,
    });
  });

  test('info: of any other failure, which its caller is told of, and of a read that its caller aborted', async () => {
    const { client, said, sent } = setUp([json(404, {}), silence], { logLevel: 'debug' });
    await client.campaigns.get(1).catch(() => undefined);
    const controller = new AbortController();
    const aborted = client.campaigns.get(2, { signal: controller.signal }).catch(() => undefined);
    await until(() => sent.length === 2);
    controller.abort();
    await aborted;
    expect(said().filter((line) => line.includes('failed'))).toEqual([
      'info: campaigns.get: failed (not_found)',
      'info: campaigns.get: failed (aborted)',
    ]);
    expect(said().filter((line) => !/^(debug|info)/.test(line))).toEqual([]);
  });
});

describe('A level', () => {
  const all: Turn[] = [busy, lost, found, lost];
  test.each([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    [undefined, ['warn', 'error']],
    ['error', ['error']],
  ] as const)('of %s leaves out what is below it', async (logLevel, levels) => {
    const { client, time, lines } = setUp(all as [Turn, ...Turn[]], { logLevel });
    await throughItsWaits(time, client.campaigns.get(1));
    await client.sending.send(mail).catch(() => undefined);
    expect([...new Set(lines.map(({ level }) => level))].sort()).toEqual([...levels].sort());
  });
});

describe('The end of a call', () => {
  const accepted = json(200, { success: true, message_ids: ['id-1', 'id-2'] });
  const endOf = async (turn: Turn, send: (client: EmailPlatform) => PromiseLike<unknown>) => {
    const events: EmailPlatform.EndEvent[] = [];
    const { client, lines } = setUp([turn], {
      logLevel: 'info',
      token: 's3cr3t-t0k3n',
      retry: false,
      hooks: { onEnd: (event) => void events.push(event) },
    });
    await send(client).then(undefined, () => undefined);
    expect([lines.length, events.length]).toEqual([1, 1]);
    const [line] = lines;
    const [event] = events;
    if (!line || !event) throw new Error('The call has not ended.');
    return { line, event };
  };

  test('has the ids of an email that was sent', async () => {
    const { line, event } = await endOf(accepted, ({ sending }) => sending.send(mail));
    expect(line.message).toBe('sending.send: succeeded after 0 ms');
    expect([line.fields.message_ids, event.message_ids]).toEqual([
      ['id-1', 'id-2'],
      ['id-1', 'id-2'],
    ]);
    expect(JSON.stringify(line)).not.toContain('@');
  });

  test('has those of all emails of a batch', async () => {
    const responses = [
      { success: true, message_ids: ['id-1'] },
      { success: false, errors: ['no ben@example.org'] },
      { success: true, message_ids: ['id-2', 'id-3'] },
    ];
    for (const send of [
      ({ sending }: EmailPlatform) => sending.batch({ requests: [mail, mail, mail] }),
      ({ sending }: EmailPlatform) => sending.batchAll([mail, mail, mail]),
    ]) {
      const { line, event } = await endOf(json(200, { success: true, responses }), send);
      expect(line.fields.message_ids).toEqual(['id-1', 'id-2', 'id-3']);
      expect(event.message_ids).toEqual(['id-1', 'id-2', 'id-3']);
      expect([line.fields.rejected, event.rejected]).toEqual([1, 1]);
      expect(line.message).toMatch(/: succeeded after 0 ms; 1 of its emails rejected$/);
      expect(JSON.stringify(line)).not.toContain('@');
    }
  });

  test('has no field for ids where nothing was sent', async () => {
    const { line, event } = await endOf(found, ({ campaigns }) => campaigns.get(1));
    expect(event.message_ids).toBeUndefined();
    expect('message_ids' in line.fields).toBe(false);
    expect(['rejected' in line.fields, event.rejected]).toEqual([false, undefined]);
  });

  test.each([
    ["'to[0]' address is invalid", 'recipient'],
    ['Invalid template', 'template'],
    ['something else', undefined],
  ])('has the reason of a refusal: %s', async (said, reason) => {
    const { line, event } = await endOf(json(400, { errors: [said] }), ({ sending }) => sending.send(mail));
    expect(line.fields.error).toEqual({
      name: 'BadRequestError',
      code: 'bad_request',
      effect: 'none',
      status: 400,
      ...(reason !== undefined && { reason }),
    });
    expect((event.error as BadRequestError).reason).toBe(reason);
    expect(JSON.stringify(line)).not.toContain(said);
  });

  test.each([
    ['an address', ['ann@example.org', 'id-2'], ['id-2']],
    ['a sentence', ['accepted for ann', ''], undefined],
    ['the token', ['s3cr3t-t0k3n', 'id-2'], undefined],
  ])('has no id that is %s', async (_, message_ids, kept) => {
    const { line, event } = await endOf(json(200, { success: true, message_ids }), ({ sending }) =>
      sending.send(mail),
    );
    expect([line.fields.message_ids, event.message_ids]).toEqual([kept, kept]);
  });
});

describe('The lines of a logger', () => {
  test('has no address, token, path, header, query or body', async () => {
    const { client, time, lines } = setUp(
      [busy, json(500, { error: 'no ann@example.org, s3cr3t' }), json(422, { errors: { email: ['ann@x'] } })],
      { logLevel: 'debug', token: 's3cr3t' },
    );
    const request = { method: 'PUT', path: '/api/contacts/ann@example.org', query: { q: 'qu3ry' } } as const;
    const options = { headers: { 'x-mine': 'h3ader' } };
    await throughItsWaits(time, client.request(request, options)).catch(() => undefined);
    await client.contacts.get('ann@example.org').catch(() => undefined);
    expect(lines.length).toBeGreaterThan(6);
    expect(lines[0]?.message).toBe('request: attempt 1 is sent');
    expect(JSON.stringify(lines)).not.toMatch(/ann@|s3cr3t|qu3ry|h3ader/);
  });

  const quoted = (path: (string | number)[], message: string): EmailPlatform.StandardSchema => ({
    '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ path, message }] }) },
  });
  const contact = { ...examples.contact, fields: { 'ann@example.org': [], ben: {} } };

  test.each<
    [string, Turn, EmailPlatform.ResponseSchemas, (client: EmailPlatform) => PromiseLike<unknown>, string[]]
  >([
    [
      'a field of a contact',
      json(200, { data: contact }),
      schemas,
      ({ contacts }) => contacts.get('ann@example.org'),
      ['fields.*', 'fields.*'],
    ],
    [
      'a header of a captured email',
      json(200, { headers: { 'x-of-ann@example.org': 1, ben: null } }),
      schemas,
      ({ sandbox }) => sandbox.messages.headers(1, 2),
      ['*', '*'],
    ],
    [
      'a key in a schema of your own',
      json(200, { data: contact }),
      { contact: quoted(['fields', 'ann@example.org'], 'no') },
      ({ contacts }) => contacts.get('ann@example.org'),
      ['*'],
    ],
    [
      'a long key in a schema of your own, which a visitor chose',
      json(200, { data: contact }),
      { contact: quoted(['fields', `${'ben_'.repeat(500)}-`], 'no') },
      ({ contacts }) => contacts.get('ann@example.org'),
      ['*'],
    ],
    [
      'a path with list positions',
      json(200, { data: contact }),
      { contact: quoted(['_fields', 0, 'lines', '*', 'x1'], 'no') },
      ({ contacts }) => contacts.get('ann@example.org'),
      ['_fields[0].lines.*.x1'],
    ],
    [
      'a value that a schema of your own quotes',
      json(200, { data: contact }),
      { contact: quoted(['email'], 'Received "ann@example.org"') },
      ({ contacts }) => contacts.get('ann@example.org'),
      ['email'],
    ],
  ])('has the path of a mismatch as far as the schema has it, and no more: %s', async (...row) => {
    const [, turn, own, call, paths] = row;
    const { client, lines } = setUp([turn], { schemas: own });
    await call(client);
    await until(() => lines.length > 0);
    expect(lines[0]?.fields.issues).toEqual(paths.map((path) => ({ path })));
    expect(JSON.stringify(lines)).not.toMatch(/ann|ben/);
  });

  test.each([
    ['for-ben@example.org', undefined],
    ['a b', undefined],
    ['x'.repeat(129), undefined],
    ['01J9-Z_x.7:b', '01J9-Z_x.7:b'],
    ['x'.repeat(128), 'x'.repeat(128)],
  ])('has the id of a request only where it looks like one: %s', async (id, logged) => {
    const { client, lines } = setUp([json(200, { data: {} }, { 'x-request-id': id })], { logLevel: 'debug' });
    await client.campaigns.get(1);
    expect(lines[1]?.fields).toHaveProperty('requestId', logged);
  });
});

describe('A logger', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['never returns', () => new Promise(() => undefined)],
  ])('that %s harms nothing', async (_, log: () => unknown) => {
    const seen: string[] = [];
    const logger: object = { debug: log, info: log, warn: log, error: log };
    const { client, time } = setUp([busy, lost, found], {
      logger: logger as EmailPlatform.Logger,
      logLevel: 'debug',
      hooks: { onEnd: ({ outcome }) => void seen.push(outcome) },
    });
    expect(await throughItsWaits(time, client.campaigns.get(1))).toEqual({ id: 1 });
    expect(seen).toEqual(['succeeded']);
  });

  test('is called as an object: its methods find their this', async () => {
    const lines: string[] = [];
    class Own {
      readonly #prefix = 'own';
      debug() {
        lines.push(this.#prefix);
      }
      info() {
        this.debug();
      }
      warn() {
        this.debug();
      }
      error() {
        this.debug();
      }
    }
    const { client } = setUp([found], { logger: new Own(), logLevel: 'debug' });
    await client.campaigns.get(1);
    expect(lines).toEqual(['own', 'own', 'own']);
  });

  test('is inherited, replaced and removed, independently of the hooks', async () => {
    const { client, said } = setUp([found], { logLevel: 'debug' });
    const other = noting();
    await client.withOptions({ hooks: false }).campaigns.get(1);
    expect(said()).toHaveLength(3);
    await client.withOptions({ logger: other.logger }).campaigns.get(1);
    expect([said().length, other.said().length]).toEqual([3, 3]);
    await client.withOptions({ logger: false }).campaigns.get(1);
    await client.withOptions({ logLevel: 'error' }).campaigns.get(1);
    expect([said().length, other.said().length]).toEqual([3, 3]);
  });

  test('is not needed to have hooks, nor are schemas to have a logger', () => {
    expect(() => setUp([found], { logLevel: 'warn' })).not.toThrow();
  });
});

describe('Without code', () => {
  test('EMAIL_PLATFORM_LOG logs to the console', async () => {
    vi.stubEnv('EMAIL_PLATFORM_LOG', 'debug');
    const debug = vi.spyOn(console, 'debug').mockImplementation(() => undefined);
    vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const { client } = setUp([found], { logger: undefined });
    vi.unstubAllEnvs();
    await client.withOptions({ timeoutMs: 5_000 }).campaigns.get(1);
    expect(debug.mock.calls).toEqual([
      ['email-platform: campaigns.get: attempt 1 is sent', expect.objectContaining({ attempt: 1 })],
      [
        'email-platform: campaigns.get: attempt 1 was answered with 200 after 0 ms',
        expect.objectContaining({ status: 200 }),
      ],
    ]);
  });

  test('a level alone does so too', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { client, time } = setUp([busy, found], { logger: undefined, logLevel: 'warn' });
    await throughItsWaits(time, client.campaigns.get(1));
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('a level may be set for a derived client alone', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { client, time } = setUp([busy, found], { logger: undefined });
    await throughItsWaits(time, client.withOptions({ logLevel: 'warn' }).campaigns.get(1));
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('the option goes before the variable, and false before both', async () => {
    vi.stubEnv('EMAIL_PLATFORM_LOG', 'debug');
    const debug = vi.spyOn(console, 'debug').mockImplementation(() => undefined);
    const { client, lines } = setUp([found], { logLevel: 'warn' });
    await client.campaigns.get(1);
    expect(lines).toEqual([]);
    await setUp([found], { logger: false }).client.campaigns.get(1);
    expect(debug).not.toHaveBeenCalled();
  });

  test('nothing is logged by default', async () => {
    const spies = (['debug', 'info', 'warn', 'error'] as const).map((level) => vi.spyOn(console, level));
    const { client } = setUp([lost], { logger: undefined, retry: false });
    await client.sending.send(mail).catch(() => undefined);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });
});

describe('Refused is', () => {
  const refusal = (options: object) => thrown(() => virtualClient(options), ConfigurationError).message;

  test('an object that is not a logger', () => {
    const message = 'logger must be false or an object with the functions debug, info, warn and error';
    for (const logger of [true, 'console', () => undefined, { warn: () => undefined }, null])
      expect(refusal({ logger })).toBe(message);
  });

  test('a text that is not a level', () => {
    expect(refusal({ logLevel: 'verbose' })).toBe("logLevel must be one of 'debug', 'info', 'warn', 'error'");
    vi.stubEnv('EMAIL_PLATFORM_LOG', 'on');
    expect(refusal({})).toBe("EMAIL_PLATFORM_LOG must be one of 'debug', 'info', 'warn', 'error'");
  });
});
