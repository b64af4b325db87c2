import { describe, expect, test } from 'vitest';
import { idsOf, mail, post, postBatch, uuid } from '../../../tools/mail.ts';
import { start, still, wire } from '../../../tools/wire.ts';

describe('Sandbox', () => {
  test('a test inbox captures from any sender and logs nothing', async () => {
    const emulator = still();
    const answer = await post(emulator, { from: { email: 'me@anywhere.test' } }, { host: 'sandbox' });
    expect(answer.status).toBe(200);
    expect(emulator.sandbox.messages(2001).map(({ id }) => id)).toEqual(idsOf(answer));
    expect((await wire(emulator)('GET', '/api/email_logs')).value).toMatchObject({ total_count: 0 });
  });

  test('an email has one id, however many recipients; so has each email of a batch, as recorded', async () => {
    const emulator = still();
    const people = {
      to: [{ email: 'ann@example.org' }, { email: 'ben@example.org' }],
      cc: [{ email: 'cy@example.org' }],
      bcc: [{ email: 'dee@example.org' }],
    };
    const single = await post(emulator, people, { host: 'sandbox' });
    expect(single.value).toEqual({ success: true, message_ids: [expect.stringMatching(uuid)] });
    const { from, subject, text } = mail;
    const batch = await postBatch(
      emulator,
      { base: { from, subject, text }, requests: [people, people] },
      'sandbox',
    );
    const { responses } = batch.value as { responses: { success: boolean; message_ids: string[] }[] };
    expect(responses).toEqual([
      { success: true, message_ids: [expect.stringMatching(/^\d{10}$/)] },
      { success: true, message_ids: [expect.stringMatching(/^\d{10}$/)] },
    ]);
    const ids = [...idsOf(single), ...responses.flatMap(({ message_ids }) => message_ids)];
    expect(new Set(ids).size).toBe(3);
    const copies = emulator.sandbox.messages(2001);
    expect(copies.map(({ id }) => id)).toEqual(ids.flatMap((id) => [id, id, id, id]));
    expect(copies.slice(0, 4).map(({ to }) => to)).toEqual(
      Object.values(people).flatMap((list) => list.map(({ email }) => email)),
    );
  });

  test('inboxes are separate, and contain no email that was really sent', async () => {
    const emulator = still();
    const second = emulator.sandbox.add();
    await post(emulator);
    await post(emulator, {}, { host: 'sandbox' });
    expect(emulator.sandbox.messages(second)).toEqual([]);
    expect(() => emulator.sandbox.messages(9)).toThrow(RangeError);
    expect(emulator.sandbox.messages()).toHaveLength(1);
    expect(emulator.messages()).toHaveLength(2);
  });

  test('an unknown inbox → 401', async () => {
    const answer = await wire(still())('POST', '/api/send/9', { host: 'sandbox', body: mail });
    expect([answer.status, answer.value]).toEqual([401, { error: 'Unauthorized', errors: ['Unauthorized'] }]);
  });

  test.each(['specified', 'recorded'] as const)(
    'a plan limits each inbox: 429, as %s, and the reset',
    async (answers) => {
      const emulator = still({ sandbox: { limit: { requests: 1, perMs: 10_000 } }, answers });
      const second = emulator.sandbox.add();
      expect((await post(emulator, {}, { host: 'sandbox' })).status).toBe(200);
      const refused = await post(emulator, {}, { host: 'sandbox' });
      expect([refused.status, refused.value]).toEqual([
        429,
        { success: false, error: 'Rate limit exceeded', errors: ['Rate limit exceeded'] },
      ]);
      expect(refused.headers.get('x-ratelimit-reset')).toBe(new Date(start + 10_000).toISOString());
      const other = await wire(emulator)('POST', `/api/send/${second}`, { host: 'sandbox', body: mail });
      expect(other.status).toBe(200);
      emulator.clock.advance(10_000);
      expect((await post(emulator, {}, { host: 'sandbox' })).status).toBe(200);
    },
  );
});
