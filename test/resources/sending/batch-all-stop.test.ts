import { AbortedError, type BatchRequest } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { json, scriptedFetch, type Turn } from '../../support/scripted-fetch.ts';
import { until, virtualClient } from '../../support/virtual-client.ts';
import { base, collected, counted, indexes, mailTo, numbered, upTo } from './batch-runs.ts';

const acceptAll: Turn = (request) => {
  const { requests } = JSON.parse(request.body) as { requests: unknown[] };
  const responses = requests.map(() => ({ success: true, message_ids: ['1'] }));
  return json(200, { success: true, responses })(request);
};

function setUp(...turns: [Turn, ...Turn[]]) {
  const { fetch, sent } = scriptedFetch(...turns);
  const hosts = { api: 'https://api.test', send: 'https://send.test' };
  return { sent, sending: virtualClient({ fetch, hosts }).client.sending };
}

describe('stop() of a run', () => {
  test('in the loop loses no outcome: every email that was read has one, and the loop ends', async () => {
    const { sending, sent } = setUp(acceptAll);
    const { mails, seen } = numbered(100_000);
    const run = sending.batchAll(mails, { base, concurrency: 2 });
    const outcomes = [];
    for await (const outcome of run) {
      outcomes.push(outcome);
      if (outcomes.length === 700) run.stop();
    }
    expect(seen.closed).toBe(true);
    expect(indexes(outcomes)).toEqual(upTo(outcomes.length));
    const { accepted = 0, not_sent = 0, ...others } = counted(outcomes);
    expect(others).toEqual({});
    expect(accepted).toBe(500 * sent.length);
    expect(accepted + not_sent).toBeLessThan(3_000);
  });

  test('lets a call in flight be completed, and yields its outcomes', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const { sending, sent } = setUp(async (request) => {
      await answered;
      return acceptAll(request);
    });
    const run = sending.batchAll(upTo(1_500).map(mailTo), { base, concurrency: 1 });
    const all = collected(run);
    await until(() => sent.length === 1);
    run.stop();
    answer();
    const { outcomes, thrown } = await all;
    expect(thrown).toBeUndefined();
    expect(counted(outcomes).accepted).toBe(500);
    for (const { status, error } of outcomes) {
      if (status === 'accepted') continue;
      expect([status, error?.message]).toEqual(['not_sent', 'sending.batchAll was stopped']);
      expect(error).toBeInstanceOf(AbortedError);
    }
  });

  test('sends no call again that was in flight and is refused', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const { sending, sent } = setUp(async (request) => {
      await answered;
      return json(429, { errors: ['no'] }, { 'retry-after': '0' })(request);
    }, acceptAll);
    const run = sending.batchAll(upTo(500).map(mailTo), { base, concurrency: 1 });
    const all = collected(run);
    await until(() => sent.length === 1);
    run.stop();
    answer();
    const { outcomes } = await all;
    expect(counted(outcomes)).toEqual({ not_sent: 500 });
    expect(sent).toHaveLength(1);
  });

  test('does not wait for an input that never answers', async () => {
    const { sending } = setUp(acceptAll);
    async function* endless(): AsyncGenerator<BatchRequest> {
      for (const index of upTo(500)) yield mailTo(index);
      yield mailTo(500);
      await new Promise(() => undefined);
    }
    const run = sending.batchAll(endless(), { base });
    const outcomes = [];
    for (let count = 0; count < 500; count += 1) outcomes.push((await run.next()).value);
    run.stop();
    const rest = await run.next();
    expect(rest.value).toMatchObject({ index: 500, status: 'not_sent' });
    expect(await run.next()).toEqual({ done: true, value: undefined });
  });

  test('before the loop begins ends it without reading or sending anything', async () => {
    const { sending, sent } = setUp(acceptAll);
    const { mails, seen } = numbered(10);
    const run = sending.batchAll(mails, { base });
    run.stop();
    expect(await collected(run)).toEqual({ outcomes: [], thrown: undefined });
    expect([seen.read, sent.length]).toEqual([0, 0]);
  });

  test('after its end, or a second time, does nothing', async () => {
    const { sending } = setUp(acceptAll);
    const run = sending.batchAll([mailTo(0)], { base });
    const { outcomes } = await collected(run);
    run.stop();
    run.stop();
    expect(counted(outcomes)).toEqual({ accepted: 1 });
  });
});
