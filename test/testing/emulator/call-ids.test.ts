import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';

function setUp(more: EmailPlatformOptions = {}) {
  const emulator = createEmulator();
  const ids: string[] = [];
  const hooks = { onStart: ({ callId }: { readonly callId: string }) => void ids.push(callId) };
  const client = new EmailPlatform({ ...emulator.clientOptions(), hooks, ...more });
  return { emulator, client, ids, id: emulator.campaigns.add() };
}

describe('The requests of an emulator', () => {
  test('have the id of the call, on both sides the same, where the client sends it', async () => {
    const { emulator, client, ids, id } = setUp({ sendCallId: true, retry: { maxRetries: 1 } });
    emulator.faults.next({ kind: 'reset-after' });
    await client.campaigns.get(id);
    await client.campaigns.get(id, { headers: { 'email-platform-call-id': 'mine' } });
    const [first, second] = ids;
    expect(emulator.requests.map(({ callId }) => callId)).toEqual([first, first, second]);
  });

  test('have none otherwise', async () => {
    const { emulator, client, id } = setUp();
    await client.campaigns.get(id);
    expect(emulator.requests[0]).not.toHaveProperty('callId');
  });

  test('have no invalid id, although every caller can choose the header', async () => {
    const { emulator, client, id } = setUp();
    for (const wrong of ['x'.repeat(65), '<b>', ''])
      await client.campaigns.get(id, { headers: { 'email-platform-call-id': wrong } });
    expect(emulator.requests.map(({ callId }) => callId)).toEqual([undefined, undefined, undefined]);
  });

  test('over a port, too', async () => {
    const { emulator, ids, id } = setUp();
    const server = await emulator.listen();
    const hooks = { onStart: ({ callId }: { readonly callId: string }) => void ids.push(callId) };
    const client = new EmailPlatform({ ...server.clientOptions(), hooks, sendCallId: true });
    await client.campaigns.get(id);
    await server.close();
    expect(emulator.requests.map(({ callId }) => callId)).toEqual(ids);
  });
});
