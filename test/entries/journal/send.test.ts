import { setTimeout as sleep } from 'node:timers/promises';
import {
  AbortedError,
  ConfigurationError,
  EmailPlatform,
  IdempotencyError,
  InvalidRequestError,
  JournalError,
  RateLimitError,
  type EmailPlatformOptions,
  type SendParams,
} from 'email-platform';
import {
  createJournal,
  type Journal,
  type JournalClaim,
  type JournalEntry,
  type JournalOptions,
} from 'email-platform/journal';
import { describe, expect, test } from 'vitest';
import { thrown } from '../../support/expect-error.ts';
import { json, lost, scriptedFetch, silence, type Turn } from '../../support/scripted-fetch.ts';
import { claimOf } from './claim-of.ts';
import { MemoryStore } from './memory-store.ts';

const HOUR_MS = 3_600_000;
const mail = { from: 'me@example.com', to: 'ann@example.org', subject: 'Hello', text: 'Hi.' } as const;
const accepted = json(200, { success: true, message_ids: ['id 1'] });
const refused = json(400, { errors: ['no'] });
const busy = json(429, { errors: ['no'] }, { 'retry-after': '0' });

/** An answer of the email log; the messages carry these keys. */
const log = (...keys: string[]): Turn => logOf(keys);
const logOf = (keys: readonly string[], more: Partial<EmailPlatform.EmailLogMessage> = {}): Turn =>
  json(200, {
    messages: keys.map((key, index) => ({
      message_id: `00000000-0000-0000-0000-00000000000${index}`,
      custom_variables: { idempotency_key: key },
      sending_stream: 'transactional',
      to: 'Ann@example.org',
      ...more,
    })),
    total_count: keys.length,
    next_page_cursor: null,
  });

function setUp(turns: [Turn, ...Turn[]], options: EmailPlatformOptions = {}, keys: JournalOptions = {}) {
  const clock = { now: Date.now() };
  const store = new MemoryStore(() => clock.now);
  const { fetch, sent } = scriptedFetch(...turns);
  const client = new EmailPlatform({
    token: 'token',
    hosts: { api: 'https://api.test', send: 'https://send.test', bulk: 'https://bulk.test' },
    fetch,
    journal: createJournal(store, keys),
    ...options,
  });
  const send = (more: Partial<SendParams> = {}, idempotencyKey = 'key') =>
    client.sending.send({ ...mail, ...more } as SendParams, { idempotencyKey });
  const error = (more?: Partial<SendParams>) =>
    send(more).then(
      () => undefined,
      (thrown: unknown) => thrown as IdempotencyError,
    );
  return {
    client,
    store,
    sent,
    send,
    error,
    clock,
    sends: () => sent.filter(({ method }) => method === 'POST'),
  };
}

describe('A key that is accepted', () => {
  test('resolves with the same ids, and sends nothing', async () => {
    const { client, store, sent, send } = setUp([accepted]);
    expect(await send()).toEqual({ success: true, message_ids: ['id 1'] });
    const { data, response } = await send().withResponse();
    expect(data).toEqual({ success: true, message_ids: ['id 1'], replayed: true });
    expect([response.status, response.requestId, sent.length]).toEqual([0, undefined, 1]);
    expect(store.state('key')).toBe('accepted');
    expect(client.limits.snapshot().token?.used).toBe(1);
  });

  test('is refused for other content, and says what happened', async () => {
    const { sent, send, error } = setUp([accepted]);
    await send();
    const thrown = await error({ subject: 'Another' });
    expect(thrown).toBeInstanceOf(IdempotencyError);
    expect(thrown).toMatchObject({
      code: 'key_reused',
      effect: 'none',
      isRetryable: false,
      key: 'key',
      previous: { state: 'accepted', message_ids: ['id 1'] },
    });
    expect([thrown?.request?.attempts, sent.length]).toEqual([0, 1]);
  });

  test('is recorded before the call resolves', async () => {
    const { store, send } = setUp([accepted]);
    let recorded!: () => void;
    store.before = (method) =>
      method === 'record' ? new Promise((resolve) => (recorded = resolve)) : undefined;
    let isOver = false;
    const sending = send().then(() => (isOver = true));
    while (!store.calls.includes('record accepted')) await sleep(1);
    expect(isOver).toBe(false);
    recorded();
    await sending;
  });
});

describe('The journal of a client', () => {
  test('may be a copy of one, with another store', async () => {
    const [store, other] = [new MemoryStore(), new MemoryStore()];
    const { send, sent } = setUp([accepted], { journal: { ...createJournal(store), store: other } });
    await send();
    expect([await send(), sent.length]).toEqual([
      { success: true, message_ids: ['id 1'], replayed: true },
      1,
    ]);
    expect([store.state('key'), other.state('key')]).toEqual([undefined, 'accepted']);
  });

  test('has to be made by a function of its entry: only these bring what a key does', () => {
    const fields = { ...createJournal(new MemoryStore()), forSending: undefined };
    const { message } = thrown(
      () => setUp([accepted], { journal: fields as unknown as Journal }),
      ConfigurationError,
    );
    expect(message).toBe('journal must be a journal, such as sqliteJournal(db) of email-platform/journal');
  });
});

describe('Equality of emails', () => {
  test.each<[string, Partial<SendParams>, Partial<SendParams>]>([
    ['addresses as text and as objects', { to: 'ann@example.org' }, { to: [{ email: 'ann@example.org' }] }],
    ['fields in another order', { custom_variables: { a: 1, b: 2 } }, { custom_variables: { b: 2, a: 1 } }],
    ['no variables, and none of them', {}, { custom_variables: {} }],
    ['a field that is undefined, and one that is absent', {}, { html: undefined }],
    [
      'bytes and the same bytes in base64',
      { attachments: [{ filename: 'a', content: new Uint8Array([1, 2, 3]) }] },
      { attachments: [{ filename: 'a', content: 'AQID' }] },
    ],
  ])('%s', async (_, one, other) => {
    const { send } = setUp([accepted]);
    await send(one);
    expect(await send(other)).toMatchObject({ replayed: true });
  });

  test.each<[string, Partial<SendParams>]>([
    ['another recipient', { to: 'bob@example.org' }],
    ['another text', { text: 'Hi!' }],
    ['another variable', { custom_variables: { a: 1 } }],
    ['another attachment', { attachments: [{ filename: 'a', content: 'AQID' }] }],
  ])('%s is another one', async (_, other) => {
    const { send, error } = setUp([accepted]);
    await send();
    expect(await error(other)).toMatchObject({ code: 'key_reused' });
  });

  test('an attachment counts by its bytes, and a stream is read for a replay too', async () => {
    const { send, error } = setUp([accepted]);
    const withFile = (text: string) => ({
      attachments: [{ filename: 'a.txt', content: new Blob([text]).stream() }],
    });
    await send(withFile('one'));
    expect(await send(withFile('one'))).toMatchObject({ replayed: true });
    expect(await error(withFile('two'))).toMatchObject({ code: 'key_reused' });
  });

  test('another stream, or another namespace, is another email', async () => {
    const { client, store, error } = setUp([accepted]);
    await client.sending.send(mail, { idempotencyKey: 'key', stream: 'bulk' });
    expect(await error()).toMatchObject({ code: 'key_reused' });
    const tenant = client.withOptions({ journal: createJournal(store, { namespace: 'tenant 7' }) });
    const result = await tenant.sending.send(mail, { idempotencyKey: 'key' });
    expect(result.replayed).toBeUndefined();
  });

  test('is the same when the variable of the key is called otherwise', async () => {
    const { client, store, send } = setUp([accepted]);
    await send();
    const renamed = client.withOptions({ journal: createJournal(store, { variable: 'my_key' }) });
    expect(await renamed.sending.send(mail, { idempotencyKey: 'key' })).toMatchObject({ replayed: true });
  });

  test('a row that another version hashed is not compared', async () => {
    const { store, send } = setUp([accepted]);
    await send();
    for (const [id, row] of store.rows) store.rows.set(id, { ...row, hash: '0:whatever' });
    expect(await send({ subject: 'Another' })).toMatchObject({ replayed: true });
  });
});

describe('A key in flight', () => {
  test('in this process is refused, whatever the clock of the database says', async () => {
    let answer!: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const { send, error, sent, clock } = setUp([async (request) => answered.then(() => accepted(request))]);
    const first = send();
    while (sent.length === 0) await sleep(1);
    clock.now += 24 * HOUR_MS;
    expect(await error()).toMatchObject({ code: 'in_progress', effect: 'unknown', isRetryable: true });
    expect(await error({ subject: 'Another' })).toMatchObject({
      code: 'key_reused',
      previous: { state: 'in_progress', message_ids: [] },
    });
    answer();
    await first;
    expect(await send()).toMatchObject({ replayed: true });
    expect(sent.length).toBe(1);
  });

  test.each([1, 30_000, 50_000])('whose lease has %d ms left is refused for so long', async (leaseMs) => {
    const { store, error, sent } = setUp([accepted]);
    await store.claim([claimOf('key', 'other', { leaseMs, hash: '0:another version' })]);
    expect(await error()).toMatchObject({ code: 'in_progress', isRetryable: true, retryAfterMs: leaseMs });
    expect(sent.length).toBe(0);
  });

  test('whose lease is over now is looked up', async () => {
    const { store, error, sent } = setUp([log()]);
    await store.claim([claimOf('key', 'other', { leaseMs: 0, hash: '0:another version' })]);
    expect(await error()).toMatchObject({ code: 'unknown' });
    expect(sent.length).toBe(1);
  });

  test('in another process is refused until its lease is over', async () => {
    const { client, store, sent, send, error } = setUp([accepted]);
    const other = client.withOptions({ journal: createJournal(store) });
    let answer!: () => void;
    store.before = (method) =>
      method === 'record' ? new Promise((resolve) => (answer = resolve)) : undefined;
    const first = other.sending.send(mail, { idempotencyKey: 'key' });
    while (sent.length === 0 || !store.calls.includes('record accepted')) await sleep(1);
    const thrown = await error();
    expect(thrown).toMatchObject({ code: 'in_progress', retryAfterMs: 90_000 });
    answer();
    await first;
    expect(await send()).toMatchObject({ replayed: true });
  });
});

describe('A key that was not sent', () => {
  test('is free after a refusal, for other content too', async () => {
    const { store, send, sent } = setUp([refused, accepted]);
    await expect(send()).rejects.toMatchObject({ code: 'bad_request' });
    expect(store.state('key')).toBe('released');
    expect(await send({ subject: 'Corrected' })).toEqual({ success: true, message_ids: ['id 1'] });
    expect(sent.length).toBe(2);
  });

  test('is claimed again for the attempt after a 429', async () => {
    const { store, send, sent } = setUp([busy, accepted]);
    await send();
    expect(store.calls).toEqual(['claim 1', 'record released', 'claim 1', 'record accepted']);
    expect(sent.length).toBe(2);
  });

  test('leaves no row when its call is aborted in line', async () => {
    const { client, store, send } = setUp([accepted], {
      throttle: { limits: { token: { requests: 1, perMs: HOUR_MS } } },
    });
    await send({}, 'first');
    const signal = AbortSignal.timeout(20);
    const options = { idempotencyKey: 'second', signal };
    await expect(client.sending.send(mail, options)).rejects.toBeInstanceOf(AbortedError);
    expect(store.state('second')).toBeUndefined();
  });

  test('is free after it was aborted while it was claimed', async () => {
    const { client, store, sent } = setUp([accepted]);
    const controller = new AbortController();
    let claim!: () => void;
    store.before = (method) => (method === 'claim' ? new Promise((resolve) => (claim = resolve)) : undefined);
    const sending = client.sending.send(mail, { idempotencyKey: 'key', signal: controller.signal });
    const failed = expect(sending).rejects.toMatchObject({ code: 'aborted', effect: 'none' });
    while (!store.calls.includes('claim 1')) await sleep(1);
    controller.abort();
    await failed;
    claim();
    while (store.state('key') !== 'released') await sleep(1);
    expect(sent.length).toBe(0);
  });
});

describe('A key whose outcome is unknown', () => {
  test('is accepted when the log has it', async () => {
    const { store, send, sent, sends } = setUp([lost, log('other', 'key')]);
    await expect(send()).rejects.toMatchObject({ effect: 'unknown' });
    expect(store.state('key')).toBe('unknown');
    const result = await send();
    expect(result).toEqual({
      success: true,
      message_ids: ['00000000-0000-0000-0000-000000000001'],
      replayed: true,
    });
    expect([sends().length, sent.length]).toEqual([1, 2]);
    const { searchParams } = new URL(sent[1]?.url ?? '');
    expect(searchParams.getAll('filters[to][value][]')).toEqual(['ann@example.org']);
    expect(store.state('key')).toBe('accepted');
  });

  test('is reported when the log does not have it', async () => {
    const { error, sends, clock } = setUp([lost, log()]);
    await error();
    clock.now += HOUR_MS;
    expect(await error()).toMatchObject({
      code: 'unknown',
      effect: 'unknown',
      isRetryable: false,
      previous: { state: 'unknown', message_ids: [] },
    });
    expect(sends().length).toBe(1);
  });

  test.each<[string, Partial<EmailPlatform.EmailLogMessage>]>([
    ['another stream', { sending_stream: 'bulk' }],
    ['another person', { to: 'bob@example.org' }],
  ])('is not taken for an email to %s with the same key', async (_, more) => {
    const { error } = setUp([lost, logOf(['key'], more)]);
    await error();
    expect(await error()).toMatchObject({ code: 'unknown' });
  });

  test('is not found in an email without a key, whatever it is called', async () => {
    const { send } = setUp([lost, logOf(['undefined'], { custom_variables: {} })]);
    await send({}, 'undefined').catch(() => undefined);
    await expect(send({}, 'undefined')).rejects.toMatchObject({ code: 'unknown' });
  });

  test('is found where the log has it as a number', async () => {
    const numbered = { custom_variables: { idempotency_key: 7 } };
    const { send, sends } = setUp([lost, logOf(['7'], numbered)]);
    await send({}, '7').catch(() => undefined);
    expect(await send({}, '7')).toMatchObject({ replayed: true });
    expect(sends().length).toBe(1);
  });

  test.each<[string, string, unknown, 'accepted' | 'unknown']>([
    ['prints like it', '7', 7, 'accepted'],
    ['is of the same value', '07', 7, 'unknown'],
    ['was rounded', '12345678901234567890', Number('12345678901234567890'), 'unknown'],
  ])('and the log shows a number that %s: %s is %s', async (_, key, shown, state) => {
    const numbered = { custom_variables: { idempotency_key: shown } };
    const turns: [Turn, ...Turn[]] = [lost, logOf([key], numbered), accepted];
    const { store, send, sends, clock } = setUp(turns, {}, { onUnknown: 'resend' });
    await send({}, key).catch(() => undefined);
    clock.now += HOUR_MS;
    const thrown: unknown = await send({}, key).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (state === 'unknown')
      expect(thrown).toMatchObject({ code: 'unknown', cause: { code: 'response_format' } });
    expect([store.state(key), sends().length]).toEqual([state, 1]);
  });

  test('is not sent again when the log counts an email that it does not show', async () => {
    const hiding = json(200, { messages: [], total_count: 1, next_page_cursor: null });
    const { error, sends, clock } = setUp([lost, hiding, accepted], {}, { onUnknown: 'resend' });
    await error();
    clock.now += HOUR_MS;
    const thrown = await error();
    expect(thrown).toMatchObject({ code: 'unknown', isRetryable: false });
    expect(thrown?.cause).toMatchObject({
      message: 'emailLogs.list counts 1 messages, and shows 0 of them',
    });
    expect(sends().length).toBe(1);
  });

  test.each<[string, string, string]>([
    ['white space', ' ann@example.org ', 'ann@example.org'],
    ['a name', 'Ann <ann@example.org>', 'ann@example.org'],
    ['a name in the log', 'ann@example.org', '"Ann" <Ann@example.org>'],
    ['nothing', 'ann@example.org', ' ann@example.org'],
  ])('is found by an address with %s', async (_, email, to) => {
    const { sent, send, sends } = setUp([lost, logOf(['key'], { to })]);
    await send({ to: [{ email }] }).catch(() => undefined);
    expect(await send({ to: [{ email }] })).toMatchObject({ replayed: true });
    const values = new URL(sent[1]?.url ?? '').searchParams.getAll('filters[to][value][]');
    expect(values).toEqual([...new Set([email, 'ann@example.org'])]);
    expect(sends().length).toBe(1);
  });

  test('has its ids in the order to, cc, bcc, each once', async () => {
    const to = ['bcc', 'to1', 'cc', 'to2', 'to1'].map((name) => `${name}@example.org`);
    const ids = ['id bcc', 'id to1', 'id cc', 'id to2', 'id to1'];
    const messages = to.map((address, index) => ({
      message_id: ids[index],
      custom_variables: { idempotency_key: 'key' },
      sending_stream: 'transactional',
      to: address,
    }));
    const { send } = setUp([lost, json(200, { messages, total_count: 5, next_page_cursor: null })]);
    const people = { to: [to[1], to[3]] as string[], cc: to[2], bcc: to[0] };
    await send(people).catch(() => undefined);
    expect((await send(people)).message_ids).toEqual(['id to1', 'id to2', 'id cc', 'id bcc']);
  });

  test('is found although the clock was an hour ahead when it was claimed', async () => {
    const { error, sent, clock } = setUp([lost, log()]);
    clock.now += HOUR_MS;
    await error();
    clock.now -= HOUR_MS;
    await error();
    const after = Date.parse(new URL(sent[1]?.url ?? '').searchParams.get('filters[sent_after]') ?? '');
    expect(after).toBeLessThan(Date.now());
  });

  test('has the effect unknown when looking for it is aborted', async () => {
    const { client, error, sent } = setUp([lost, silence]);
    await error();
    const controller = new AbortController();
    const again = client.sending.send(mail, { idempotencyKey: 'key', signal: controller.signal });
    const failed = expect(again).rejects.toMatchObject({ code: 'aborted', effect: 'unknown' });
    while (sent.length < 2) await sleep(1);
    controller.abort();
    await failed;
  });

  test.each<[number | undefined, number]>([
    [undefined, 390_000],
    [0, 90_000],
    [1_000, 91_000],
  ])("is sent again with 'resend', but not before the log is trusted: %j", async (settleAfterMs, waitMs) => {
    const turns: [Turn, ...Turn[]] = [lost, log(), log(), log(), accepted];
    const { error, send, sends, clock } = setUp(turns, {}, { onUnknown: 'resend', settleAfterMs });
    await error();
    expect(await error()).toMatchObject({ code: 'unknown', isRetryable: true, retryAfterMs: waitMs });
    clock.now += waitMs - 1;
    expect(await error()).toMatchObject({ code: 'unknown', isRetryable: true, retryAfterMs: 1 });
    clock.now += 1;
    expect(await send()).toEqual({ success: true, message_ids: ['id 1'] });
    expect(sends().length).toBe(2);
  });

  test("is unknown again when 'resend' is refused: the first may have arrived", async () => {
    const turns: [Turn, ...Turn[]] = [lost, log(), refused, log()];
    const { store, error, sends, clock } = setUp(turns, {}, { onUnknown: 'resend' });
    await error();
    clock.now += HOUR_MS;
    expect(await error()).toMatchObject({ code: 'bad_request', effect: 'unknown' });
    expect(store.state('key')).toBe('unknown');
    expect(await error()).toMatchObject({ code: 'unknown' });
    expect(sends().length).toBe(2);
  });

  test("is sent with 'resend' after a 429 too", async () => {
    const turns: [Turn, ...Turn[]] = [lost, log(), busy, accepted];
    const { store, error, send, sends, clock } = setUp(turns, {}, { onUnknown: 'resend' });
    await error();
    clock.now += HOUR_MS;
    await send();
    expect([store.state('key'), sends().length]).toEqual(['accepted', 3]);
  });

  test.each([401, 403, 404])('stays unknown when the log answers %d', async (status) => {
    const turns: [Turn, ...Turn[]] = [lost, json(status, { error: 'no' })];
    const { error, sends, clock } = setUp(turns, {}, { onUnknown: 'resend' });
    await error();
    expect(await error()).toMatchObject({ code: 'unknown', isRetryable: false });
    clock.now += HOUR_MS;
    const thrown = await error();
    expect(thrown).toMatchObject({ code: 'unknown', isRetryable: false });
    expect(thrown?.cause).toMatchObject({ status });
    expect(sends().length).toBe(1);
  });

  test('is looked for without a permit in hand', async () => {
    const { send, error } = setUp([lost, log('key')], {
      throttle: { limits: { token: { requests: 1, perMs: 20 } } },
      timeoutMs: 1_000,
    });
    await error();
    expect(await send()).toMatchObject({ replayed: true });
  });

  test('is looked for since its claim, by the clock of the service', async () => {
    const behind = new Date(Date.now() - HOUR_MS);
    const late: Turn = () =>
      Response.json(
        { messages: [], total_count: 0, next_page_cursor: null },
        { headers: { date: behind.toUTCString() } },
      );
    const { error, sent } = setUp([lost, late]);
    await error();
    await error();
    const [first, second] = sent
      .slice(1)
      .map(({ url }) => Date.parse(new URL(url).searchParams.get('filters[sent_after]') ?? ''));
    expect((first ?? 0) - (second ?? 0)).toBeGreaterThan(HOUR_MS - 5_000);
    expect(sent.length).toBe(3);
  });

  test('is looked for since its claim, by the clock of the service, also beside other searches', async () => {
    const headers = { date: new Date(Date.now() - 48 * HOUR_MS).toUTCString() };
    const late: Turn = json(200, { messages: [], total_count: 0, next_page_cursor: null }, headers);
    const { send, sent } = setUp([lost, lost, late]);
    const both = () => Promise.allSettled([send({}, 'one'), send({ to: 'bob@example.org' }, 'two')]);
    await both();
    await both();
    const queries = sent.slice(2).map(({ url }) => new URL(url).searchParams);
    const since = (to: string) =>
      queries
        .filter((query) => query.get('filters[to][value][]') === to)
        .map((query) => Date.parse(query.get('filters[sent_after]') ?? ''));
    for (const to of ['ann@example.org', 'bob@example.org'])
      expect(Math.min(...since(to))).toBeLessThan(Date.now() - 72 * HOUR_MS);
  });

  test('with many recipients is looked for in several queries, none too long', async () => {
    const { error, sent } = setUp([lost, log()]);
    const to = Array.from({ length: 200 }, (_, index) => `recipient-${index}@a-domain.example.org`);
    await error({ to });
    await error({ to });
    const queries = sent.slice(1).map(({ url }) => new URL(url));
    expect(queries.length).toBeGreaterThan(1);
    expect(queries.every(({ search }) => search.length <= 6_000)).toBe(true);
    const values = queries.flatMap(({ searchParams }) => searchParams.getAll('filters[to][value][]'));
    expect(values).toEqual(to);
  });

  test.each(['report', 'resend'] as const)('in a sandbox is only reported: %s', async (onUnknown) => {
    const { client, sent, clock } = setUp(
      [lost],
      { hosts: { sandbox: 'https://sandbox.test' }, stream: 'sandbox', sandboxInboxId: 7 },
      { onUnknown },
    );
    const send = () => client.sending.send(mail, { idempotencyKey: 'key' });
    await expect(send()).rejects.toMatchObject({ code: 'connection_failed' });
    clock.now += HOUR_MS;
    await expect(send()).rejects.toMatchObject({ code: 'unknown', isRetryable: false });
    expect(sent.length).toBe(1);
  });
});

test('one key in two sandbox inboxes is two contents: the second is refused', async () => {
  const { client, sent } = setUp([accepted], { hosts: { sandbox: 'https://sandbox.test' } });
  const sendTo = (sandboxInboxId: number) =>
    client.sending.send(mail, { idempotencyKey: 'key', stream: 'sandbox', sandboxInboxId });
  await sendTo(7);
  expect(await sendTo(7)).toMatchObject({ replayed: true });
  await expect(sendTo(8)).rejects.toMatchObject({ code: 'key_reused', effect: 'none' });
  expect(sent).toHaveLength(1);
});

describe('The journal fails', () => {
  test('before the request: nothing is sent', async () => {
    const { store, error, sent } = setUp([accepted]);
    const cause = new Error('database is locked');
    store.before = () => {
      throw cause;
    };
    const thrown = await error();
    expect(thrown).toBeInstanceOf(JournalError);
    expect(thrown).toMatchObject({ code: 'journal_failed', effect: 'none', isRetryable: true, cause });
    expect(sent.length).toBe(0);
  });

  test('after the answer: the call succeeds, a warning is logged, and the claim stays', async () => {
    const lines: unknown[][] = [];
    const warn = (...line: unknown[]) => void lines.push(line);
    const ignore = () => undefined;
    const logger = { debug: ignore, info: ignore, warn, error: ignore };
    const { store, send, error, clock, sends } = setUp([accepted, log()], { logger });
    store.before = (method) => {
      if (method === 'record') throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
    };
    expect(await send()).toEqual({ success: true, message_ids: ['id 1'] });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.[1]).toBe('sending.send: the journal could not record the outcome of its key');
    expect(lines[0]?.[0]).toMatchObject({ error: { code: 'SQLITE_FULL' } });
    expect(store.state('key')).toBe('claimed');
    clock.now += HOUR_MS;
    expect(await error()).toMatchObject({ code: 'unknown' });
    expect(sends().length).toBe(1);
  });

  test.each<[string, 'claim' | 'record', Turn, string]>([
    ['the claim', 'claim', accepted, 'timeout'],
    ['the record of a refusal', 'record', busy, 'in_progress'],
  ])('and %s takes longer than the timeout: the key is free afterwards', async (_, method, turn, code) => {
    const { createRuntime } = await import('../../../src/core/runtime.ts');
    const timers = new Set<() => void>();
    const setTimer = (_: number, callback: () => void) => {
      timers.add(callback);
      return () => void timers.delete(callback);
    };
    const { fetch } = scriptedFetch(turn, accepted);
    const store = new MemoryStore();
    const options = {
      token: 'token',
      hosts: { send: 'https://send.test' },
      fetch,
      journal: createJournal(store),
    };
    const client = new EmailPlatform(options, createRuntime({ setTimer }));
    const send = () => client.sending.send(mail, { idempotencyKey: 'key' });
    let proceed!: () => void;
    const isSlow = new Promise<void>((resolve) => (proceed = resolve));
    store.before = (called) => (called === method ? isSlow : undefined);
    const call = { isOver: false };
    const failed = send()
      .catch((thrown: unknown) => thrown)
      .finally(() => (call.isOver = true));
    while (!store.calls.some((one) => one.startsWith(method))) await sleep(1);
    while (!call.isOver) {
      for (const timer of timers) timer();
      await sleep(1);
    }
    expect(await failed).toMatchObject({ code });
    store.before = () => undefined;
    proceed();
    while (store.state('key') !== 'released') await sleep(1);
    expect(await send()).toEqual({ success: true, message_ids: ['id 1'] });
  });

  test.each<[string, (entries: readonly (JournalEntry | undefined)[]) => unknown]>([
    ['fewer answers than claims', () => []],
    ['more answers than claims', (entries) => [...entries, undefined]],
    ['a hole', () => Array<undefined>(1)],
    ['null', () => [null]],
    ['no list', () => undefined],
    ['the entry of another key', () => [{ key: 'other', state: 'accepted', hash: '1:hash' }]],
  ])('in that a claim returns %s: nothing is sent', async (_, answer) => {
    class WrongStore extends MemoryStore {
      override async claim(claims: readonly JournalClaim[]) {
        return answer(await super.claim(claims)) as JournalEntry[];
      }
    }
    const { error, sent } = setUp([accepted], { journal: createJournal(new WrongStore()) });
    const thrown = await error();
    expect(thrown).toBeInstanceOf(JournalError);
    expect(thrown?.message).toBe(
      'sending.send was not sent: the store of the journal must return, for each claim and in order, undefined or the entry of the key',
    );
    expect(sent).toEqual([]);
  });

  test('and never answers: the attempt times out, and nothing is sent', async () => {
    const { store, error, sent } = setUp([accepted], { timeoutMs: 20 });
    store.before = () => new Promise(() => undefined);
    expect(await error()).toMatchObject({ code: 'timeout', effect: 'none' });
    expect(sent.length).toBe(0);
  });
});

test('an attempt that is late for its lease is not sent', async () => {
  const { createRuntime } = await import('../../../src/core/runtime.ts');
  const { fetch, sent } = scriptedFetch(accepted);
  const store = new MemoryStore();
  let late = 0;
  const runtime = createRuntime({ now: () => performance.now() + late, wallNow: () => Date.now() + late });
  // The machine is suspended while the token is fetched.
  const token = () => {
    late = 61_000;
    return 'token';
  };
  const options = { token, hosts: { send: 'https://send.test' }, fetch, journal: createJournal(store) };
  const client = new EmailPlatform({ ...options, retry: false }, runtime);
  const sending = client.sending.send(mail, { idempotencyKey: 'key' });
  await expect(sending).rejects.toMatchObject({ code: 'timeout', effect: 'none', isRetryable: true });
  expect([sent.length, store.state('key')]).toEqual([0, 'released']);
});

test('an aborted attempt leaves its key unknown', async () => {
  const { client, store, sent } = setUp([silence]);
  const controller = new AbortController();
  const sending = client.sending.send(mail, { idempotencyKey: 'key', signal: controller.signal });
  const failed = expect(sending).rejects.toMatchObject({ code: 'aborted', effect: 'unknown' });
  while (sent.length === 0) await sleep(1);
  controller.abort();
  await failed;
  expect(store.state('key')).toBe('unknown');
});

describe('The variable', () => {
  test('carries the key, beside the other variables', async () => {
    const { sent, send } = setUp([accepted]);
    const variables = { user: 7 };
    await send({ custom_variables: variables });
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      custom_variables: { user: 7, idempotency_key: 'key' },
    });
    expect(variables).toEqual({ user: 7 });
  });

  test('has the name that the journal gives it', async () => {
    const { sent, send } = setUp([accepted], {}, { variable: 'my_key' });
    await send();
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ custom_variables: { my_key: 'key' } });
  });

  test('is refused when the email has another value for it', async () => {
    const { error, store } = setUp([accepted]);
    const thrown = await error({ custom_variables: { idempotency_key: 'mine' } });
    expect(thrown).toMatchObject({ issues: [{ path: 'custom_variables.idempotency_key' }] });
    expect(store.calls).toEqual([]);
  });

  test('is refused when all variables are more than 1000 bytes', async () => {
    const { error, store, send } = setUp([accepted]);
    const room = 1000 - JSON.stringify({ a: '', idempotency_key: 'key' }).length;
    await send({ custom_variables: { a: 'x'.repeat(room) } });
    const thrown = await error({ custom_variables: { a: 'x'.repeat(room + 1) } });
    expect(thrown).toBeInstanceOf(InvalidRequestError);
    expect(thrown).toMatchObject({
      issues: [
        { path: 'custom_variables', message: 'must be at most 1000 bytes as JSON, with the idempotencyKey' },
      ],
    });
    expect(store.calls).toEqual(['claim 1', 'record accepted']);
  });
});

describe('Refused before anything is claimed', () => {
  test.each([
    ['an empty key', ''],
    ['a control character', 'a\nb'],
    ['half of a surrogate pair', '\ud800'],
    ['more than 255 bytes', 'é'.repeat(128)],
    ['no string', 7 as unknown as string],
  ])('%s', async (_, key) => {
    const { send, store } = setUp([accepted]);
    await expect(send({}, key)).rejects.toMatchObject({
      issues: [
        {
          path: 'options.idempotencyKey',
          message: 'must be a string of 1 to 255 bytes without control characters',
        },
      ],
    });
    expect(store.calls).toEqual([]);
  });

  test('a key of 255 bytes is sent', async () => {
    const { send } = setUp([accepted]);
    await send({}, `a${'é'.repeat(127)}`);
  });

  test('a key without a journal', async () => {
    const { send } = setUp([accepted], { journal: undefined });
    const thrown = await send().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ConfigurationError);
    expect(thrown).toMatchObject({ option: 'journal' });
  });

  test('a key beside repeatable', async () => {
    const { client } = setUp([accepted]);
    const options = { idempotencyKey: 'key', repeatable: true };
    await expect(client.sending.send(mail, options)).rejects.toMatchObject({
      issues: [{ path: 'options.repeatable' }],
    });
  });

  test('a key for a batch, which names batchAll', async () => {
    const { client } = setUp([accepted]);
    const options = { idempotencyKey: 'key' } as object;
    await expect(client.sending.batch({ requests: [mail] }, options)).rejects.toThrow(/batchAll/);
  });

  test('an email that is wrong', async () => {
    const { error, store } = setUp([accepted]);
    expect(await error({ subject: '' })).toBeInstanceOf(InvalidRequestError);
    expect(store.calls).toEqual([]);
  });

  test('an email to a recipient that is not allowed', async () => {
    const { error, store } = setUp([accepted], { recipients: { allow: ['@example.com'] } });
    expect(await error()).toMatchObject({ code: 'recipient_refused' });
    expect(store.calls).toEqual([]);
  });
});

test('the content is that of the email as it is redirected', async () => {
  const redirectTo = 'team@example.com';
  const { store, sent, send } = setUp([accepted], {
    recipients: { allow: [redirectTo], otherwise: { redirectTo } },
  });
  await send();
  expect(await send()).toMatchObject({ replayed: true });
  const elsewhere = new EmailPlatform({
    token: 'token',
    hosts: { send: 'https://send.test' },
    journal: createJournal(store),
  });
  const real = elsewhere.sending.send(mail, { idempotencyKey: 'key' });
  await expect(real).rejects.toMatchObject({ code: 'key_reused' });
  expect(sent.length).toBe(1);
});

test('a 429 in the end releases the key', async () => {
  const { store, error } = setUp([busy], { retry: false });
  expect(await error()).toBeInstanceOf(RateLimitError);
  expect(store.state('key')).toBe('released');
});
