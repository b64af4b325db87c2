import {
  AbortedError,
  AuthenticationError,
  ConfigurationError,
  EmailPlatform,
  PermissionDeniedError,
  type BatchOutcome,
  type EmailPlatformOptions,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import {
  json,
  lost,
  scriptedFetch,
  silence,
  type SentRequest,
  type Turn,
} from '../../support/scripted-fetch.ts';
import { until, virtualClient } from '../../support/virtual-client.ts';
import { settle } from '../../support/virtual-time.ts';
import { base, collected, counted, indexes, mailTo, numbered, upTo } from './batch-runs.ts';

const acceptAll = ({ body }: SentRequest) => {
  const { requests } = JSON.parse(body) as { requests: unknown[] };
  return Response.json({
    success: true,
    responses: requests.map(() => ({ success: true, message_ids: ['a'] })),
  });
};

function setUp(turns: [Turn, ...Turn[]], options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(...turns);
  const client = new EmailPlatform({
    token: 'token',
    hosts: { send: 'https://send.test' },
    fetch,
    retry: false,
    throttle: false,
    ...options,
  });
  return { client, sending: client.sending, sent };
}

describe('A call that fails', () => {
  test.each<[string, Turn, BatchOutcome['status'], string]>([
    ['by a refusal', json(400, { errors: ['no'] }), 'not_sent', 'bad_request'],
    ['by the rate limit', json(429, { errors: ['no'] }), 'not_sent', 'rate_limited'],
    ['on its way', lost, 'unknown', 'connection_failed'],
    ['in the service', json(500, { errors: ['no'] }), 'unknown', 'server_error'],
  ])('%s decides the outcome of its emails, and the run goes on', async (_, turn, status, code) => {
    const { sending, sent } = setUp([acceptAll, turn, acceptAll]);
    const { outcomes, thrown } = await collected(sending.batchAll(numbered(1500).mails, { concurrency: 1 }));
    expect(counted(outcomes)).toEqual({ accepted: 1000, [status]: 500 });
    const failed = outcomes.filter((outcome) => outcome.status === status);
    expect(failed.every(({ error }) => error?.code === code)).toBe(true);
    expect(indexes(failed)).toEqual(upTo(500).map((index) => index + 500));
    expect(failed[0]?.error?.request?.operation).toBe('sending.batchAll');
    expect([thrown, sent.length]).toEqual([undefined, 3]);
  });
});

describe('A failure that every call would meet', () => {
  test.each<[number, typeof AuthenticationError]>([
    [401, AuthenticationError],
    [403, PermissionDeniedError],
  ])('%i: nothing more is sent, and every email gets an outcome', async (status, errorClass) => {
    const { sending, sent } = setUp([acceptAll, json(status, { errors: ['no'] })]);
    const { mails, seen } = numbered(5000);
    const { outcomes, thrown } = await collected(sending.batchAll(mails, { concurrency: 2 }));
    expect(counted(outcomes)).toEqual({ accepted: 500, not_sent: 4500 });
    expect(indexes(outcomes)).toEqual(upTo(5000));
    expect(outcomes.filter(({ error }) => error instanceof errorClass)).toHaveLength(4500);
    expect([thrown, seen.read]).toEqual([undefined, 5000]);
    expect(sent.length).toBeLessThanOrEqual(3);
  });

  test('leaves the streams of unsent emails unread', async () => {
    const { sending } = setUp([json(401, { errors: ['no'] })]);
    const content = new Blob(['a']).stream();
    function* mails() {
      for (let index = 0; index < 1000; index += 1) yield mailTo(index);
      yield { ...mailTo(1000), attachments: [{ filename: 'a', content }] };
    }
    const { outcomes } = await collected(sending.batchAll(mails(), { concurrency: 1 }));
    expect(counted(outcomes)).toEqual({ not_sent: 1001 });
    expect(content.locked).toBe(false);
  });
});

describe('A refusal that may be about a sender', () => {
  const from = (domain: string) => ({ from: { email: `me@${domain}` } });
  /** A service that refuses every call with an email from a domain of these. */
  const refusing =
    (status: number, ...domains: string[]): Turn =>
    (request) => {
      const { requests } = JSON.parse(request.body) as { requests: { from: { email: string } }[] };
      const isRefused = requests.some(({ from }) => domains.some((domain) => from.email.endsWith(domain)));
      return isRefused ? Response.json({ errors: ['Unauthorized'] }, { status }) : acceptAll(request);
    };
  /** So many emails from each of these domains, one domain after the other. */
  const sorted = (count: number, ...domains: string[]) =>
    domains.flatMap((domain) => upTo(count).map((index) => ({ ...mailTo(index), ...from(domain) })));

  test.each([401, 403])('%i for one of the senders costs only the emails of its calls', async (status) => {
    const { sending } = setUp([refusing(status, 'b.test')]);
    const mails = sorted(500, 'a.test', 'b.test', 'c.test', 'b.test', 'a.test');
    const { outcomes } = await collected(sending.batchAll(mails, { concurrency: 1 }));
    expect(counted(outcomes)).toEqual({ accepted: 1500, not_sent: 1000 });
    const refused = outcomes.filter((outcome) => outcome.status === 'not_sent');
    expect(refused.every(({ request }) => request.from.email === 'me@b.test')).toBe(true);
  });

  test('the first call, with one sender, ends the run', async () => {
    const { sending, sent } = setUp([refusing(401, 'a.test')]);
    const mails = sorted(500, 'a.test', 'b.test');
    const { outcomes } = await collected(sending.batchAll(mails, { concurrency: 1 }));
    expect([counted(outcomes), sent.length]).toEqual([{ not_sent: 1000 }, 1]);
  });

  test('senders that are tried at the same time are waited for', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const late: Turn = async (request) => {
      await released;
      return acceptAll(request);
    };
    let bothAreSent: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (bothAreSent = resolve));
    const first: Turn = async (request) => {
      await both;
      return refusing(401, 'a.test')(request);
    };
    const { sending, sent } = setUp([first, late, acceptAll]);
    const run = collected(sending.batchAll(sorted(500, 'a.test', 'b.test', 'c.test'), { concurrency: 2 }));
    await until(() => sent.length === 2);
    bothAreSent();
    await until(() => sent.length === 3);
    release();
    expect(counted((await run).outcomes)).toEqual({ accepted: 1000, not_sent: 500 });
  });

  test('once every sender has got it, nothing more is sent', async () => {
    const { sending, sent } = setUp([acceptAll, json(401, { errors: ['no'] })]);
    const mails = sorted(500, 'a.test', 'b.test', 'c.test', 'a.test', 'b.test', 'd.test');
    const { outcomes } = await collected(sending.batchAll(mails, { concurrency: 1 }));
    // After b and c have been refused, a is tried again; that was the last sender who had been accepted.
    expect([counted(outcomes), sent.length]).toEqual([{ accepted: 500, not_sent: 2500 }, 4]);
  });

  test('different refusals are not the same one', async () => {
    const { sending, sent } = setUp([
      lost,
      refusing(403, 'b.test'),
      json(401, { errors: ['no'] }),
      acceptAll,
    ]);
    const mails = sorted(500, 'a.test', 'b.test', 'a.test', 'c.test');
    const { outcomes } = await collected(sending.batchAll(mails, { concurrency: 1 }));
    expect([counted(outcomes), sent.length]).toEqual([{ unknown: 500, not_sent: 1000, accepted: 500 }, 4]);
  });

  describe('in calls with several senders', () => {
    const both = [from('a.test'), from('b.test')] as const;
    const mixed = (count: number) =>
      upTo(count).map((index) => ({ ...mailTo(index), ...both[index % 2 === 0 ? 0 : 1] }));

    test('one refusal is not enough, two are', async () => {
      const { sending, sent } = setUp([json(401, { errors: ['no'] })]);
      const { outcomes } = await collected(sending.batchAll(mixed(2000), { concurrency: 1 }));
      expect([counted(outcomes), sent.length]).toEqual([{ not_sent: 2000 }, 2]);
    });

    test('a sender that was accepted before is not blamed', async () => {
      const { sending, sent } = setUp([refusing(401, 'b.test')]);
      const mails = [...sorted(500, 'a.test'), ...mixed(1000), ...sorted(500, 'a.test')];
      const { outcomes } = await collected(sending.batchAll(mails, { concurrency: 1 }));
      expect([counted(outcomes), sent.length]).toEqual([{ accepted: 1000, not_sent: 1000 }, 4]);
    });
  });

  test("the base's sender counts where an email has none, and only the domain does", async () => {
    const { sending, sent } = setUp([acceptAll, json(401, { errors: ['no'] })]);
    const mails = [...numbered(500).mails, ...sorted(500, 'A.test'), ...numbered(500).mails];
    const run = sending.batchAll(mails, { base: { from: { email: 'you@a.test' } }, concurrency: 1 });
    const { outcomes } = await collected(run);
    expect([counted(outcomes), sent.length]).toEqual([{ accepted: 500, not_sent: 1000 }, 2]);
  });
});

describe('A run that cannot begin', () => {
  test.each<[string, EmailPlatformOptions, object, string]>([
    ['a host is missing', { hosts: {} }, {}, 'hosts.send is required'],
    ['the inbox is missing', {}, { stream: 'sandbox' }, 'sandboxInboxId is required'],
    [
      'the token function throws',
      {
        token: () => {
          throw new Error('vault closed');
        },
      },
      {},
      'the token function failed',
    ],
  ])('because %s: yields what was read as not sent, and throws', async (_, ofClient, options, message) => {
    const { sending, sent } = setUp([acceptAll], ofClient);
    const { mails, seen } = numbered(5000);
    const { outcomes, thrown } = await collected(sending.batchAll(mails, options));
    expect((thrown as Error).message).toContain(message);
    expect(counted(outcomes)).toEqual({ not_sent: outcomes.length });
    expect(indexes(outcomes)).toEqual(upTo(outcomes.length));
    expect(outcomes.length).toBeLessThan(3000);
    expect([sent.length, seen.closed]).toEqual([0, true]);
  });

  test('is one whose first call fails: if a later call fails, its outcomes are yielded, and nothing is thrown', async () => {
    let asked = 0;
    const token = () => {
      asked += 1;
      if (asked > 1) throw new Error('vault closed');
      return 'token';
    };
    const { sending } = setUp([acceptAll], { token });
    const { outcomes, thrown } = await collected(sending.batchAll(numbered(2000).mails, { concurrency: 1 }));
    expect(counted(outcomes)).toEqual({ accepted: 500, not_sent: 1500 });
    expect(outcomes.at(-1)?.error).toBeInstanceOf(ConfigurationError);
    expect(thrown).toBeUndefined();
  });
});

describe('The signal', () => {
  test('ends calls in flight, yields an outcome for every email that was read, and throws', async () => {
    const { sending, sent } = setUp([acceptAll, silence]);
    const controller = new AbortController();
    const { mails, seen } = numbered(5000);
    const run = sending.batchAll(mails, { concurrency: 2, signal: controller.signal });
    const collecting = collected(run);
    await until(() => sent.length === 3 && seen.read >= 1499);
    const reason = new Error('changed my mind');
    controller.abort(reason);
    const { outcomes, thrown } = await collecting;
    expect(thrown).toBeInstanceOf(AbortedError);
    expect(thrown).toMatchObject({ cause: reason, effect: 'unknown' });
    expect(counted(outcomes)).toEqual({ accepted: 500, unknown: 1000 });
    expect(indexes(outcomes)).toEqual(upTo(1500));
    expect(
      outcomes.filter(({ status }) => status === 'unknown').every(({ error }) => error?.cause === reason),
    ).toBe(true);
    expect([sent.length, seen.closed]).toEqual([3, true]);
  });

  test('does not wait for an input that never continues; what was read before is not sent', async () => {
    const { sending, sent } = setUp([acceptAll]);
    const controller = new AbortController();
    let closed = false;
    const mails: AsyncIterable<ReturnType<typeof mailTo>> = {
      [Symbol.asyncIterator]: () => {
        let count = 0;
        return {
          next: () =>
            count < 3 ? Promise.resolve({ value: mailTo(count++) }) : new Promise(() => undefined),
          return: () => {
            closed = true;
            return new Promise(() => undefined);
          },
        };
      },
    };
    const collecting = collected(sending.batchAll(mails, { signal: controller.signal }));
    await settle();
    controller.abort();
    const { outcomes, thrown } = await collecting;
    expect(thrown).toMatchObject({ name: 'AbortError', effect: 'none' });
    expect(outcomes).toMatchObject(
      upTo(3).map((index) => ({ index, status: 'not_sent', error: { name: 'AbortError', effect: 'none' } })),
    );
    expect([sent.length, closed]).toEqual([0, true]);
  });

  test('that is already aborted: nothing is read', async () => {
    const { sending } = setUp([acceptAll]);
    const { mails, seen } = numbered(10);
    const { thrown } = await collected(sending.batchAll(mails, { signal: AbortSignal.abort() }));
    expect(thrown).toMatchObject({ name: 'AbortError', effect: 'none' });
    expect(seen.read).toBe(0);
  });

  test('ends the reading of a stream, in the base or in an email', async () => {
    const stalled = () => new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) });
    const attachments = () => [{ filename: 'a', content: stalled() }];
    for (const inBase of [true, false]) {
      const { sending } = setUp([acceptAll]);
      const controller = new AbortController();
      const { signal } = controller;
      const run = inBase
        ? sending.batchAll([mailTo(0)], { base: { attachments: attachments() }, signal })
        : sending.batchAll([{ ...mailTo(0), attachments: attachments() }], { signal });
      const collecting = collected(run);
      await settle();
      controller.abort();
      const { outcomes, thrown } = await collecting;
      expect(thrown).toMatchObject({ name: 'AbortError', effect: 'none' });
      expect(counted(outcomes)).toEqual(inBase ? {} : { not_sent: 1 });
      expect(outcomes.every(({ error }) => error?.name === 'AbortError')).toBe(true);
    }
  });

  test('after the last call has ended changes nothing, and no listener is left', async () => {
    const { sending } = setUp([acceptAll]);
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners.add(args[1]);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners.delete(args[1]);
      remove(...args);
    };
    const seen: BatchOutcome[] = [];
    for await (const outcome of sending.batchAll(numbered(3).mails, { signal })) {
      seen.push(outcome);
      controller.abort();
    }
    expect(counted(seen)).toEqual({ accepted: 3 });
    expect(listeners.size).toBe(0);
  });
});

describe('Leaving the loop', () => {
  test('ends reading and sending, closes the input, and lets calls in flight end', async () => {
    const emulator = createEmulator();
    const { sending } = new EmailPlatform(emulator.clientOptions());
    const { mails, seen } = numbered(10_000);
    const told: EmailPlatform.BatchProgress[] = [];
    const onProgress = (event: EmailPlatform.BatchProgress) => void told.push(event);
    for await (const { index } of sending.batchAll(mails, { base, concurrency: 3, onProgress })) {
      expect(index).toBe(0);
      break;
    }
    expect(seen.closed).toBe(true);
    const { read } = seen;
    await until(() => told.at(-1)?.calls === emulator.requests.length);
    for (let turns = 0; turns < 20; turns += 1) await settle();
    expect(seen.read).toBe(read);
    expect(emulator.requests.length).toBeLessThanOrEqual(3);
    // The loop never received their outcomes, but they were sent and counted.
    expect(told.at(-1)?.accepted).toBe(emulator.messages().length);
  });

  test('withdraws calls that are queued: they are never sent', async () => {
    const waiting = () => client.limits.snapshot().token?.waiting;
    const acceptWhenOthersWait: Turn = async (request) => {
      await until(() => waiting() === 2);
      return acceptAll(request);
    };
    const { sending, sent, client } = setUp([acceptWhenOthersWait], {
      throttle: { limits: { token: { requests: 1, perMs: 60_000 } } },
    });
    for await (const { index } of sending.batchAll(numbered(2000).mails, { concurrency: 3 })) {
      expect(index).toBe(0);
      break;
    }
    expect([waiting(), sent.length]).toEqual([0, 1]);
  });

  test('withdraws calls that wait to be retried', async () => {
    const acceptWhenOtherWaits: Turn = async (request) => {
      await until(() => time.nextAt === 5_000);
      return acceptAll(request);
    };
    const refused = json(429, { error: 'Throttled' }, { 'retry-after': '5' });
    const { fetch, sent } = scriptedFetch(acceptWhenOtherWaits, refused);
    const { client, time } = virtualClient({ fetch, hosts: { send: 'https://send.test' } });
    for await (const { index } of client.sending.batchAll(numbered(1000).mails, { concurrency: 2 })) {
      expect(index).toBe(0);
      break;
    }
    expect([sent.length, time.pending]).toEqual([2, 0]);
  });

  test('before the first outcome: nothing is read', async () => {
    const { sending } = setUp([acceptAll]);
    const { mails, seen } = numbered(10);
    await sending.batchAll(mails).return();
    expect(seen.read).toBe(0);
  });

  test('throws if the input cannot be closed', async () => {
    const { sending } = setUp([acceptAll]);
    const failing = {
      [Symbol.iterator]: () => ({
        next: () => ({ value: mailTo(0) }),
        return: () => {
          throw new Error('cursor lost');
        },
      }),
    };
    const run = sending.batchAll(failing);
    await run.next();
    await expect(run.return()).rejects.toThrow('cursor lost');
  });
});

describe('An input that throws', () => {
  test('after some emails: these are sent, then the loop throws', async () => {
    const { sending, sent } = setUp([acceptAll]);
    const failure = new Error('connection to the database lost');
    function* mails() {
      yield* numbered(700).mails;
      throw failure;
    }
    const { outcomes, thrown } = await collected(sending.batchAll(mails()));
    expect(thrown).toBe(failure);
    expect(counted(outcomes)).toEqual({ accepted: 700 });
    expect(sent).toHaveLength(2);
  });

  test('at once: the loop throws the same error', async () => {
    const { sending } = setUp([acceptAll]);
    const failing = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no such file')) }),
    };
    const { outcomes, thrown } = await collected(sending.batchAll(failing));
    expect(outcomes).toEqual([]);
    expect(thrown).toMatchObject({ message: 'no such file' });
  });
});
