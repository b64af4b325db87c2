import { ReadableStream as WebStream } from 'node:stream/web';
import {
  ApiError,
  EmailPlatform,
  InvalidRequestError,
  ResponseFormatError,
  type BatchOutcome,
  type BatchRequest,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { json, scriptedFetch, text, type SentRequest, type Turn } from '../../support/scripted-fetch.ts';
import { settle } from '../../support/virtual-time.ts';
import { base, collected, counted, indexes, mailTo, numbered, upTo } from './batch-runs.ts';

interface WireBatch {
  readonly base?: object;
  readonly requests: BatchRequest[];
}
const batchOf = ({ body }: SentRequest) => JSON.parse(body) as WireBatch;

/** Accepts every email of every call. */
const acceptAll: Turn = (request) =>
  Response.json({
    success: true,
    responses: batchOf(request).requests.map(() => ({ success: true, message_ids: ['a'] })),
  });

function setUp(...turns: [Turn, ...Turn[]]) {
  const { fetch, sent } = scriptedFetch(...turns);
  const hosts = { send: 'https://send.test', bulk: 'https://bulk.test' };
  const { sending } = new EmailPlatform({ token: 'token', hosts, fetch, retry: false, throttle: false });
  return { sending, sent, sizes: () => sent.map((request) => batchOf(request).requests.length) };
}

/** A call whose response arrives when the test says so. */
function held() {
  const waiting: (() => void)[] = [];
  const turn: Turn = async (request) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return acceptAll(request);
  };
  return { turn, waiting, release: (at: number) => waiting[at]?.() };
}

describe('The input', () => {
  test('is split into calls of 500, and every email arrives once with its base', async () => {
    const emulator = createEmulator();
    const { sending } = new EmailPlatform(emulator.clientOptions());
    const { outcomes } = await collected(sending.batchAll(numbered(1201).mails, { base, stream: 'bulk' }));
    expect(counted(outcomes)).toEqual({ accepted: 1201 });
    expect(indexes(outcomes)).toEqual(upTo(1201));
    const messages = emulator.messages();
    expect(new Set(messages.map(({ to }) => to)).size).toBe(1201);
    expect(messages.every(({ stream, subject }) => stream === 'bulk' && subject === 'Hi')).toBe(true);
    expect(emulator.requests.map(({ path }) => path)).toEqual(Array.from({ length: 3 }, () => '/api/batch'));
    const byId = new Map(messages.map(({ id, to }) => [id, to]));
    const others = outcomes.filter(
      ({ request, message_ids }) => byId.get(message_ids?.[0] ?? '') !== request.to[0]?.email,
    );
    expect(others).toEqual([]);
  });

  test.each<[string, () => Iterable<BatchRequest> | AsyncIterable<BatchRequest>]>([
    ['an array', () => [mailTo(0), mailTo(1)]],
    ['a set', () => new Set([mailTo(0), mailTo(1)])],
    ['a generator', () => numbered(2).mails],
    [
      'an async generator',
      async function* () {
        yield mailTo(0);
        await settle();
        yield mailTo(1);
      },
    ],
    ['a stream', () => WebStream.from([mailTo(0), mailTo(1)])],
  ])('may be %s', async (_, source) => {
    const { sending } = setUp(acceptAll);
    const { outcomes } = await collected(sending.batchAll(source()));
    expect(outcomes.map(({ index, request, status }) => [index, request, status])).toEqual([
      [0, mailTo(0), 'accepted'],
      [1, mailTo(1), 'accepted'],
    ]);
  });

  test('without emails, nothing is sent', async () => {
    const { sending, sent } = setUp(acceptAll);
    expect(await collected(sending.batchAll([]))).toEqual({ outcomes: [], thrown: undefined });
    expect(sent).toHaveLength(0);
  });

  test('is split by size too: at most 50 MB per call in bytes, including the base and the commas', async () => {
    const { sending, sizes, sent } = setUp(acceptAll);
    const send = async (count: number, html: string, text: string) => {
      const mails = Array.from({ length: count }, (_, index) => ({ ...mailTo(index), html }));
      const { outcomes } = await collected(
        sending.batchAll(mails, { base: { ...base, text }, concurrency: 1 }),
      );
      expect(counted(outcomes)).toEqual({ accepted: count });
    };
    await send(3, 'é', 'x');
    // Without these texts.
    const free = 50_000_000 - Buffer.byteLength(sent[0]?.body ?? '') + 7;
    // 12 MB each, of two bytes a character: three are a byte too many for one call.
    await send(4, 'é'.repeat(6_000_000), 'x'.repeat(free - 36_000_000 + 1));
    expect(sizes()).toEqual([3, 2, 2]);
    for (const { body } of sent) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(50_000_000);
  });

  test('may contain an email too large for any call, or something else: the others are sent', async () => {
    const { sending, sizes } = setUp(acceptAll);
    const mails = [
      mailTo(0),
      { ...mailTo(1), html: 'x'.repeat(50_000_000) },
      { ...mailTo(2), template_variables: { n: 1n }, template_uuid: 'x' },
      'ann@example.org',
      mailTo(4),
    ] as BatchRequest[];
    const { outcomes } = await collected(sending.batchAll(mails));
    const byIndex = outcomes.sort((one, other) => one.index - other.index);
    expect(byIndex.map(({ status }) => status)).toEqual([
      'accepted',
      'not_sent',
      'not_sent',
      'not_sent',
      'accepted',
    ]);
    expect(byIndex.map(({ error }) => error?.message)).toEqual([
      undefined,
      'sending.batchAll was not sent: requests[1]: must be at most 50000000 bytes as JSON, base included',
      'sending.batchAll was not sent: requests[2]: must be serializable as JSON',
      'sending.batchAll was not sent: requests[3]: must be an object',
      undefined,
    ]);
    expect(sizes()).toEqual([2]);
  });

  test('may contain an email that would not be what it seems: it is not sent, and says why', async () => {
    const { sending, sizes } = setUp(acceptAll);
    const mails = [
      { ...mailTo(0), subject: 'Hi\r\nBcc: eve@example.org' },
      { ...mailTo(1), replyTo: 'x' },
      { ...mailTo(2), template_variables: { name: 'Ann' } },
      mailTo(3),
    ] as BatchRequest[];
    const { outcomes } = await collected(sending.batchAll(mails, { base }));
    const byIndex = outcomes.sort((one, other) => one.index - other.index);
    expect(byIndex.map(({ status, error }) => error?.message ?? status)).toEqual([
      'sending.batchAll was not sent: requests[0].subject: must not contain a line break or a null character',
      'sending.batchAll was not sent: requests[1].replyTo: is not a known field; did you mean `reply_to`?',
      'sending.batchAll was not sent: requests[2].template_uuid: is required with template_variables',
      'accepted',
    ]);
    expect(sizes()).toEqual([1]);
  });

  test('may consist only of emails that cannot be sent: their outcomes still arrive', async () => {
    const { sending, sent } = setUp(acceptAll);
    let read = 0;
    function* generate() {
      for (; read < 5000; read += 1) yield 'no mail' as unknown as BatchRequest;
    }
    let most = 0;
    let taken = 0;
    const statuses = new Set<string>();
    for await (const { status } of sending.batchAll(generate(), { concurrency: 1 })) {
      statuses.add(status);
      taken += 1;
      most = Math.max(most, read - taken);
    }
    expect([taken, sent.length, ...statuses]).toEqual([5000, 0, 'not_sent']);
    expect(most).toBeLessThanOrEqual(1000);
  });
});

describe('Attachments', () => {
  test('in the base are read once, and sent with every call', async () => {
    const { sending, sent } = setUp(acceptAll);
    const content = new Blob(['terms']).stream();
    const shared = { ...base, attachments: [{ filename: 'terms.txt', content }] };
    const { outcomes } = await collected(sending.batchAll(numbered(1001).mails, { base: shared }));
    expect(counted(outcomes)).toEqual({ accepted: 1001 });
    expect(sent.map((request) => batchOf(request).base)).toEqual(
      Array.from({ length: 3 }, () => ({
        ...base,
        attachments: [{ filename: 'terms.txt', content: btoa('terms') }],
      })),
    );
  });

  test('in single emails are sent with them; an email with an unreadable attachment is not sent', async () => {
    const { sending, sent } = setUp(acceptAll);
    const attach = (content: ReadableStream<Uint8Array>) => ({ attachments: [{ filename: 'a', content }] });
    const failing = new ReadableStream<Uint8Array>({ start: (control) => control.error(new Error('gone')) });
    const mails = [
      { ...mailTo(0), ...attach(new Blob(['one']).stream()) },
      { ...mailTo(1), ...attach(failing) },
    ];
    const { outcomes } = await collected(sending.batchAll(mails));
    expect(counted(outcomes)).toEqual({ accepted: 1, not_sent: 1 });
    expect(outcomes.find(({ index }) => index === 1)?.error?.message).toContain(
      'requests[1].attachments[0].content: could not be read',
    );
    expect(sent.map(({ body }) => body.includes(btoa('one')))).toEqual([true]);
  });
});

describe('Outcomes', () => {
  test('are those of each single email', async () => {
    const emulator = createEmulator();
    const { sending } = new EmailPlatform(emulator.clientOptions());
    const { outcomes } = await collected(sending.batchAll([mailTo(0), { to: [] }], { base }));
    expect(outcomes).toMatchObject([
      { index: 0, status: 'accepted', message_ids: [emulator.messages()[0]?.id] },
      { index: 1, status: 'rejected', errors: [expect.stringContaining('recipient')] },
    ]);
  });

  test.each<[string, Turn, Partial<BatchOutcome>]>([
    [
      'a refusal of all',
      json(200, { success: false, errors: ['no'] }),
      { status: 'unknown', error: expect.any(ApiError) as ApiError },
    ],
    [
      'a response that cannot be read',
      text(200, 'OK'),
      { status: 'unknown', error: expect.any(ResponseFormatError) as ResponseFormatError },
    ],
  ])('of %s', async (_, turn, expected) => {
    const { sending } = setUp(turn);
    const { outcomes } = await collected(sending.batchAll([mailTo(0), mailTo(1)]));
    expect(outcomes).toMatchObject([expected, expected]);
  });

  test.each<[string, object, BatchOutcome['status'], object]>([
    ['ids and no verdict', { message_ids: ['a'] }, 'accepted', { message_ids: ['a'] }],
    ['a verdict and no ids', { success: true }, 'accepted', { message_ids: [] }],
    ['reasons and no verdict', { errors: ['no'] }, 'rejected', { errors: ['no'] }],
    ['a reason that is no list', { success: false, errors: 'no' }, 'rejected', { errors: ['no'] }],
    ['nothing', {}, 'unknown', {}],
    ['no verdict', { success: null }, 'unknown', {}],
  ])('by what there is: %s', async (_, response, status, fields) => {
    const { sending } = setUp(json(200, { responses: [response] }));
    const { outcomes } = await collected(sending.batchAll([mailTo(0)]));
    expect(outcomes).toMatchObject([{ status, ...fields }]);
  });

  test('are unknown for an empty object', async () => {
    const { sending } = setUp(json(200, {}));
    const { outcomes } = await collected(sending.batchAll([mailTo(0)]));
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown']);
  });

  test('are unknown when the response has too few', async () => {
    const { sending } = setUp(
      json(200, { success: true, responses: [{ success: true, message_ids: ['a'] }] }),
    );
    const { outcomes } = await collected(sending.batchAll([mailTo(0), mailTo(1)]));
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
  });

  test('arrive in the order in which calls end', async () => {
    const { turn, waiting, release } = held();
    const { sending } = setUp(turn);
    const run = sending.batchAll(numbered(1500).mails, { concurrency: 3 });
    const first = run.next();
    while (waiting.length < 3) await settle();
    release(2);
    expect((await first).value).toMatchObject({ index: 1000 });
    release(0);
    release(1);
    const { outcomes } = await collected(run);
    expect(outcomes).toHaveLength(1499);
  });
});

describe('Reading and sending keep pace with the loop', () => {
  test('at most `concurrency` calls are in flight, and at most one more call is read ahead', async () => {
    const { turn, waiting, release } = held();
    const { sending } = setUp(turn);
    const { mails, seen } = numbered(10_000);
    const run = sending.batchAll(mails, { concurrency: 2 });
    expect(seen.read).toBe(0);
    const first = run.next();
    for (let turns = 0; turns < 50; turns += 1) await settle();
    expect([waiting.length, seen.read]).toEqual([2, 999]);
    release(0);
    await first;
    for (let turns = 0; turns < 50; turns += 1) await settle();
    // The loop does not request the next outcome: nothing more is read or sent.
    expect([waiting.length, seen.read]).toEqual([2, 999]);
    await run.return();
    release(1);
  });
});

describe('onProgress', () => {
  test('is called with the counts after each call', async () => {
    const { sending } = setUp(acceptAll, json(400, { errors: ['no'] }), text(200, ''));
    const told: EmailPlatform.BatchProgress[] = [];
    await collected(
      sending.batchAll(numbered(1200).mails, {
        concurrency: 1,
        onProgress: (event) => void told.push(event),
      }),
    );
    expect(told).toEqual([
      {
        done: 500,
        accepted: 500,
        rejected: 0,
        not_sent: 0,
        key_reused: 0,
        unknown: 0,
        in_progress: 0,
        calls: 1,
      },
      {
        done: 1000,
        accepted: 500,
        rejected: 0,
        not_sent: 500,
        key_reused: 0,
        unknown: 0,
        in_progress: 0,
        calls: 2,
      },
      {
        done: 1200,
        accepted: 500,
        rejected: 0,
        not_sent: 500,
        key_reused: 0,
        unknown: 200,
        in_progress: 0,
        calls: 3,
      },
    ]);
  });

  test.each<[string, () => void]>([
    [
      'throws',
      () => {
        throw new Error('bar broke');
      },
    ],
    ['rejects', () => Promise.reject(new Error('bar broke')) as unknown as undefined],
  ])('that %s breaks nothing', async (_, onProgress) => {
    const { sending } = setUp(acceptAll);
    const { outcomes, thrown } = await collected(sending.batchAll(numbered(600).mails, { onProgress }));
    expect([outcomes.length, thrown]).toEqual([600, undefined]);
  });
});

describe('A problem of the whole run', () => {
  test.each<[string, unknown, unknown, string[]]>([
    ['the input', { requests: [] }, undefined, ['requests']],
    ['the input, which is text', 'mails', undefined, ['requests']],
    ['the base', [], { base: { to: [], subject: '' } }, ['base.subject', 'base.to']],
    [
      'the options',
      [],
      { concurrency: 0, stream: 'fast', sandboxInboxId: -1, onProgress: 'yes', signal: 'stop' },
      [
        'options.concurrency',
        'options.onProgress',
        'options.stream',
        'options.sandboxInboxId',
        'options.signal',
      ],
    ],
    ['an option of its calls', [], { timeoutMs: -1 }, ['options.timeoutMs']],
    ['an unknown option', [], { concurency: 2 }, ['options.concurency']],
    ['no options', [], null, ['options']],
  ])('is thrown before anything is read: %s', async (_, source, options, paths) => {
    const { sending, sent } = setUp(acceptAll);
    const { thrown } = await collected(sending.batchAll(source as never, options as never));
    expect(thrown).toBeInstanceOf(InvalidRequestError);
    expect((thrown as InvalidRequestError).issues.map(({ path }) => path)).toEqual(paths);
    expect(sent).toHaveLength(0);
  });

  test('an unknown option is refused', async () => {
    const { sending } = setUp(acceptAll);
    const { thrown } = await collected(sending.batchAll([], { parallel: 2 } as object));
    expect((thrown as Error).message).toContain('options.parallel: is not a known field');
  });

  test('a base that cannot be JSON is refused too', async () => {
    const { sending } = setUp(acceptAll);
    const { mails, seen } = numbered(10);
    const options = { base: { template_uuid: crypto.randomUUID(), template_variables: { n: 1n } } };
    const { thrown } = await collected(sending.batchAll(mails, options));
    expect((thrown as InvalidRequestError).issues).toEqual([
      { path: 'base', message: 'must be serializable as JSON' },
    ]);
    expect(seen.read).toBe(0);
  });
});
