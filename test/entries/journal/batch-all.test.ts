import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConfigurationError,
  EmailPlatform,
  type IdempotencyError,
  type BatchAllOptions,
  type BatchOutcome,
  type BatchRequest,
  type BatchTotals,
  type EmailPlatformOptions,
} from 'email-platform';
import { createJournal, type JournalOptions } from 'email-platform/journal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  json,
  lost,
  refusedConnection,
  scriptedFetch,
  silence,
  type SentRequest,
  type Turn,
} from '../../support/scripted-fetch.ts';
import { MemoryStore } from './memory-store.ts';

const HOUR_MS = 3_600_000;
const base = { from: 'me@example.com', subject: 'News', text: 'There are news.' } as const;
type Mail = BatchRequest & { readonly to: string };
const mailTo = (name: number | string, more: Partial<BatchRequest> = {}): Mail =>
  ({ to: `${name}@example.org`, ...more }) as Mail;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => mailTo(index));

interface Body {
  readonly requests: readonly {
    readonly to: readonly { readonly email: string }[];
    readonly custom_variables: Readonly<Record<string, unknown>>;
  }[];
}
const requestsOf = ({ body }: SentRequest) => (JSON.parse(body) as Body).requests;
const recipientsOf = (request: SentRequest) =>
  requestsOf(request).map(({ to }) => to[0]?.email.replace('@example.org', '') ?? '');

/** Accepts all emails, but for those that are to be rejected. */
const acceptBut =
  (...rejected: string[]): Turn =>
  (request) =>
    Response.json({
      success: true,
      responses: recipientsOf(request).map((name) =>
        rejected.includes(name)
          ? { success: false, errors: ['no'] }
          : { success: true, message_ids: [`id ${name}`] },
      ),
    });
const acceptAll = acceptBut();

/** The email log: messages with these keys. */
const log = (...names: string[]): Turn =>
  json(200, {
    messages: names.map((name) => ({
      message_id: `logged ${name}`,
      custom_variables: { idempotency_key: `${name}@example.org` },
      sending_stream: 'transactional',
      to: `${name}@example.org`,
    })),
    total_count: names.length,
    next_page_cursor: null,
  });

function setUp(turns: [Turn, ...Turn[]], options: EmailPlatformOptions = {}, keys: JournalOptions = {}) {
  const clock = { now: Date.now() };
  const store = new MemoryStore(() => clock.now);
  const { fetch, sent } = scriptedFetch(...turns);
  const client = new EmailPlatform({
    token: 'token',
    hosts: { api: 'https://api.test', send: 'https://send.test' },
    fetch,
    journal: createJournal(store, keys),
    retry: false,
    ...options,
  });
  const run = (mails: readonly Mail[], more: BatchAllOptions<Mail> = {}) =>
    collect(client.sending.batchAll(mails, { base, idempotencyKey: ({ to }) => to, ...more }));
  return { client, store, sent, run, clock };
}

async function collect(run: AsyncIterable<BatchOutcome<Mail>>): Promise<BatchOutcome<Mail>[]> {
  const outcomes: BatchOutcome<Mail>[] = [];
  for await (const outcome of run) outcomes.push(outcome);
  return outcomes.sort((one, other) => one.index - other.index);
}

const statuses = (outcomes: readonly BatchOutcome[]) =>
  outcomes.map((outcome) =>
    outcome.status === 'accepted' && outcome.replayed ? 'replayed' : outcome.status,
  );
const codes = (outcomes: readonly BatchOutcome[]) => outcomes.map(({ error }) => error?.code);

test('a second run sends nothing, and has the same outcomes', async () => {
  const { run, sent } = setUp([acceptAll]);
  const first = await run(numbered(700));
  expect(new Set(statuses(first))).toEqual(new Set(['accepted']));
  const second = await run(numbered(700));
  expect(new Set(statuses(second))).toEqual(new Set(['replayed']));
  expect(second.map(({ message_ids }) => message_ids)).toEqual(first.map(({ message_ids }) => message_ids));
  expect(sent.length).toBe(2);
});

test('only what was not sent before is sent', async () => {
  const { run, sent } = setUp([acceptAll]);
  await run([mailTo('a'), mailTo('c')]);
  const outcomes = await run(['a', 'b', 'c', 'd'].map((name) => mailTo(name)));
  expect(statuses(outcomes)).toEqual(['replayed', 'accepted', 'replayed', 'accepted']);
  expect(outcomes[1]?.message_ids).toEqual(['id b']);
  expect(outcomes[3]?.message_ids).toEqual(['id d']);
  expect(sent.slice(1).map(recipientsOf)).toEqual([['b', 'd']]);
});

test('the totals count the emails that the run did not send: accepted before, or twice in the input', async () => {
  const { client, run } = setUp([acceptAll]);
  await run([mailTo('a'), mailTo('c')]);
  const mails = ['a', 'b', 'c', 'b'].map((name) => mailTo(name));
  const totals = await client.sending.batchAll(mails, { base, idempotencyKey: ({ to }) => to });
  expect(totals).toMatchObject({ accepted: 4, replayed: 3, failed: [] });
});

test('after calls that were lost or never left, a second run sends exactly the rest', async () => {
  const arrived = Array.from({ length: 250 }, (_, index) => String(500 + index));
  const later: Turn = (request) => (request.method === 'GET' ? log(...arrived)(request) : acceptAll(request));
  const { run, sent } = setUp([acceptAll, lost, refusedConnection, later]);
  const first = await run(numbered(1500), { concurrency: 1 });
  const ofEach = (...each: string[]) => each.flatMap((status) => Array<string>(250).fill(status));
  const [accepted, unknown, unsent, replayed] = ['accepted', 'unknown', 'not_sent', 'replayed'] as const;
  expect(statuses(first)).toEqual(ofEach(accepted, accepted, unknown, unknown, unsent, unsent));
  const second = await run(numbered(1500), { concurrency: 1 });
  expect(statuses(second)).toEqual(ofEach(replayed, replayed, replayed, unknown, accepted, accepted));
  expect(
    sent
      .slice(3)
      .filter(({ method }) => method === 'POST')
      .map(recipientsOf),
  ).toEqual([Array.from({ length: 500 }, (_, index) => String(1000 + index))]);
});

test('an email that was sent alone is not sent in a batch', async () => {
  const { client, run, sent } = setUp([json(200, { success: true, message_ids: ['id'] })]);
  await client.sending.send({ ...base, to: 'a@example.org' }, { idempotencyKey: 'a@example.org' });
  expect(statuses(await run([mailTo('a')]))).toEqual(['replayed']);
  expect(sent.length).toBe(1);
});

test('attachments are dropped with the emails they belong to', async () => {
  const { run, sent } = setUp([acceptAll]);
  const withFile = (name: string) =>
    mailTo(name, { attachments: [{ filename: 'a.txt', content: new Blob([`for ${name}`]) }] });
  await run([withFile('a')]);
  const again = await run([withFile('a'), withFile('b'), mailTo('c')]);
  expect(statuses(again)).toEqual(['replayed', 'accepted', 'accepted']);
  const [, second] = sent.map(({ body }) => JSON.parse(body) as { base: unknown; requests: unknown[] });
  expect(second).toMatchObject({
    base: { subject: 'News' },
    requests: [
      { to: [{ email: 'b@example.org' }], attachments: [{ content: btoa('for b') }] },
      { to: [{ email: 'c@example.org' }] },
    ],
  });
  const other = mailTo('a', { attachments: [{ filename: 'a.txt', content: new Blob(['other']) }] });
  expect(codes(await run([other]))).toEqual(['key_reused']);
});

describe('The key of an email', () => {
  test('is beside its own variables, or those of the base', async () => {
    const { run, sent } = setUp([acceptAll]);
    await run([mailTo('a'), mailTo('b', { custom_variables: { own: 1 } })], {
      base: { ...base, custom_variables: { shared: 1 } },
    });
    expect(sent.flatMap(requestsOf).map(({ custom_variables }) => custom_variables)).toEqual([
      { shared: 1, idempotency_key: 'a@example.org' },
      { own: 1, idempotency_key: 'b@example.org' },
    ]);
  });

  test('is made from the email as it is in the input, and its position', async () => {
    const { client, store } = setUp([acceptAll]);
    const users = [mailTo('a'), mailTo('b')];
    const seen: unknown[] = [];
    const idempotencyKey = (mail: unknown, index: number) => {
      seen.push(mail);
      return `news-42/${index}`;
    };
    await collect(client.sending.batchAll(users, { base, idempotencyKey }));
    expect(seen[0]).toBe(users[0]);
    expect(seen[1]).toBe(users[1]);
    expect([...store.rows.values()].map(({ key }) => key)).toEqual(['news-42/0', 'news-42/1']);
  });

  test.each<[string, () => string]>([
    ['it is empty', () => ''],
    ['it is no string', () => 7 as unknown as string],
    [
      'it cannot be made',
      () => {
        throw new Error('no user');
      },
    ],
  ])('is refused when %s, and the others are sent', async (_, wrong) => {
    const { run } = setUp([acceptAll]);
    const outcomes = await run([mailTo('a'), mailTo('b')], {
      idempotencyKey: ({ to }) => (to.startsWith('a') ? wrong() : to),
    });
    expect(statuses(outcomes)).toEqual(['not_sent', 'accepted']);
    expect(codes(outcomes)).toEqual(['invalid_request', undefined]);
    expect(outcomes[0]?.error?.message).toContain('the idempotencyKey of requests[0]');
  });

  test('is refused when the variables are too large with it', async () => {
    const { run } = setUp([acceptAll]);
    const outcomes = await run([mailTo('a', { custom_variables: { a: 'x'.repeat(980) } })]);
    expect(codes(outcomes)).toEqual(['invalid_request']);
  });

  test('needs a journal', async () => {
    const { run } = setUp([acceptAll], { journal: undefined });
    await expect(run([mailTo('a')])).rejects.toBeInstanceOf(ConfigurationError);
  });
});

describe('The same key twice in one input', () => {
  test('shares the outcome of equal content, in one call and in another', async () => {
    const { run, sent } = setUp([acceptAll]);
    const mails = [...numbered(499), mailTo(7), mailTo(8), mailTo('last')];
    const outcomes = await run(mails, { concurrency: 1 });
    expect(statuses(outcomes.slice(499))).toEqual(['replayed', 'replayed', 'accepted']);
    expect(outcomes[499]?.message_ids).toEqual(['id 7']);
    expect(outcomes[499]?.request).toBe(mails[499]);
    expect(sent.flatMap(recipientsOf).length).toBe(500);
  });

  test('shares it while the other call is in flight', async () => {
    let answer!: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const slow: Turn = async (request) => answered.then(() => acceptAll(request));
    const { run, sent } = setUp([slow, acceptAll]);
    const running = run([...numbered(500), mailTo(7), mailTo('last')], { concurrency: 2 });
    while (sent.length < 2) await sleep(1);
    answer();
    const outcomes = await running;
    expect(statuses(outcomes.slice(500))).toEqual(['replayed', 'accepted']);
    expect(sent.map(recipientsOf)[1]).toEqual(['last']);
  });

  test('shares a failure', async () => {
    const { run } = setUp([lost]);
    expect(statuses(await run([mailTo('a'), mailTo('a')]))).toEqual(['unknown', 'unknown']);
  });

  test('is refused for other content', async () => {
    const { run, sent } = setUp([acceptAll]);
    const outcomes = await run([mailTo('a'), mailTo('a', { subject: 'Other news' })]);
    expect(statuses(outcomes)).toEqual(['accepted', 'key_reused']);
    expect(codes(outcomes)).toEqual([undefined, 'key_reused']);
    expect(outcomes[1]?.message_ids).toEqual([]);
    expect(sent.flatMap(recipientsOf)).toEqual(['a']);
  });

  test('is refused for other content after the first was sent, with the ids of that', async () => {
    const { client } = setUp([acceptAll]);
    const outcomes: BatchOutcome[] = [];
    async function* mails() {
      yield* numbered(500);
      while (outcomes.length < 500) await sleep(1);
      yield mailTo(7, { subject: 'Other news' });
    }
    const options = { base, idempotencyKey: ({ to }: Mail) => to };
    for await (const outcome of client.sending.batchAll(mails(), options)) outcomes.push(outcome);
    expect(outcomes[500]).toMatchObject({ status: 'key_reused', message_ids: ['id 7'] });
  });
});

describe('A key that was used before', () => {
  test('for other content is key_reused, with the earlier ids', async () => {
    const { run } = setUp([acceptAll]);
    await run([mailTo('a')]);
    const [outcome] = await run([mailTo('a', { subject: 'Other news' })]);
    expect(outcome).toMatchObject({
      status: 'key_reused',
      message_ids: ['id a'],
      error: { code: 'key_reused', effect: 'none' },
    });
    expect((outcome?.error as IdempotencyError).previous).toEqual({
      state: 'accepted',
      message_ids: ['id a'],
    });
  });

  test('and is in flight is unknown', async () => {
    let answer!: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const slow: Turn = async (request) => answered.then(() => acceptAll(request));
    const { run, sent } = setUp([slow, acceptAll]);
    const first = run([mailTo('a')]);
    while (sent.length === 0) await sleep(1);
    const outcomes = await run([mailTo('a'), mailTo('b')]);
    expect(statuses(outcomes)).toEqual(['unknown', 'accepted']);
    expect(codes(outcomes)).toEqual(['in_progress', undefined]);
    answer();
    expect(statuses(await first)).toEqual(['accepted']);
  });

  test('and is in flight is counted apart from what is unknown', async () => {
    let answer!: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const slow: Turn = async (request) => answered.then(() => acceptAll(request));
    const { client, run, sent } = setUp([lost, slow, log(), acceptAll]);
    await run([mailTo('lost')]);
    const first = run([mailTo('a'), mailTo('b')]);
    while (sent.length < 2) await sleep(1);
    const last: object[] = [];
    const { failed, replayed, ...counts } = await client.sending.batchAll(
      ['lost', 'a', 'b', 'c'].map((name) => mailTo(name)),
      {
        base,
        idempotencyKey: ({ to }) => to,
        onProgress: (progress) => void last.splice(0, 1, progress),
      },
    );
    expect(counts).toEqual({
      accepted: 1,
      rejected: 0,
      not_sent: 0,
      key_reused: 0,
      unknown: 1,
      in_progress: 2,
    });
    expect(failed.map(({ request, status }) => [request.to, status])).toEqual([
      ['lost@example.org', 'unknown'],
    ]);
    expect(replayed).toBe(0);
    expect(last).toEqual([{ ...counts, done: 4, calls: 1 }]);
    answer();
    await first;
  });

  test('and is in flight in no process has failed, and a loop that waits sends everything', async () => {
    const later: Turn = (request) => (request.method === 'GET' ? log()(request) : acceptAll(request));
    const { client, store, sent, clock } = setUp([later], {}, { onUnknown: 'resend', settleAfterMs: 0 });
    const mails = numbered(1_500);
    const options = { base, idempotencyKey: ({ to }: Mail) => to };
    // Its requests never leave, and its process ends.
    const dead = client.withOptions({
      fetch: () => new Promise(() => undefined),
      journal: createJournal(store, { onUnknown: 'resend', settleAfterMs: 0 }),
    });
    void dead.sending.batchAll(mails.slice(0, 1_100), options).catch(() => undefined);
    while ([...store.rows].length < 1_100) await sleep(1);
    const waits: (number | undefined)[] = [];
    let totals: BatchTotals<Mail>;
    do {
      totals = await client.sending.batchAll(mails, options);
      waits.push(totals.retryAfterMs);
      const { failed, in_progress } = totals;
      expect(failed).toHaveLength(Math.min(1_000, in_progress));
      for (const { error } of failed) expect(error?.code).toBe('in_progress');
      for (const one of failed) expect(one).toMatchObject({ retryAfterMs: 90_000 });
      clock.now += totals.retryAfterMs ?? 0;
    } while (totals.retryAfterMs !== undefined);
    expect(waits).toEqual([90_000, undefined]);
    expect(totals).toMatchObject({ accepted: 1_500, in_progress: 0, failed: [] });
    const posts = sent.filter(({ method }) => method === 'POST').flatMap(recipientsOf);
    expect([posts.length, new Set(posts).size]).toEqual([1_500, 1_500]);
  });

  test.each<[string, Turn, 'unknown' | 'in_progress']>([
    ['unknown', lost, 'unknown'],
    ['in flight', silence, 'in_progress'],
  ])('for other content, and is %s, is key_reused without ids', async (_, turn, state) => {
    const { run, store } = setUp([turn, acceptAll]);
    void run([mailTo('a')]);
    while (store.state('a@example.org') !== (state === 'unknown' ? state : 'claimed')) await sleep(1);
    const [outcome] = await run([mailTo('a', { subject: 'Other news' })]);
    expect(outcome).toMatchObject({ status: 'key_reused', message_ids: [], error: { previous: { state } } });
  });

  test('and whose call ends before its claim is not_sent, and replayed by the next run', async () => {
    const { run } = setUp([acceptAll]);
    await run([mailTo('a')]);
    expect(statuses(await run([mailTo('a')], { deadlineMs: 0.001 }))).toEqual(['not_sent']);
    expect(statuses(await run([mailTo('a')]))).toEqual(['replayed']);
  });

  test('and is unknown is looked for: one query for all of them', async () => {
    const { run, sent } = setUp([lost, log('a', 'c'), acceptAll]);
    expect(statuses(await run(['a', 'b', 'c'].map((name) => mailTo(name))))).toEqual(
      Array(3).fill('unknown'),
    );
    const outcomes = await run(['a', 'b', 'c', 'd'].map((name) => mailTo(name)));
    expect(statuses(outcomes)).toEqual(['replayed', 'unknown', 'replayed', 'accepted']);
    expect(outcomes[0]?.message_ids).toEqual(['logged a']);
    expect(codes(outcomes)).toEqual([undefined, 'unknown', undefined, undefined]);
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
    expect(sent.slice(2).map(recipientsOf)).toEqual([['d']]);
  });

  test('and was rejected is sent again', async () => {
    const { run, store } = setUp([acceptBut('a'), acceptAll]);
    expect(statuses(await run([mailTo('a'), mailTo('b')]))).toEqual(['rejected', 'accepted']);
    expect([store.state('a@example.org'), store.state('b@example.org')]).toEqual(['released', 'accepted']);
    expect(statuses(await run([mailTo('a'), mailTo('b')]))).toEqual(['accepted', 'replayed']);
  });

  test("and is unknown is not rejected when 'resend' is: the first may have arrived", async () => {
    const { run, clock, store } = setUp([lost, log(), acceptBut('a', 'b')], {}, { onUnknown: 'resend' });
    await run([mailTo('a')]);
    clock.now += HOUR_MS;
    const outcomes = await run([mailTo('a'), mailTo('b')]);
    expect(outcomes).toMatchObject([
      {
        status: 'unknown',
        errors: ['no'],
        error: { code: 'unknown', effect: 'unknown', key: 'a@example.org' },
      },
      { status: 'rejected', errors: ['no'] },
    ]);
    expect([store.state('a@example.org'), store.state('b@example.org')]).toEqual(['unknown', 'released']);
  });

  test("and is unknown is never not_sent, even when 'resend' is refused", async () => {
    const turns: [Turn, ...Turn[]] = [lost, log(), json(400, { errors: ['no'] })];
    const { run, clock } = setUp(turns, {}, { onUnknown: 'resend' });
    await run([mailTo('a')]);
    clock.now += HOUR_MS;
    expect(statuses(await run([mailTo('a'), mailTo('b')]))).toEqual(['unknown', 'not_sent']);
  });

  test('and is unknown is unknown when looking for it is aborted', async () => {
    const { client, run, sent } = setUp([lost, silence]);
    await run([mailTo('a')]);
    const controller = new AbortController();
    const outcomes: BatchOutcome[] = [];
    const again = async () => {
      const options = { base, idempotencyKey: ({ to }: Mail) => to, signal: controller.signal };
      for await (const outcome of client.sending.batchAll([mailTo('a'), mailTo('b')], options))
        outcomes.push(outcome);
    };
    const failed = expect(again()).rejects.toMatchObject({ code: 'aborted' });
    while (sent.length < 2) await sleep(1);
    controller.abort();
    await failed;
    expect(statuses(outcomes.sort((one, other) => one.index - other.index))).toEqual(['unknown', 'not_sent']);
  });
});

describe('An answer that does not fit the emails', () => {
  const [accepted, rejected] = [
    { success: true, message_ids: ['id'] },
    { success: false, errors: ['no'] },
  ];
  test.each<[string, object]>([
    ['with an outcome too few', { success: true, responses: [rejected] }],
    ['with an outcome too many', { success: true, responses: [rejected, accepted, accepted] }],
    ['without any', { success: true, responses: [] }],
    ['that is a refusal without any', { success: false, errors: ['no'] }],
    ['that is a refusal with none', { success: false, responses: [] }],
  ])('%s leaves every key unknown, and no email is posted again', async (_, body) => {
    const { run, store, sent } = setUp([json(200, body), log(), acceptAll]);
    expect(statuses(await run([mailTo('a'), mailTo('b')]))).toEqual(['unknown', 'unknown']);
    expect([store.state('a@example.org'), store.state('b@example.org')]).toEqual(['unknown', 'unknown']);
    expect(codes(await run([mailTo('a'), mailTo('b')]))).toEqual(['unknown', 'unknown']);
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });
});

describe('A call that fails', () => {
  test.each<[string, Turn, string, string]>([
    ['by a refusal', json(400, { errors: ['no'] }), 'not_sent', 'released'],
    ['by the rate limit', json(429, { errors: ['no'] }), 'not_sent', 'released'],
    ['on its way', lost, 'unknown', 'unknown'],
    ['in the service', json(500, {}), 'unknown', 'unknown'],
  ])('%s leaves its keys as they are then', async (_, turn, status, state) => {
    const { run, store } = setUp([turn]);
    expect(statuses(await run([mailTo('a')]))).toEqual([status]);
    expect(store.state('a@example.org')).toBe(state);
  });

  test('because of the journal has sent nothing', async () => {
    const { run, store, sent } = setUp([acceptAll]);
    store.before = () => {
      throw new Error('disk full');
    };
    const outcomes = await run([mailTo('a')]);
    expect([statuses(outcomes), codes(outcomes)]).toEqual([['not_sent'], ['journal_failed']]);
    expect(sent.length).toBe(0);
  });
});

test('500 keys are claimed at once', async () => {
  const { run, store } = setUp([acceptAll]);
  await run(numbered(1000), { concurrency: 1 });
  expect(store.calls.map((call) => call.split(' ').slice(0, 2).join(' '))).toEqual([
    'claim 500',
    'record accepted',
    'claim 500',
    'record accepted',
  ]);
});

test('no key is posted twice, whatever is answered, and in however many runs', async () => {
  /** Whether what was answered like this may have arrived. */
  const turns: readonly { readonly turn: Turn; readonly mayArrive: boolean }[] = [
    { turn: acceptAll, mayArrive: true },
    { turn: lost, mayArrive: true },
    { turn: json(500, {}), mayArrive: true },
    { turn: json(400, {}), mayArrive: false },
    { turn: json(429, {}), mayArrive: false },
  ];
  const answers = fc.array(fc.constantFrom(...turns), { minLength: 20, maxLength: 20 });
  const input = fc.array(fc.nat(5), { minLength: 1, maxLength: 8 });
  const inputs = fc.array(input, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(answers, inputs, fc.boolean(), async (plan, runs, isParallel) => {
      const arrived: string[] = [];
      let posts = 0;
      const { run } = setUp(
        [
          (request) => {
            if (request.method === 'GET') return log()(request);
            const { turn = acceptAll, mayArrive = true } = plan[posts++ % plan.length] ?? {};
            if (mayArrive) arrived.push(...recipientsOf(request));
            return turn(request);
          },
        ],
        { throttle: false },
      );
      const runOne = async (names: readonly number[]) => {
        const outcomes = await run(names.map((name) => mailTo(name)));
        expect(outcomes.map(({ index }) => index)).toEqual(names.map((_, index) => index));
      };
      if (isParallel) await Promise.all(runs.map(runOne));
      else for (const names of runs) await runOne(names);
      expect(arrived).toHaveLength(new Set(arrived).size);
    }),
  );
});
