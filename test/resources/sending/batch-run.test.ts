import { EmailPlatform, InvalidRequestError, type BatchTotals } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { json, scriptedFetch, text, type Turn } from '../../support/scripted-fetch.ts';
import { base, collected, counted, mailTo, numbered } from './batch-runs.ts';

function emulated() {
  const emulator = createEmulator();
  const { sending } = new EmailPlatform(emulator.clientOptions());
  return { emulator, sending };
}

function scripted(...turns: [Turn, ...Turn[]]) {
  const { fetch, sent } = scriptedFetch(...turns);
  const hosts = { send: 'https://send.test' };
  const { sending } = new EmailPlatform({ token: 'token', hosts, fetch, retry: false, throttle: false });
  return { sending, sent };
}

describe('A run that is awaited', () => {
  test('sends every email, and resolves to the totals', async () => {
    const { emulator, sending } = emulated();
    const totals = await sending.batchAll(numbered(1201).mails, { base });
    expect(totals).toEqual({
      accepted: 1201,
      rejected: 0,
      not_sent: 0,
      key_reused: 0,
      unknown: 0,
      in_progress: 0,
      replayed: 0,
      failed: [],
    });
    expect(emulator.messages()).toHaveLength(1201);
  });

  test('has the failed outcomes with their emails', async () => {
    const accepted = (count: number) => Array.from({ length: count }, () => ({ success: true }));
    const { sending } = scripted(
      json(200, { success: true, responses: [{ success: false, errors: ['no'] }, ...accepted(499)] }),
      json(400, { errors: ['no'] }),
      text(200, ''),
    );
    const { mails } = numbered(1200);
    const { failed, ...counts } = await sending.batchAll(mails, { base, concurrency: 1 });
    expect(counts).toEqual({
      accepted: 499,
      rejected: 1,
      not_sent: 500,
      key_reused: 0,
      unknown: 200,
      in_progress: 0,
      replayed: 0,
    });
    expect(counted(failed)).toEqual({ rejected: 1, not_sent: 500, unknown: 200 });
    expect(failed[0]).toEqual({ index: 0, request: mailTo(0), status: 'rejected', errors: ['no'] });
  });

  test('keeps 1 000 failed outcomes, and counts those beyond', async () => {
    const { sending } = scripted(json(400, { errors: ['no'] }));
    const { failed, not_sent } = await sending.batchAll(numbered(2600).mails, { base, concurrency: 1 });
    expect([not_sent, failed.length]).toEqual([2600, 1000]);
    expect(failed.at(-1)?.index).toBe(999);
  });

  test('rejects where a loop would throw', async () => {
    const { emulator, sending } = emulated();
    await expect(sending.batchAll([], { concurrency: 0 })).rejects.toBeInstanceOf(InvalidRequestError);
    const broken = new Error('no more rows');
    const rows = function* () {
      yield mailTo(0);
      throw broken;
    };
    await expect(sending.batchAll(rows(), { base })).rejects.toBe(broken);
    expect(emulator.messages()).toHaveLength(1);
  });

  test('that is stopped resolves to the totals of what was read', async () => {
    const { sending, sent } = scripted((request) => {
      run.stop();
      const { requests } = JSON.parse(request.body) as { requests: unknown[] };
      return Response.json({ success: true, responses: requests.map(() => ({ success: true })) });
    });
    const run = sending.batchAll(numbered(100_000).mails, { base, concurrency: 1 });
    expect(await run).toMatchObject({ accepted: 500, rejected: 0, unknown: 0 });
    expect(sent).toHaveLength(1);
  });

  test('has catch and finally, as promises have', async () => {
    const { sending } = emulated();
    const ended: string[] = [];
    const totals: unknown = await sending.batchAll([mailTo(0)], { base }).finally(() => ended.push('run'));
    expect(totals).toMatchObject({ accepted: 1 });
    expect(ended).toEqual(['run']);
    expect(await sending.batchAll([], { concurrency: 0 }).catch(() => 'refused')).toBe('refused');
  });

  test('is run by an async function that returns it', async () => {
    const { emulator, sending } = emulated();

    const sendAll = async () => sending.batchAll([mailTo(0), mailTo(1)], { base });
    const { accepted }: BatchTotals = await sendAll();
    expect([accepted, emulator.messages().length]).toEqual([2, 2]);
  });

  test('runs once, however often it is awaited', async () => {
    const { emulator, sending } = emulated();
    const run = sending.batchAll([mailTo(0)], { base });
    const [first, second] = await Promise.all([run, run]);
    expect(second).toBe(first);
    expect(await run).toBe(first);
    expect(emulator.messages()).toHaveLength(1);
  });
});

describe('A run', () => {
  test('that is neither iterated nor awaited sends nothing', () => {
    const { emulator, sending } = emulated();
    void sending.batchAll([mailTo(0)], { base });
    expect(emulator.requests).toEqual([]);
  });

  test('that is awaited cannot be iterated', async () => {
    const { emulator, sending } = emulated();
    const run = sending.batchAll([mailTo(0)], { base });
    await run;
    const { outcomes, thrown } = await collected(run);
    expect(outcomes).toEqual([]);
    expect(thrown).toBeInstanceOf(InvalidRequestError);
    expect(thrown).toHaveProperty(
      'message',
      'A second run of sending.batchAll was not sent: run: is already awaited, and cannot also be iterated: the totals have its failures; another call sends its emails again',
    );
    expect(emulator.messages()).toHaveLength(1);
  });

  test('that is iterated cannot be awaited, and the loop goes on', async () => {
    const { sending } = emulated();
    const run = sending.batchAll(numbered(3).mails, { base });
    const indexes: number[] = [];
    for await (const { index } of run) {
      indexes.push(index);
      await expect(run).rejects.toMatchObject({ code: 'invalid_request' });
    }
    expect(indexes).toEqual([0, 1, 2]);
    await expect(run.then()).rejects.toThrow(
      'is already iterated, and cannot also be awaited: the loop has its outcomes; another call sends its emails again',
    );
  });

  test('that was left before it began cannot be awaited', async () => {
    const { sending } = emulated();
    const run = sending.batchAll([mailTo(0)], { base });
    await run.return();
    await expect(run).rejects.toBeInstanceOf(InvalidRequestError);
  });

  test('may be disposed of after it was awaited', async () => {
    const { sending } = emulated();
    const run = sending.batchAll([mailTo(0)], { base });
    const totals = await run;
    expect(await run.return()).toEqual({ done: true, value: undefined });
    expect(await run).toBe(totals);
  });
});
