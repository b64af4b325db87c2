import { describe, expect, test } from 'vitest';
import { createTemplate, errorsOf, mail, postBatch, uuid } from '../../../tools/mail.ts';
import { still, type Answer } from '../../../tools/wire.ts';

interface Item {
  success: boolean;
  message_ids?: string[];
  errors?: string[];
}

function items(answer: Answer): Item[] {
  return (answer.value as { responses: Item[] }).responses;
}

const { to, ...base } = mail;

describe('Batch: POST /api/batch', () => {
  test.each(['send', 'bulk'] as const)('%s: 200 with an item for each request, in order', async (host) => {
    const emulator = still();
    const answer = await postBatch(
      emulator,
      { base, requests: [{ to }, { to: [] }, { to, subject: 'Other', cc: [{ email: 'bob@example.org' }] }] },
      host,
    );
    expect([answer.status, answer.value]).toEqual([
      200,
      {
        success: true,
        responses: [
          { success: true, message_ids: [expect.stringMatching(uuid)] },
          { success: false, errors: ["At least one recipient is required in 'to', 'cc' or 'bcc'"] },
          { success: true, message_ids: [expect.stringMatching(uuid), expect.stringMatching(uuid)] },
        ],
      },
    ]);
    expect(emulator.messages().map(({ subject }) => subject)).toEqual(['Welcome', 'Other', 'Other']);
  });

  test('when every item fails it is still 200 and a success', async () => {
    const answer = await postBatch(still(), { base, requests: [{}, {}] });
    expect([answer.status, answer.value]).toMatchObject([200, { success: true }]);
    expect(items(answer).map(({ success }) => success)).toEqual([false, false]);
  });

  test('without a base, every request is complete', async () => {
    const emulator = still();
    expect(items(await postBatch(emulator, { requests: [mail, mail] }))).toHaveLength(2);
    expect(emulator.messages()).toHaveLength(2);
  });

  test('a template in the base, its variables in each request', async () => {
    const emulator = still();
    const template_uuid = await createTemplate(emulator, { subject: 'Hi {{name}}' });
    const requests = ['Ann', 'Bob'].map((name) => ({ to, template_variables: { name } }));
    await postBatch(emulator, { base: { from: mail.from, template_uuid }, requests });
    expect(emulator.messages().map(({ subject }) => subject)).toEqual(['Hi Ann', 'Hi Bob']);
    const mixed = await postBatch(emulator, { base, requests: [{ to, template_uuid }] });
    expect(items(mixed)[0]?.success).toBe(false);
  });

  test('a sender without permission fails its own item only', async () => {
    const from = { email: 'hello@unverified.example.com' };
    const answer = await postBatch(still(), { base, requests: [{ to, from }, { to }] });
    expect(answer.status).toBe(200);
    expect(items(answer)).toMatchObject([{ success: false, errors: ['Unauthorized'] }, { success: true }]);
  });

  test('500 requests pass', async () => {
    const emulator = still();
    const answer = await postBatch(emulator, { base, requests: Array(500).fill({ to }) });
    expect(items(answer).every(({ success }) => success)).toBe(true);
    expect(emulator.messages()).toHaveLength(500);
  });

  test.each([
    [{ requests: Array(501).fill(mail) }, "'requests' must not exceed 500 emails"],
    [{ requests: [] }, "'requests' must be a non-empty array"],
    [{ base }, "'requests' must be a non-empty array"],
    [{ requests: [7] }, "'requests' must hold objects"],
    [{ base: [], requests: [mail] }, "'base' must be an object"],
    [{ base: { ...base, to }, requests: [mail] }, "'base' must not have 'to'"],
  ])('an invalid call → 400 (%#)', async (body, message) => {
    const emulator = still();
    const answer = await postBatch(emulator, body);
    expect([answer.status, answer.value]).toEqual([400, { success: false, errors: [message] }]);
    expect(emulator.messages()).toEqual([]);
  });

  test('over the size of a batch → 413; an item over the size of an email fails alone', async () => {
    const emulator = still({ sending: { maxBatchBytes: 3000, maxMailBytes: 1000 } });
    const large = { to, text: 'x'.repeat(1000) };
    const answer = await postBatch(emulator, { base, requests: [{ to }, large] });
    expect(items(answer)).toMatchObject([{ success: true }, { errors: ['The message is too large'] }]);
    const refused = await postBatch(emulator, { base, requests: [large, large, large] });
    expect([refused.status, errorsOf(refused)]).toEqual([413, ['The message is too large']]);
  });

  test('the sandbox: decimal ids, everything captured', async () => {
    const emulator = still();
    const answer = await postBatch(emulator, { base, requests: [{ to }, { to }] }, 'sandbox');
    const ids = items(answer).flatMap(({ message_ids = [] }) => message_ids);
    expect(ids.every((id) => /^\d{10}$/.test(id))).toBe(true);
    expect(emulator.sandbox.messages(2001).map(({ id }) => id)).toEqual(ids);
  });
});
