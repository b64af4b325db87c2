import {
  ConnectionError,
  ServerError,
  TimeoutError,
  type EmailPlatform,
  type SendParams,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { inMemoryAndOnAPort } from '../../support/in-memory-and-on-a-port.ts';
import { broken } from '../../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../../support/virtual-client.ts';

const mail = {
  from: { email: 'hello@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Hi',
  text: 'Hello',
} satisfies SendParams;

/** Every way to send one email. */
const ways: [string, (client: EmailPlatform) => Promise<unknown>][] = [
  ['send', ({ sending }) => sending.send(mail)],
  ['batch', ({ sending }) => sending.batch({ requests: [mail] })],
  ['send on the bulk stream', ({ sending }) => sending.send(mail, { stream: 'bulk' })],
  ['send into a sandbox', ({ sending }) => sending.send(mail, { stream: 'sandbox' })],
  [
    'send with an attachment',
    ({ sending }) => sending.send({ ...mail, attachments: [{ filename: 'a', content: new Blob(['a']) }] }),
  ],
];

describe.each(inMemoryAndOnAPort)('Exactly one email exists, %s', (_, connect) => {
  test.each(ways)('%s, cut off after the service took it: the effect is unknown', async (_way, send) => {
    const { emulator, client } = await connect();
    emulator.faults.next({ kind: 'reset-after' });
    const error = await rejection(send(client), ConnectionError);
    expect(error).toMatchObject({ effect: 'unknown', request: { attempts: 1 } });
    expect(emulator.messages()).toHaveLength(1);
  });

  test.each(ways)('%s, with a 5xx from a gateway: the effect is unknown', async (_way, send) => {
    const { emulator, client } = await connect();
    emulator.faults.next({ kind: 'html', acts: true });
    const error = await rejection(send(client), ServerError);
    expect(error).toMatchObject({ effect: 'unknown', request: { attempts: 1 } });
    expect(emulator.messages()).toHaveLength(1);
  });
});

describe.each(ways)('Exactly one email exists: %s', (_, send) => {
  test('without a response, the effect is unknown', async () => {
    const emulator = createEmulator();
    const { client, time } = virtualClient({ ...emulator.clientOptions(), timeoutMs: 1000 });
    emulator.faults.next({ kind: 'stall', acts: true });
    const failed = rejection(send(client), TimeoutError);
    await until(() => emulator.messages().length === 1);
    await time.advance(1000);
    expect(await failed).toMatchObject({ effect: 'unknown', kind: 'attempt', request: { attempts: 1 } });
    expect(emulator.messages()).toHaveLength(1);
  });

  test('refused by the rate limit at first, and then not even connected', async () => {
    const emulator = createEmulator();
    const { fetch } = emulator;
    let attempts = 0;
    const { client, time } = virtualClient({
      ...emulator.clientOptions(),
      fetch: (input, init) => {
        attempts += 1;
        return attempts === 2 ? Promise.reject(broken('ECONNREFUSED', 'connect')) : fetch(input, init);
      },
    });
    emulator.faults.next({ kind: 'status', status: 429, body: { errors: ['Throttled'] } });
    await throughItsWaits(time, send(client));
    expect([attempts, emulator.messages().length]).toEqual([3, 1]);
  });
});
