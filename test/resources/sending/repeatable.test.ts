import {
  BadRequestError,
  ConnectionError,
  InvalidRequestError,
  ResponseFormatError,
  ServerError,
  TimeoutError,
  type SendOptions,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { json, lost, scriptedFetch, silence, text, type Turn } from '../../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../../support/virtual-client.ts';
import { collected } from './batch-runs.ts';

const mail = {
  from: { email: 'hello@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Your code',
  text: '123456',
};
const accepted = json(200, { success: true, message_ids: ['a'] });
const hosts = { send: 'https://send.test' };

function sending(options: SendOptions, ...turns: [Turn, ...Turn[]]) {
  const { fetch, sent } = scriptedFetch(...turns);
  const { client, time } = virtualClient({ fetch, hosts });
  return { sent, time, send: () => throughItsWaits(time, client.sending.send(mail, options)) };
}

describe('send with repeatable: true', () => {
  test.each<[string, Turn]>([
    ['a lost answer', lost],
    ['a 408', json(408, {})],
    ['a 500', json(500, {})],
    ['a 502 of a gateway', text(502, '<html>', 'text/html')],
    ['a 504', json(504, {})],
  ])('is repeated after %s, as a PUT is', async (_, turn) => {
    const { send, sent } = sending({ repeatable: true }, turn, accepted);
    expect(await send()).toMatchObject({ message_ids: ['a'] });
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  });

  test('is repeated after a timeout', async () => {
    const { fetch, sent } = scriptedFetch(silence, accepted);
    const { client, time } = virtualClient({ fetch, hosts, timeoutMs: 1000 });
    const call = client.sending.send(mail, { repeatable: true });
    await until(() => sent.length === 1);
    await time.advance(1000);
    expect(await throughItsWaits(time, call)).toMatchObject({ message_ids: ['a'] });
  });

  test('makes at most 1 + maxRetries copies, and its final failure stays unknown', async () => {
    const { send, sent } = sending({ repeatable: true, retry: { maxRetries: 2 } }, lost);
    const error = await rejection(send(), ConnectionError);
    expect(error).toMatchObject({ effect: 'unknown', isRetryable: true, request: { attempts: 3 } });
    expect(sent).toHaveLength(3);
  });

  test('a refusal of the last copy says nothing of the first: the effect stays unknown', async () => {
    const { send } = sending({ repeatable: true }, lost, json(400, { errors: ['no'] }));
    expect((await rejection(send(), BadRequestError)).effect).toBe('unknown');
  });

  test('is never repeated after an answer that is not the documented one', async () => {
    const { send, sent } = sending({ repeatable: true }, text(200, '<html>Log in</html>', 'text/html'));
    expect((await rejection(send(), ResponseFormatError)).effect).toBe('unknown');
    expect(sent).toHaveLength(1);
  });

  test('a copy more is what it costs: the service took the first one', async () => {
    const emulator = createEmulator();
    const { client, time } = virtualClient(emulator.clientOptions());
    emulator.faults.next({ kind: 'reset-after' });
    await throughItsWaits(time, client.sending.send(mail, { repeatable: true }));
    expect(emulator.messages()).toHaveLength(2);
  });
});

describe('Otherwise a send is not repeated', () => {
  test.each<SendOptions | undefined>([undefined, {}, { repeatable: false }, { repeatable: undefined }])(
    'with %o',
    async (options) => {
      const { send, sent } = sending(options ?? {}, json(500, {}), accepted);
      expect((await rejection(send(), ServerError)).effect).toBe('unknown');
      expect(sent).toHaveLength(1);
    },
  );

  test('a timeout stays a timeout', async () => {
    const { fetch, sent } = scriptedFetch(silence, accepted);
    const { client, time } = virtualClient({ fetch, hosts, timeoutMs: 1000 });
    const call = rejection(client.sending.send(mail), TimeoutError);
    await until(() => sent.length === 1);
    await time.advance(1000);
    expect(await call).toMatchObject({ effect: 'unknown', request: { attempts: 1 } });
  });

  test('and the option is refused where it is wrong, and for a batch', async () => {
    const { fetch, sent } = scriptedFetch(accepted);
    const { client } = virtualClient({ fetch, hosts });
    const wrong = { repeatable: 'yes' as unknown as boolean };
    const { issues } = await rejection(client.sending.send(mail, wrong), InvalidRequestError);
    expect(issues).toEqual([{ path: 'options.repeatable', message: 'must be true or false' }]);
    const ofBatch: object = { repeatable: true };
    const unknown = [
      { path: 'options.repeatable', message: 'is not a known field; it is an option of `sending.send`' },
    ];
    const batch = client.sending.batch({ requests: [mail] }, ofBatch);
    expect((await rejection(batch, InvalidRequestError)).issues).toEqual(unknown);
    const { thrown } = await collected(client.sending.batchAll([mail], ofBatch));
    expect(thrown).toMatchObject({ issues: unknown });
    expect(sent).toHaveLength(0);
  });
});
