/** With a guard, a domain of other letters is sent as it was compared: no server can read another one in it. */
import { EmailPlatform, RecipientRefusedError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { runs } from '../support/extent.ts';

const content = { from: 'hello@mail.example.com', subject: 'Hi', text: 'Hello' };
const WRITTEN = 'Ann@Bücher.example';
const ENCODED = 'Ann@xn--bcher-kva.example';
/** Letters that fall away when a domain is encoded: the encoded form is that of `bücher.example`. */
const PADDED = 'Ann@bü\ufe0fcher.example';
const recipients = { allow: ['@bücher.example', '@us.example'] };

function setUp(given: EmailPlatform.RecipientOptions | undefined = recipients) {
  const emulator = createEmulator();
  const { fetch, ...options } = emulator.clientOptions();
  const bodies: string[] = [];
  const client = new EmailPlatform({
    ...options,
    recipients: given,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (request.method !== 'GET') bodies.push(await request.clone().text());
      return fetch(request);
    },
  });
  return { emulator, client, bodies };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

type Send = (client: EmailPlatform, to: string) => PromiseLike<unknown>;

const sends: readonly (readonly [string, Send])[] = [
  ['sending.send, as text', (client, to) => client.sending.send({ ...content, to })],
  [
    'sending.send, with a name',
    (client, email) => client.sending.send({ ...content, to: [{ email, name: 'Ä' }] }),
  ],
  ['sending.send, in cc', (client, to) => client.sending.send({ ...content, to: 'a@us.example', cc: [to] })],
  ['sending.send, in bcc', (client, to) => client.sending.send({ ...content, to: 'a@us.example', bcc: to })],
  ['sending.batch', (client, to) => client.sending.batch({ requests: [{ ...content, to: [to] }] })],
  [
    'sending.batchAll',
    async (client, to) => {
      for await (const { error } of client.sending.batchAll([{ to: [to] }], { base: content }))
        if (error) throw error;
    },
  ],
  ['inbound.messages.forward', (client, to) => client.inbound.messages.forward(1, '1', { to, text: 'Hi' })],
  [
    'inbound.forwardRules.create',
    (client, destination) =>
      client.inbound.forwardRules.create(1, { name: 'a', destinations: [{ email: destination }] }),
  ],
  ['sandbox.messages.forward', (client, email) => client.sandbox.messages.forward(1, 1, { email })],
  [
    'sendingDomains.sendSetupInstructions',
    (client, email) => client.sendingDomains.sendSetupInstructions(1, { email }),
  ],
];

describe('A recipient whose domain has other letters', () => {
  test.each(sends)('%s: is sent with its domain as ASCII, and nothing else changes', async (_, send) => {
    for (const written of [WRITTEN, PADDED]) {
      const one = setUp();
      await send(one.client, written).then(undefined, () => undefined);
      const other = setUp();
      await send(other.client, ENCODED).then(undefined, () => undefined);
      expect(one.bodies).toHaveLength(1);
      expect(one.bodies).toEqual(other.bodies);
      expect(one.bodies[0]).toContain(ENCODED);
    }
  });

  test.each(sends)('%s: is refused if it only looks like one of the list', async (_, send) => {
    const { client, bodies } = setUp();
    await rejection(Promise.resolve(send(client, 'boss@us\ufe0f.example')), RecipientRefusedError);
    expect(bodies).toEqual([]);
  });

  test.each(sends)('%s: is sent as it was written, without a guard', async (_, send) => {
    const emulator = createEmulator();
    const { fetch, ...options } = emulator.clientOptions();
    const bodies: string[] = [];
    const client = new EmailPlatform({
      ...options,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        bodies.push(await request.clone().text());
        return fetch(request);
      },
    });
    await send(client, WRITTEN).then(undefined, () => undefined);
    expect(bodies[0]).toContain(WRITTEN);
  });

  test('with any domain, the recipient that is sent is ASCII and on the list', async () => {
    const { client, bodies } = setUp();
    const piece = fc.constantFrom(
      'us',
      'bücher',
      '.example',
      '.',
      'xn--',
      'ü',
      'u\u0308',
      '\ufe0f',
      '\u034f',
      '\u00ad',
      '。',
      'ß',
      'Σ',
      '\u200d',
    );
    const domain = fc.oneof(
      fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join('')),
      fc.tuple(piece, fc.constantFrom('us.example', 'bücher.example'), piece).map((parts) => parts.join('')),
      fc.constantFrom('us.example', 'bücher.example', 'BÜCHER.example'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(domain, { minLength: 1, maxLength: 3 }), async (domains) => {
        bodies.length = 0;
        const to = domains.map((one) => `ann@${one}`);
        await client.sending.send({ ...content, to }).then(undefined, () => undefined);
        const sent = bodies.flatMap((body) => (JSON.parse(body) as { to: { email: string }[] }).to);
        for (const { email } of sent)
          expect(['ann@us.example', 'ann@xn--bcher-kva.example']).toContain(email);
        expect([0, domains.length]).toContain(sent.length);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('also where the email is redirected, beside those who stay, and in an address to redirect to', async () => {
    const { emulator, client, bodies } = setUp({
      ...recipients,
      otherwise: { redirectTo: 'Team@bücher.example' },
    });
    await client.sending.send({ ...content, to: ['boss@us\ufe0f.example', WRITTEN], cc: 'a@us.example' });
    expect(bodies[0]).not.toMatch(/[^ -~]/);
    expect(emulator.messages().map(({ to }) => to)).toEqual([
      ENCODED,
      'Team@xn--bcher-kva.example',
      'a@us.example',
    ]);
  });

  test('also by the environment, and in a derived client', async () => {
    vi.stubEnv('EMAIL_PLATFORM_RECIPIENTS', '@bücher.example');
    const emulator = createEmulator();
    const client = new EmailPlatform(emulator.clientOptions());
    await client.sending.send({ ...content, to: WRITTEN });
    await client.withOptions({ recipients }).sending.send({ ...content, to: WRITTEN });
    expect(emulator.messages().map(({ to }) => to)).toEqual([ENCODED, ENCODED]);
  });
});
